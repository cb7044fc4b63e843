// `bandolier run`: environments × agents × trials from flags or a file.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "arguments.h"
#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/words.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/suggest_table.h"
#include "bandolier/lab/experiment/experiment_file.h"
#include "bandolier/lab/experiment/results_store.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/report/action_table.h"
#include "bandolier/lab/report/summary_output.h"
#include "bandolier/lab/report/summary_table.h"
#include "commands.h"
#include "console.h"
#include "output_format.h"
#include "run_session.h"

namespace bandolier {
namespace {

// Flags as typed; what is not given comes from the file or the defaults.
struct RunFlags {
  std::string file;
  std::vector<std::string> environments, agents, from;
  std::optional<std::string> steps, trials, seed, warmup_pulls, jobs, warmup_feedback;
  RunChoices choices;  // jobs apart
  bool actions = false, force = false, quiet = false, dry_run = false;
};

template <class T>
void override_with(const std::optional<T>& given, T& value) {
  if (given) value = *given;
}

// Newcomers give a table, or an environment's name, where a file of settings is expected.
ExperimentFile read_settings(const std::string& path) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(path, ignored);
  if (there && ends_as_tables_do(path)) {
    fail("{} is a table: expected an experiment file (TOML); for a table, bandolier run --env {}",
         path, suggest_table(path));
  }
  const auto& known = environments();
  if (!there && std::any_of(known.begin(), known.end(), [&](const EnvironmentEntry& entry) {
        return path == entry.name || path.starts_with(entry.name + ":");
      })) {
    fail("there is no file {}: for the environment of that name, bandolier run --env {}", path,
         path);
  }
  return read_experiment_file(path);
}

ExperimentFile combine(const RunFlags& flags) {
  ExperimentFile file;
  if (!flags.file.empty()) file = read_settings(flags.file);
  ExperimentSettings& settings = file.settings;
  if (!flags.environments.empty()) {
    settings.environments.clear();
    for (const auto& spec : flags.environments) settings.environments.push_back({spec});
  }
  if (!flags.agents.empty() || !flags.from.empty()) {
    settings.agents.clear();
    for (const auto& path : flags.from) settings.agents.push_back({path, ""});
    for (const auto& spec : flags.agents) settings.agents.push_back({spec, ""});
  }
  if (flags.steps) settings.steps = whole_number("steps", flags.steps);
  override_with(whole_number("trials", flags.trials), settings.trials);
  override_with(whole_number("seed", flags.seed), settings.seed);
  override_with(whole_number("warmup-pulls", flags.warmup_pulls), settings.warmup_pulls);
  if (flags.warmup_feedback) {
    settings.warmup_feedback =
        parse_word<WarmupFeedback>("warmup-feedback", *flags.warmup_feedback);
  }
  RunChoices& choices = file.choices;
  if (flags.choices.baseline) choices.baseline = flags.choices.baseline;
  if (flags.choices.out) choices.out = flags.choices.out;
  if (flags.choices.save) choices.save = flags.choices.save;
  if (flags.choices.log) choices.log = flags.choices.log;
  settings.probabilities = choices.log.has_value();
  if (flags.choices.part) choices.part = flags.choices.part;
  if (flags.choices.format) choices.format = flags.choices.format;
  if (flags.jobs) choices.jobs = whole_number("jobs", flags.jobs);
  if (flags.actions) choices.actions = true;
  if (flags.quiet) choices.quiet = true;
  return file;
}

int play(const RunFlags& flags) {
  ExperimentFile file;
  Plan plan;
  Index baseline = 0;
  OutputFormat format = OutputFormat::kTable;
  RunSession session;
  try {
    file = combine(flags);
    if (file.choices.format) format = parse_word<OutputFormat>("format", *file.choices.format);
    require_name("--out", file.choices.out);
    require_name("--save", file.choices.save);
    require_name("--log", file.choices.log);
    session.jobs = checked_jobs(file.choices.jobs);
    if (file.choices.part) session.share = parse_share(*file.choices.part);
    session.overwrite = flags.force;
    session.quiet = file.choices.quiet.value_or(false);
    check(file.settings);
    baseline = find_baseline(file.settings, file.choices.baseline.value_or(""));
    plan = make_plan(file.settings, session.jobs);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (file.choices.out) session.out = *file.choices.out;
  if (file.choices.save) session.save = *file.choices.save;
  if (file.choices.log) session.log = *file.choices.log;
  if (flags.dry_run) {
    check_session(plan, session);
    print_result(describe_plan(plan, session));
    return kSuccess;
  }

  const RunOutcome outcome = run_session(plan, session);
  const auto summaries = summarise(outcome.results, baseline);
  switch (format) {
    case OutputFormat::kTable:
      print_result(summary_table(outcome.results, summaries, baseline));
      if (file.choices.actions.value_or(false)) {
        print_result(action_tables(outcome.results, summaries));
      }
      break;
    case OutputFormat::kJson:
      print_result(json_text(summary_json(outcome.results, summaries, baseline), 2) + "\n");
      break;
    case OutputFormat::kCsv:
      print_result(summary_csv(outcome.results, summaries, baseline));
      break;
  }
  return outcome.exit_code;
}

}  // namespace

Command add_run_command(CLI::App& program) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* app = program.add_subcommand("run", "Run agents on environments and compare them");
  app->add_option("experiment", flags->file, "An experiment file (TOML); flags override it");
  app->add_option("--env", flags->environments, "Environments: NAME or NAME:key=value,...")
      ->type_name("ENV");
  app->add_option("--agent", flags->agents,
                  "Agents: NAME or NAME:key=value,... [linear auto uniform]")
      ->type_name("AGENT");
  app->add_option("--from", flags->from, "Go on from agents that --save wrote")->type_name("MODEL");
  app->add_option("--steps", flags->steps, "Steps of a trial [all rows; 5000 where generated]")
      ->type_name("N");
  app->add_option("--trials", flags->trials, "Trials of each agent on each environment [10]")
      ->type_name("N");
  app->add_option("--seed", flags->seed, "Seed of everything random [0]")->type_name("N");
  app->add_option("--warmup-pulls", flags->warmup_pulls, "Warm-up pulls of every action [2]")
      ->type_name("N");
  app->add_option("--warmup-feedback", flags->warmup_feedback,
                  "bandit: the pulled action's reward; full: every action's (not honest) [bandit]")
      ->type_name("WORD");
  app->add_option("--baseline", flags->choices.baseline,
                  "Agent that differences are taken against [linear, or the first]")
      ->type_name("AGENT");
  app->add_option("--jobs", flags->jobs, "Trials side by side [all cores]")->type_name("N");
  app->add_option("--out", flags->choices.out,
                  "Keep results here; the same command goes on, or one with more")
      ->type_name("DIR");
  add_part_option(*app, flags->choices.part);
  app->add_option("--save", flags->choices.save, "Save the agents of trial 0 here")
      ->type_name("DIR");
  app->add_option("--log", flags->choices.log,
                  "Draw actions from known probabilities, and log every decision here as dsjson")
      ->type_name("DIR");
  app->add_option("--format", flags->choices.format, "table, json or csv [table]")
      ->type_name("WORD");
  app->add_flag("--actions", flags->actions, "Also print how often each action was chosen");
  app->add_flag("--force", flags->force, "Let --save replace agents that are there");
  app->add_flag("--quiet", flags->quiet, "No progress");
  app->add_flag("--dry-run", flags->dry_run, "Check everything, print the plan, run nothing");
  add_examples(*app,
               "bandolier run --env wheel --agent linear uniform --trials 5 --out results/wheel",
               "bandolier run --env linear:features=20 --agent auto --steps 1000 --trials 2");
  return {app, [flags] { return play(*flags); }};
}

}  // namespace bandolier
