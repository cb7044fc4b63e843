// `bandolier evaluate LOG...`: what other policies would have earned.
#include <filesystem>
#include <memory>
#include <optional>

#include "arguments.h"
#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/stop.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/evaluation/evaluation_output.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/report/experiment_report.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "log_arguments.h"
#include "output_format.h"
#include "progress_bar.h"

namespace bandolier {
namespace {

struct EvaluateArguments {
  LogArguments log;
  std::vector<std::string> policies, estimators;
  std::optional<std::string> interval, folds, reward_range, seed, slots, format, out;
  std::string predictions, reward_model;
  bool quiet = false;
};

RewardRange parse_range(const std::string& text) {
  const auto parts = split(text, ',');
  if (parts.size() == 2) {
    const auto low = parse_double(parts[0]), high = parse_double(parts[1]);
    if (low && high) return {*low, *high};
  }
  fail("--reward-range '{}': expected LOW,HIGH, such as 0,1", text);
}

EvaluationOptions parse_options(const EvaluateArguments& arguments) {
  EvaluationOptions options;
  options.policies = arguments.policies;
  if (!arguments.estimators.empty()) options.estimators = arguments.estimators;
  if (arguments.interval) {
    options.interval.kind = parse_word<IntervalKind>("interval", *arguments.interval);
  }
  if (arguments.reward_range) options.interval.rewards = parse_range(*arguments.reward_range);
  if (arguments.folds == "past") {
    options.folds = 0;
  } else if (arguments.folds) {
    const auto folds = parse_integer(*arguments.folds);
    if (!folds || *folds < 2) fail("folds is '{}': expected 2 to 100, or past", *arguments.folds);
    options.folds = static_cast<Index>(*folds);
  }
  options.predictions = arguments.predictions;
  if (!arguments.reward_model.empty()) options.reward_model = arguments.reward_model;
  options.agents.seed =
      static_cast<std::uint64_t>(whole_number("seed", arguments.seed).value_or(0));
  options.agents.slots = checked_slots(arguments.slots);
  require_name("--out", arguments.out);
  return options;
}

// The command as it can be typed again.
std::string typed(const EvaluateArguments& arguments) {
  std::string command = "bandolier evaluate";
  for (const auto& file : arguments.log.files()) command += " " + file.string();
  for (const auto& policy : arguments.policies) command += " --policy " + policy;
  for (const auto& estimator : arguments.estimators) command += " --estimator " + estimator;
  if (arguments.interval) command += " --interval " + *arguments.interval;
  if (arguments.folds) command += " --folds " + *arguments.folds;
  if (!arguments.predictions.empty()) command += " --predictions " + arguments.predictions;
  if (!arguments.reward_model.empty()) command += " --reward-model " + arguments.reward_model;
  if (arguments.reward_range) command += " --reward-range " + *arguments.reward_range;
  if (arguments.seed) command += " --seed " + *arguments.seed;
  if (arguments.slots) command += " --slots " + *arguments.slots;
  return command + arguments.log.typed();
}

int run_evaluate(const EvaluateArguments& arguments) {
  std::optional<EvaluationPlan> plan;
  OutputFormat format = OutputFormat::kTable;
  LogOptions log = arguments.log.options();
  try {
    plan.emplace(parse_options(arguments));
    if (arguments.format) format = parse_word<OutputFormat>("format", *arguments.format);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (arguments.out) require_writable_folder(*arguments.out);
  const StopScope scope(&watch_for_interrupt("stopping; Ctrl-C again ends at once"));
  Evaluation evaluation;
  try {
    ProgressBar bar(arguments.quiet);
    const OpenLog open = [&](const std::string& columns) {
      log.columns = columns;
      return open_log(arguments.log.files(), log);
    };
    evaluation = evaluate(open, *plan, [&](const EvaluationProgress& at) {
      const double fraction =
          at.total > 0 ? static_cast<double>(at.rows) / static_cast<double>(at.total) : 0;
      bar.show(fraction, fmt::format("{}: {} rows", at.pass, with_commas(at.rows)));
    });
  } catch (const Stopped&) {
    return kFailed;
  }
  if (arguments.out) {
    const std::filesystem::path folder = *arguments.out;
    std::vector<NamedFigure> figures;
    const std::string page = evaluation_page(evaluation, typed(arguments), figures);
    write_page(folder, page, figures);
    write_file_atomically(folder / "evaluation.json",
                          json_text(evaluation_json(evaluation), 2) + "\n");
    print_notice(fmt::format("wrote {}", (folder / "report.html").string()));
  }
  switch (format) {
    case OutputFormat::kTable:
      print_result(evaluation_table(evaluation));
      break;
    case OutputFormat::kJson:
      print_result(json_text(evaluation_json(evaluation), 2) + "\n");
      break;
    case OutputFormat::kCsv:
      print_result(evaluation_csv(evaluation));
      break;
  }
  return kSuccess;
}

std::string known_estimators() {
  std::vector<std::string> names;
  for (const EstimatorEntry& entry : estimators()) names.push_back(entry.name);
  return join(names, ", ");
}

}  // namespace

Command add_evaluate_command(CLI::App& program) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* app = program.add_subcommand(
      "evaluate", "Say what other policies would have earned, from a log of decisions");
  // Prefixes come from policies and predictions.
  arguments->log.add_to(*app, {"columns"});
  app->add_option("--policy", arguments->policies,
                  "logged, uniform, fixed:ACTION, columns:PREFIX, table:FILE, a saved agent "
                  "(MODEL.bndl), or an agent by name, which learns along the log; others are "
                  "compared with the first")
      ->type_name("P")
      ->required();
  app->add_option("--estimator", arguments->estimators,
                  "NAME or NAME:key=value of " + known_estimators() + " [ips snips dr]")
      ->type_name("E");
  app->add_option("--interval", arguments->interval,
                  "normal, bootstrap, empirical-likelihood or betting [bootstrap]")
      ->type_name("I");
  app->add_option("--folds", arguments->folds,
                  "Cross-fitting of the reward model: so many folds, or past: from earlier rows "
                  "alone, where the logging policy learnt [3]")
      ->type_name("N|past");
  app->add_option("--reward-model", arguments->reward_model,
                  "The agent that predicts rewards for dm, dr and their kind [linear]")
      ->type_name("AGENT");
  app->add_option("--predictions", arguments->predictions,
                  "Take predicted rewards from the log's columns with this prefix instead")
      ->type_name("PREFIX");
  app->add_option("--reward-range", arguments->reward_range,
                  "The least and the greatest reward that can be: empirical-likelihood and betting "
                  "need it")
      ->type_name("LOW,HIGH");
  app->add_option("--seed", arguments->seed, "Seed of agents and of resampling [0]")
      ->type_name("N");
  app->add_option("--slots", arguments->slots,
                  "Agents' features for a context by name [twice the log's names, 16 to 1024]")
      ->type_name("N");
  app->add_option("--out", arguments->out, "Write a page with figures, and evaluation.json, here")
      ->type_name("DIR");
  app->add_option("--format", arguments->format, "table, json or csv [table]")->type_name("F");
  app->add_flag("--quiet", arguments->quiet, "No progress");
  add_examples(*app, "bandolier run --env wheel --agent uniform --steps 2000 --trials 1 --log logs",
               "bandolier evaluate logs/wheel--uniform--trial-0.dsjson --policy logged uniform "
               "linear");
  return {app, [arguments] { return run_evaluate(*arguments); }};
}

}  // namespace bandolier
