#include "bandolier/lab/experiment/results_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/records.h"
#include "bandolier/lab/experiment/results_files.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

using Fields = std::vector<std::string>;

// One file, record by record.
class ResultRows {
 public:
  ResultRows(fs::path path, const Fields& columns) : path_(std::move(path)), columns_(columns) {
    if (!fs::exists(path_)) return;
    input_ = open_input(path_);
    records_.emplace(*input_, ',', Unfinished::kLeave);
    if (records_->next(fields_) &&
        !std::equal(fields_.begin(), fields_.end(), columns.begin(), columns.end())) {
      fail("{}: line 1 is not '{}': it is not of this version; give another folder", path_.string(),
           join(columns, ","));
    }
  }

  // Moves to the next record; false at the end or at an incomplete one.
  bool next() {
    if (!records_ || !records_->next(fields_)) return false;
    if (fields_.size() != columns_.size()) {
      refuse(fmt::format("{} fields: expected {}", fields_.size(), columns_.size()));
    }
    return true;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    fail("{}: line {}: {}; remove the line or the folder", path_.string(), records_->line(), what);
  }

  // Once next() has returned false.
  bool incomplete() const { return records_ && records_->left_unfinished(); }
  const fs::path& path() const { return path_; }

  std::string_view text(std::size_t column) const { return fields_[column]; }
  double real(std::size_t column) const {
    auto value = parse_double(fields_[column]);
    if (value && !std::isfinite(*value)) value.reset();
    return parsed(value, column);
  }
  // NaN where it is empty.
  double optional_real(std::size_t column) const {
    return fields_[column].empty() ? std::numeric_limits<double>::quiet_NaN() : real(column);
  }
  std::int64_t integer(std::size_t column) const {
    return parsed(parse_integer(fields_[column]), column);
  }
  std::int64_t integer_below(std::size_t column, std::int64_t limit) const {
    const auto value = integer(column);
    if (value < 0 || value >= limit) {
      refuse(fmt::format("{} is {}: expected 0 to {}", columns_[column], value, limit - 1));
    }
    return value;
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
           records_->line(), columns_[column], fields_[column]);
    }
    return found - known.begin();
  }

 private:
  template <class T>
  T parsed(const std::optional<T>& value, std::size_t column) const {
    if (!value) {
      refuse(fmt::format("{} is '{}': expected a number", columns_[column], fields_[column]));
    }
    return *value;
  }

  fs::path path_;
  const Fields& columns_;
  std::unique_ptr<Input> input_;  // nothing where there is no file
  std::optional<RecordReader> records_;
  std::vector<std::string_view> fields_;
};

struct Key {
  Index environment, agent;
  std::uint32_t trial;
  auto operator<=>(const Key&) const = default;
};

TrialResult read_trial(const ResultRows& rows, const EnvironmentFacts& facts) {
  TrialResult result;
  result.steps = rows.integer(4);
  if (result.steps != facts.steps) {
    rows.refuse(fmt::format("steps is {}: expected {}", result.steps, facts.steps));
  }
  result.reward = rows.real(7);
  result.regret = rows.real(8);
  result.uniform = rows.real(9);
  result.best_fixed = rows.optional_real(10);
  result.oracle = rows.real(11);
  result.report.belief_bytes =
      static_cast<std::size_t>(rows.integer_below(12, std::numeric_limits<std::int64_t>::max()));
  result.report.parameters = rows.optional_integer(13);
  result.report.subspace_dim = rows.optional_integer(14);
  std::string_view notes = rows.text(15);
  while (!notes.empty()) {
    const auto end = std::min(notes.find(kNoteSeparator), notes.size());
    result.report.notes.push_back(Note::from_text(notes.substr(0, end)));
    notes.remove_prefix(std::min(end + kNoteSeparator.size(), notes.size()));
  }
  if (!rows.text(16).empty()) {
    for (const auto& part : split(rows.text(16), ';')) {
      const auto equals = part.find('=');
      const auto value = parse_double(part.substr(std::min(equals, part.size() - 1) + 1));
      if (equals == std::string::npos || !value) {
        rows.refuse(fmt::format("signals has '{}': expected name=number", part));
      }
      result.report.signals[part.substr(0, equals)] = *value;
    }
  }
  return result;
}

}  // namespace

