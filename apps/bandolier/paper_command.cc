// `bandolier paper`: the paper's results section, made again.
#include <filesystem>
#include <memory>

#include "arguments.h"
#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/paper.h"
#include "bandolier/lab/experiment/results_store.h"
#include "bandolier/lab/report/paper_report.h"
#include "bandolier/lab/report/summary_table.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "reporting.h"
#include "run_session.h"

namespace bandolier {
namespace {

// Between two parts, while data are loaded.
constexpr const char* kStopping =
    "stopping: the parts that are done are judged; Ctrl-C again ends at once";

struct PaperArguments {
  std::string experiment;
  std::string warmup_feedback = "bandit";
  std::optional<std::string> trials, jobs, seed, out, part;
  bool quick = false, quiet = false, dry_run = false;
};

// A part that can be run, and where.
struct Ready {
  PaperPart part;
  RunSession session;
  std::string plan;  // in words
  std::vector<EnvironmentFacts> facts;
  Dealing dealing;
};

// All parts are checked before the first starts; their data are loaded again in turn. A part whose
// data are missing is named and left out (`asked` counts it); a folder of other results is an
// Error.
std::vector<Ready> check_parts(const PaperArguments& arguments, int jobs, std::size_t& asked) {
  const std::filesystem::path out = arguments.out.value_or("");
  PaperOptions options;
  require_name("--out", arguments.out);
  options.trials = whole_number("trials", arguments.trials);
  options.seed = whole_number("seed", arguments.seed).value_or(options.seed);
  options.feedback = parse_word<PaperFeedback>("warmup-feedback", arguments.warmup_feedback);
  options.quick = arguments.quick;
  std::vector<Ready> ready;
  const auto parts = paper_parts(arguments.experiment, options);
  asked = parts.size();
  const Share share = arguments.part ? parse_share(*arguments.part) : Share{};
  std::string last_error;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& part = parts[i];
    check(part.settings);
    RunSession session;
    session.share = share;
    session.first = static_cast<std::int64_t>(i);
    session.jobs = jobs;
    session.quiet = arguments.quiet;
    if (!out.empty()) session.out = out / part.id;
    Plan plan;
    try {
      plan = make_plan(part.settings, jobs);
    } catch (const Error& error) {
      last_error = error.what();
      print_notice(fmt::format("{} cannot be run and is left out: {}", part.id, last_error));
      continue;
    }
    check_session(plan, session);
    ready.push_back({part, session,
                     fmt::format("{}\n{}", part.settings.name, describe_plan(plan, session)),
                     plan.facts, dealing_of(plan, session)});
  }
  if (ready.empty()) fail("no part of '{}' can be run: {}", arguments.experiment, last_error);
  return ready;
}

int run_paper(const PaperArguments& arguments) {
  std::vector<Ready> parts;
  std::size_t asked = 0;
  try {
    parts = check_parts(arguments, checked_jobs(whole_number("jobs", arguments.jobs)), asked);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (arguments.dry_run) {
    for (const auto& ready : parts) print_result(ready.plan + "\n");
    return kSuccess;
  }
  // Of a share that is killed, `merge` knows by its folders what it has not begun.
  for (const auto& ready : parts) {
    if (ready.dealing.share.whole() || ready.session.out.empty()) continue;
    const ResultsStore begun(ready.session.out, ready.part.settings, ready.facts, ready.dealing);
  }
  int exit_code = parts.size() < asked ? kFailed : kSuccess;
  std::vector<Results> results;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [part, session, plan, facts, dealing] = parts[i];
    RunOutcome outcome;
    try {
      const StopScope scope(&watch_for_interrupt(kStopping));
      throw_if_stopped();
      if (!arguments.quiet) {
        print_notice(fmt::format("part {} of {}: {}", i + 1, parts.size(), part.id));
      }
      outcome = run_session(make_plan(part.settings), session);
    } catch (const Stopped&) {
      exit_code = kFailed;
      break;
    }
    exit_code = std::max(exit_code, outcome.exit_code);
    const Index baseline = find_baseline(part.settings, "");
    print_result(summary_table(outcome.results, summarise(outcome.results, baseline), baseline) +
                 "\n");
    results.push_back(std::move(outcome.results));
  }
  if (results.empty()) {
    print_notice("stopped before the first part began");
    return kFailed;
  }
  if (!parts.front().session.share.whole()) return exit_code;  // judged once it is merged
  if (!arguments.out) {
    print_result(paper_text(results));
    return exit_code;
  }
  // The folder may hold parts of earlier runs: they are judged together.
  const auto stored = read_all_results(*arguments.out);
  results.clear();
  for (const auto& folder : stored) results.push_back(folder.results);
  print_result(paper_text(results));
  print_result(write_report(*arguments.out, stored, "").string() + "\n");
  return exit_code;
}

}  // namespace

Command add_paper_command(CLI::App& program) {
  auto arguments = std::make_shared<PaperArguments>();
  CLI::App* app = program.add_subcommand("paper", "Run the paper's experiments again");
  app->add_option("experiment", arguments->experiment, join(paper_experiments(), ", "))->required();
  app->add_option("--trials", arguments->trials,
                  "Trials of each [10; at most 3 for LeNet-5 with the leak]")
      ->type_name("N");
  app->add_option("--seed", arguments->seed, "Seed of everything random [0]")->type_name("N");
  app->add_option("--jobs", arguments->jobs, "Trials side by side [all cores]")->type_name("N");
  app->add_option("--warmup-feedback", arguments->warmup_feedback,
                  "bandit; full: the label leak of the released code; both [bandit]")
      ->type_name("WORD");
  add_part_option(*app, arguments->part);
  app->add_flag("--quick", arguments->quick, "A smaller version, in minutes");
  app->add_flag("--quiet", arguments->quiet, "No progress");
  app->add_flag("--dry-run", arguments->dry_run, "Check everything, print the plan, run nothing");
  app->add_option("--out", arguments->out,
                  "Keep results, report.html and verdicts.csv here; the same command goes on")
      ->type_name("DIR");
  add_examples(*app, "bandolier paper all --dry-run",
               "bandolier paper movielens --quick --trials 1 --out results/paper");
  return {app, [arguments] { return run_paper(*arguments); }};
}

}  // namespace bandolier
