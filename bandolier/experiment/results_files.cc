#include "bandolier/experiment/results_files.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/text.h"
#include "bandolier/experiment/csv.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

using Fields = std::vector<std::string>;
constexpr std::string_view kNoteSeparator = " | ";

const Fields& trial_columns() {
  static const Fields columns = {"env",          "agent",        "trial",           "seed",
                                 "steps",        "warmup_steps", "warmup_feedback", "reward",
                                 "regret",       "uniform",      "best_fixed",      "oracle",
                                 "belief_bytes", "parameters",   "subspace_dim",    "notes",
                                 "signals",      "error"};
  return columns;
}

const Fields& curve_columns() {
  static const Fields columns = {"env", "agent", "trial", "step", "reward", "regret"};
  return columns;
}

const Fields& timing_columns() {
  static const Fields columns = {"env",
                                 "agent",
                                 "trial",
                                 "seconds",
                                 "warmup_seconds",
                                 "choose_seconds",
                                 "observe_seconds",
                                 "step_us_p50",
                                 "step_us_p99"};
  return columns;
}

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

// One file, record by record.
class Rows {
 public:
  Rows(fs::path path, const Fields& columns) : path_(std::move(path)), columns_(columns) {
    if (!fs::exists(path_)) return;
    text_ = read_file(path_);
    const auto header = next_csv_record(text_, position_);
    if (header && *header != columns) {
      fail("{}: line 1 is not '{}': it is not of this version; give another folder", path_.string(),
           join(columns, ","));
    }
  }

  // Moves to the next record; false at the end or at an incomplete one.
  bool next() {
    auto record = next_csv_record(text_, position_);
    if (!record) return false;
    ++line_;
    if (record->size() != columns_.size()) {
      fail("{}: line {} has {} fields: expected {}; remove the line or the folder", path_.string(),
           line_, record->size(), columns_.size());
    }
    fields_ = std::move(*record);
    return true;
  }

  bool incomplete() const { return position_ < text_.size(); }
  const fs::path& path() const { return path_; }

  const std::string& text(std::size_t column) const { return fields_[column]; }
  double real(std::size_t column) const {
    if (fields_[column].empty()) return std::numeric_limits<double>::quiet_NaN();
    return parsed(parse_double(fields_[column]), column);
  }
  std::int64_t integer(std::size_t column) const {
    return parsed(parse_integer(fields_[column]), column);
  }
  std::optional<Index> optional_integer(std::size_t column) const {
    if (fields_[column].empty()) return std::nullopt;
    return integer(column);
  }
  // The index of this text among `known`.
  Index index_among(std::size_t column, const Fields& known) const {
    const auto found = std::find(known.begin(), known.end(), fields_[column]);
    if (found == known.end()) {
      fail("{}: line {}: {} '{}' is not of this experiment; give another folder", path_.string(),
           line_, columns_[column], fields_[column]);
    }
    return found - known.begin();
  }

 private:
  template <class T>
  T parsed(const std::optional<T>& value, std::size_t column) const {
    if (!value) {
      fail("{}: line {}: {} is '{}': expected a number; remove the line or the folder",
           path_.string(), line_, columns_[column], fields_[column]);
    }
    return *value;
  }

  fs::path path_;
  const Fields& columns_;
  std::string text_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  Fields fields_;
};

struct Key {
  Index environment, agent;
  std::uint32_t trial;
  auto operator<=>(const Key&) const = default;
};