ReadRecords read_records(const fs::path& folder, const Results& experiment, bool without_curves) {
  const bool curves = !without_curves || fs::exists(folder / kCurvesFile);
  const auto& settings = experiment.settings;
  Fields agents;
  for (const auto& agent : settings.agents) agents.push_back(agent.spec);
  ReadRecords out;
  std::map<Key, TrialRecord> trials;
  std::vector<Key> order;

  const auto key_of = [&](const ResultRows& rows) {
    return Key{rows.index_among(0, settings.environments), rows.index_among(1, agents),
               static_cast<std::uint32_t>(rows.integer_below(2, settings.trials))};
  };
  // Lines of a trial that is not in trials.csv were left by a run that was killed.
  const auto find_trial = [&](const ResultRows& rows) {
    const auto found = trials.find(key_of(rows));
    out.leftovers |= found == trials.end();
    return found == trials.end() ? nullptr : &found->second.result;
  };
  const auto finish = [&](const ResultRows& rows) {
    if (!rows.incomplete()) return;
    out.leftovers = true;
    out.repairs.push_back(
        fmt::format("{}: the last line is incomplete and was dropped", rows.path().string()));
  };

  ResultRows trial_rows(folder / kTrialsFile, trial_columns());
  while (trial_rows.next()) {
    const Key key = key_of(trial_rows);
    const auto& facts = experiment.environments[static_cast<std::size_t>(key.environment)];
    TrialRecord record{key.environment, key.agent, key.trial, std::string(trial_rows.text(17)), {}};
    if (!record.failed()) record.result = read_trial(trial_rows, facts);
    if (!trials.emplace(key, std::move(record)).second) {
      trial_rows.refuse("the trial is there twice: expected it once");
    }
    order.push_back(key);
  }
  finish(trial_rows);

  ResultRows timing_rows(folder / kTimingsFile, timing_columns());
  while (timing_rows.next()) {
    TrialResult* const result = find_trial(timing_rows);
    if (result == nullptr) continue;
    if (result->seconds > 0) timing_rows.refuse("the trial is there twice: expected it once");
    result->seconds = timing_rows.real(3);
    result->warmup_seconds = timing_rows.real(4);
    result->choose_seconds = timing_rows.real(5);
    result->observe_seconds = timing_rows.real(6);
    result->cpu_seconds = timing_rows.real(7);
    result->step_us_p50 = timing_rows.optional_real(8);
    result->step_us_p99 = timing_rows.optional_real(9);
  }
  finish(timing_rows);

  if (curves) {
    ResultRows curve_rows(folder / kCurvesFile, curve_columns());
    while (curve_rows.next()) {
      TrialResult* const result = find_trial(curve_rows);
      if (result == nullptr) continue;
      result->curve_steps.push_back(curve_rows.integer(3));
      result->curve_reward.push_back(curve_rows.real(4));
      result->curve_regret.push_back(curve_rows.real(5));
    }
    finish(curve_rows);
  }

  for (const Key& key : order) {
    TrialRecord& record = trials.at(key);
    const TrialResult& result = record.result;
    const bool whole =
        record.failed() ||
        (result.seconds > 0 && (!curves || result.curve_steps == curve_grid(result.steps)));
    if (whole) {
      out.records.push_back(std::move(record));
    } else {
      out.leftovers = true;
      out.repairs.push_back(fmt::format(
          "{}: trial {} of '{}' on '{}' lacks a part of its curve or timing and was dropped",
          folder.string(), key.trial, agents[static_cast<std::size_t>(key.agent)],
          settings.environments[static_cast<std::size_t>(key.environment)]));
    }
  }
  return out;
}

}  // namespace bandolier
