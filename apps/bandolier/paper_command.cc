// `bandolier paper`: the paper's results section, made again.
#include <filesystem>
#include <map>
#include <memory>

#include "arguments.h"
#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/paper.h"
#include "bandolier/lab/report/paper_report.h"
#include "bandolier/lab/report/summary_output.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "reporting.h"
#include "run_session.h"

namespace bandolier {
namespace {

struct PaperArguments {
  std::string experiment;
  std::string warmup_feedback = "bandit";
  std::optional<std::string> trials, jobs, seed, out;
  bool quick = false, quiet = false, dry_run = false;
};

int run_paper(const PaperArguments& arguments) {
  std::vector<PaperPart> parts;
  const std::filesystem::path out = arguments.out.value_or("");
  int jobs = 1;
  const auto session_of = [&](const PaperPart& part) {
    RunSession session;
    session.jobs = part.one_job ? 1 : jobs;
    session.quiet = arguments.quiet;
    if (!out.empty()) session.out = out / part.id;
    return session;
  };
  std::string plans;
  try {
    PaperOptions options;
    require_name("--out", arguments.out);
    options.trials = whole_number("trials", arguments.trials);
    options.seed = whole_number("seed", arguments.seed).value_or(options.seed);
    options.warmup_feedback =
        parse_word<WarmupFeedback>("warmup-feedback", arguments.warmup_feedback);
    options.quick = arguments.quick;
    parts = paper_parts(arguments.experiment, options);
    jobs = checked_jobs(whole_number("jobs", arguments.jobs));
    // All parts are checked before the first starts; their data are loaded again in turn.
    for (const auto& part : parts) {
      const Plan plan = make_plan(part.settings);
      check_session(plan, session_of(part));
      plans += fmt::format("{}\n{}\n", part.settings.name, describe_plan(plan, session_of(part)));
    }
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (arguments.dry_run) {
    print_result(plans);
    return kSuccess;
  }
  int exit_code = kSuccess;
  std::map<std::string, Results> results;
  for (const auto& part : parts) {
    if (stop_requested()) break;
    if (!arguments.quiet) print_notice(part.settings.name);
    RunOutcome outcome = run_session(make_plan(part.settings), session_of(part));
    exit_code = std::max(exit_code, outcome.exit_code);
    const Index baseline = find_baseline(part.settings, "");
    print_result(summary_table(outcome.results, summarise(outcome.results, baseline), baseline) +
                 "\n");
    results[part.id] = std::move(outcome.results);
  }
  print_result(paper_text(results));
  if (!out.empty()) {
    print_result(write_report(out, read_all_results(out), "").string() + "\n");
  }
  return exit_code;
}

}  // namespace

Command add_paper_command(CLI::App& program) {
  auto arguments = std::make_shared<PaperArguments>();
  CLI::App* app = program.add_subcommand("paper", "Run the paper's experiments again");
  app->add_option("experiment", arguments->experiment, join(paper_experiments(), ", "))->required();
  app->add_option("--trials", arguments->trials, "Trials of each [10; 3 for time]")->type_name("N");
  app->add_option("--seed", arguments->seed, "Seed of everything random [0]")->type_name("N");
  app->add_option("--jobs", arguments->jobs, "Trials side by side [all cores; 1 for time]")
      ->type_name("N");
  app->add_option("--warmup-feedback", arguments->warmup_feedback,
                  "full: the label leak of the released code [bandit]")
      ->type_name("WORD");
  app->add_flag("--quick", arguments->quick, "A smaller version, in minutes");
  app->add_flag("--quiet", arguments->quiet, "No progress");
  app->add_flag("--dry-run", arguments->dry_run, "Check everything, print the plan, run nothing");
  app->add_option("--out", arguments->out, "Keep results and report.html here")->type_name("DIR");
  return {app, [arguments] { return run_paper(*arguments); }};
}

}  // namespace bandolier