TrialResult read_trial(const Rows& rows) {
  TrialResult result;
  result.steps = rows.integer(4);
  result.reward = rows.real(7);
  result.regret = rows.real(8);
  result.uniform = rows.real(9);
  result.best_fixed = rows.real(10);
  result.oracle = rows.real(11);
  result.report.belief_bytes = static_cast<std::size_t>(rows.optional_integer(12).value_or(0));
  result.report.parameters = rows.optional_integer(13);
  result.report.subspace_dim = rows.optional_integer(14);
  std::string_view notes = rows.text(15);
  while (!notes.empty()) {
    const auto end = std::min(notes.find(kNoteSeparator), notes.size());
    result.report.notes.emplace_back(notes.substr(0, end));
    notes.remove_prefix(std::min(end + kNoteSeparator.size(), notes.size()));
  }
  if (!rows.text(16).empty()) {
    for (const auto& part : split(rows.text(16), ';')) {
      const auto equals = part.find('=');
      result.report.signals[part.substr(0, equals)] =
          parse_double(part.substr(equals + 1)).value_or(std::nan(""));
    }
  }
  return result;
}

}  // namespace

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
  fields.push_back(join(result.report.notes, kNoteSeparator));
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
                             r.step_us_p50, r.step_us_p99}) {
    fields.push_back(fmt::format("{:.6g}", value));
  }
  return csv_line(fields);
}

ReadRecords read_records(const fs::path& folder, const Results& experiment) {
  const auto& settings = experiment.settings;
  Fields agents;
  for (const auto& agent : settings.agents) agents.push_back(agent.spec);
  ReadRecords out;
  std::map<Key, TrialRecord> trials;
  std::vector<Key> order;

  const auto key_of = [&](const Rows& rows) {
    return Key{rows.index_among(0, settings.environments), rows.index_among(1, agents),
               static_cast<std::uint32_t>(rows.integer(2))};
  };
  const auto finish = [&](const Rows& rows) {
    if (!rows.incomplete()) return;
    out.leftovers = true;
    out.repairs.push_back(
        fmt::format("{}: the last line is incomplete and was dropped", rows.path().string()));
  };

  Rows trial_rows(folder / kTrialsFile, trial_columns());
  while (trial_rows.next()) {
    const Key key = key_of(trial_rows);
    TrialRecord record{key.environment, key.agent, key.trial, trial_rows.text(17), {}};
    if (!record.failed()) record.result = read_trial(trial_rows);
    if (trials.emplace(key, std::move(record)).second) order.push_back(key);
  }
  finish(trial_rows);

  Rows timing_rows(folder / kTimingsFile, timing_columns());
  while (timing_rows.next()) {
    const auto found = trials.find(key_of(timing_rows));
    out.leftovers |= found == trials.end();
    if (found == trials.end()) continue;
    TrialResult& result = found->second.result;
    result.seconds = timing_rows.real(3);
    result.warmup_seconds = timing_rows.real(4);
    result.choose_seconds = timing_rows.real(5);
    result.observe_seconds = timing_rows.real(6);
    result.step_us_p50 = timing_rows.real(7);
    result.step_us_p99 = timing_rows.real(8);
  }
  finish(timing_rows);

  Rows curve_rows(folder / kCurvesFile, curve_columns());
  while (curve_rows.next()) {
    const auto found = trials.find(key_of(curve_rows));
    out.leftovers |= found == trials.end();
    if (found == trials.end()) continue;
    TrialResult& result = found->second.result;
    result.curve_steps.push_back(curve_rows.integer(3));
    result.curve_reward.push_back(curve_rows.real(4));
    result.curve_regret.push_back(curve_rows.real(5));
  }
  finish(curve_rows);

  for (const Key& key : order) {
    TrialRecord& record = trials.at(key);
    const TrialResult& result = record.result;
    const bool whole = record.failed() || (!result.curve_steps.empty() && result.seconds > 0 &&
                                           result.curve_steps.back() == result.steps);
    if (whole) {
      out.records.push_back(std::move(record));
    } else {
      out.leftovers = true;
      out.repairs.push_back(
          fmt::format("{}: trial {} of '{}' on '{}' lacks its curve or timing and was dropped",
                      folder.string(), key.trial, agents[static_cast<std::size_t>(key.agent)],
                      settings.environments[static_cast<std::size_t>(key.environment)]));
    }
  }
  return out;
}

}  // namespace bandolier
