#include "bandolier/lab/experiment/results_files.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/csv.h"

namespace bandolier {
namespace {

using Fields = std::vector<std::string>;

std::string number(double value) { return std::isnan(value) ? "" : to_text(value); }

std::string number(const std::optional<Index>& value) {
  return value ? std::to_string(*value) : "";
}

std::string join_signals(const std::map<std::string, double>& signals) {
  Fields parts;
  for (const auto& [name, value] : signals) parts.push_back(name + "=" + to_text(value));
  return join(parts, ";");
}

Fields key_fields(const TrialRecord& record, const ExperimentSettings& settings) {
  return {settings.environments[static_cast<std::size_t>(record.environment)],
          settings.agents[static_cast<std::size_t>(record.agent)].spec,
          std::to_string(record.trial)};
}

}  // namespace

const std::vector<std::string>& trial_columns() {
  static const Fields columns = {"env",          "agent",        "trial",           "seed",
                                 "steps",        "warmup_steps", "warmup_feedback", "reward",
                                 "regret",       "uniform",      "best_fixed",      "oracle",
                                 "belief_bytes", "parameters",   "subspace_dim",    "notes",
                                 "signals",      "error"};
  return columns;
}

const std::vector<std::string>& curve_columns() {
  static const Fields columns = {"env", "agent", "trial", "step", "reward", "regret"};
  return columns;
}

const std::vector<std::string>& timing_columns() {
  static const Fields columns = {"env",
                                 "agent",
                                 "trial",
                                 "seconds",
                                 "warmup_seconds",
                                 "choose_seconds",
                                 "observe_seconds",
                                 "cpu_seconds",
                                 "step_us_p50",
                                 "step_us_p99"};
  return columns;
}

std::string trials_header() { return csv_line(trial_columns()); }
std::string curves_header() { return csv_line(curve_columns()); }
std::string timings_header() { return csv_line(timing_columns()); }

std::string trial_line(const TrialRecord& record, const Results& experiment) {
  const auto& facts = experiment.environments[static_cast<std::size_t>(record.environment)];
  Fields fields = key_fields(record, experiment.settings);
  fields.push_back(std::to_string(experiment.settings.seed));
  fields.push_back(std::to_string(facts.steps));
  fields.push_back(std::to_string(facts.warmup_steps));
  fields.emplace_back(to_word(experiment.settings.warmup_feedback));
  if (record.failed()) {
    fields.resize(trial_columns().size() - 1);
    fields.push_back(record.error);
    return csv_line(fields);
  }
  const TrialResult& result = record.result;
  for (const double value :
       {result.reward, result.regret, result.uniform, result.best_fixed, result.oracle}) {
    fields.push_back(number(value));
  }
  fields.push_back(std::to_string(result.report.belief_bytes));
  fields.push_back(number(result.report.parameters));
  fields.push_back(number(result.report.subspace_dim));
  fields.push_back(join(to_texts(result.report.notes), kNoteSeparator));
  fields.push_back(join_signals(result.report.signals));
  fields.emplace_back();
  return csv_line(fields);
}

std::string curve_lines(const TrialRecord& record, const ExperimentSettings& settings) {
  std::string lines;
  const TrialResult& result = record.result;
  for (std::size_t i = 0; i < result.curve_steps.size(); ++i) {
    Fields fields = key_fields(record, settings);
    fields.push_back(std::to_string(result.curve_steps[i]));
    fields.push_back(number(result.curve_reward[i]));
    fields.push_back(number(result.curve_regret[i]));
    lines += csv_line(fields);
  }
  return lines;
}

std::string timing_line(const TrialRecord& record, const ExperimentSettings& settings) {
  Fields fields = key_fields(record, settings);
  const TrialResult& r = record.result;
  for (const double value : {r.seconds, r.warmup_seconds, r.choose_seconds, r.observe_seconds,
                             r.cpu_seconds, r.step_us_p50, r.step_us_p99}) {
    fields.push_back(std::isnan(value) ? "" : fmt::format("{:.6g}", value));
  }
  return csv_line(fields);
}

}  // namespace bandolier
