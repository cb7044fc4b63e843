#include "bandolier/lab/experiment/results_reader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "bandolier/core/error.h"
#include "bandolier/lab/env/records.h"
#include "bandolier/lab/experiment/result_columns.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

// One file, row by row.
class ResultRows {
 public:
  ResultRows(fs::path path, const std::vector<ResultColumn>& columns, const Results& experiment)
      : path_(std::move(path)), columns_(columns), experiment_(experiment) {
    if (!fs::exists(path_)) return;
    input_ = open_input(path_);
    rows_.emplace(*input_, ',', Unfinished::kLeave);
    if (!rows_->next(fields_)) return;
    const bool same =
        std::equal(fields_.begin(), fields_.end(), columns.begin(), columns.end(),
                   [](std::string_view name, const ResultColumn& c) { return name == c.name; });
    if (!same) {
      std::string header = header_of(columns);
      header.pop_back();
      fail("{}: line 1 is not '{}': it is not of this version; give another folder", path_.string(),
           header);
    }
  }

  // Moves to the next row; false at the end or at an incomplete one.
  bool next() {
    if (!rows_ || !rows_->next(fields_)) return false;
    if (fields_.size() != columns_.size()) {
      refuse(fmt::format("{} fields: expected {}", fields_.size(), columns_.size()));
    }
    return true;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    fail("{}: line {}: {}; remove the line or the folder", path_.string(), rows_->line(), what);
  }

  // Once next() has returned false.
  bool incomplete() const { return rows_ && rows_->left_unfinished(); }
  const fs::path& path() const { return path_; }

  // Whose row it is.
  TrialRecord key() const {
    TrialRecord record;
    for (std::size_t i = 0; i < kKeyColumns; ++i) read(i, record);
    return record;
  }
  // Its other columns into the record: those that failed trials have too, or those that they lack.
  void read_rest(TrialRecord& record, bool of_failed = false) const {
    for (std::size_t i = kKeyColumns; i < columns_.size(); ++i) {
      if (columns_[i].of_failed == of_failed) read(i, record);
    }
  }

 private:
  void read(std::size_t i, TrialRecord& record) const {
    const ResultColumn& column = columns_[i];
    const ResultField field{path_, rows_->line(), column.name, fields_[i]};
    if (column.read != nullptr) {
      column.read(field, experiment_, record);
    } else if (const auto expected = column.write({experiment_, record}); field.text != expected) {
      field.refuse(expected);
    }
  }

  fs::path path_;
  const std::vector<ResultColumn>& columns_;
  const Results& experiment_;
  std::unique_ptr<Input> input_;  // nothing where there is no file
  std::optional<RecordReader> rows_;
  std::vector<std::string_view> fields_;
};

}  // namespace

ReadRecords read_records(const fs::path& folder, const Results& experiment, bool without_curves) {
  const bool curves = !without_curves || fs::exists(folder / kCurvesFile);
  const auto& settings = experiment.settings;
  using Key = decltype(TrialRecord().position());
  ReadRecords out;
  std::map<Key, TrialRecord> trials;
  std::vector<Key> order;

  // Lines of a trial that is not in trials.csv were left by a run that was killed.
  const auto find_trial = [&](const ResultRows& rows) {
    const auto found = trials.find(rows.key().position());
    out.leftovers |= found == trials.end();
    return found == trials.end() ? nullptr : &found->second;
  };
  const auto finish = [&](const ResultRows& rows) {
    if (!rows.incomplete()) return;
    out.leftovers = true;
    out.damage.push_back(fmt::format("{}: the last line is incomplete", rows.path().string()));
  };

  ResultRows trial_rows(folder / kTrialsFile, trial_columns(), experiment);
  while (trial_rows.next()) {
    TrialRecord record = trial_rows.key();
    trial_rows.read_rest(record, true);
    if (!record.failed()) trial_rows.read_rest(record);
    const Key key = record.position();
    if (!trials.emplace(key, std::move(record)).second) {
      trial_rows.refuse("the trial is there twice: expected it once");
    }
    order.push_back(key);
  }
  finish(trial_rows);

  ResultRows timing_rows(folder / kTimingsFile, timing_columns(), experiment);
  while (timing_rows.next()) {
    TrialRecord* const record = find_trial(timing_rows);
    if (record == nullptr) continue;
    if (record->result.seconds > 0)
      timing_rows.refuse("the trial is there twice: expected it once");
    timing_rows.read_rest(*record);
  }
  finish(timing_rows);

  if (curves) {
    ResultRows curve_rows(folder / kCurvesFile, curve_columns(), experiment);
    while (curve_rows.next()) {
      if (TrialRecord* const record = find_trial(curve_rows)) curve_rows.read_rest(*record);
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
      out.damage.push_back(fmt::format(
          "{}: trial {} of '{}' on '{}' lacks a part of its curve or timing", folder.string(),
          record.trial, settings.agents[static_cast<std::size_t>(record.agent)].spec,
          settings.environments[static_cast<std::size_t>(record.environment)].spec));
    }
  }
  return out;
}

}  // namespace bandolier
