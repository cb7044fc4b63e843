// The columns of trials.csv, curves.csv and timings.csv, one table each: what a column is called,
// how it is written and how it is read. docs/results-format.md says what they mean.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kTrialsFile = "trials.csv";
inline constexpr const char* kCurvesFile = "curves.csv";
inline constexpr const char* kTimingsFile = "timings.csv";

// What a field is written from.
struct ResultCell {
  const Results& experiment;  // settings and environments
  const TrialRecord& record;
  std::size_t point = 0;  // of the curve
};

// A field as it is read: its text, and where it stands. What cannot be is an Error that says so.
struct ResultField {
  const std::filesystem::path& path;
  Index line;
  const char* column;
  std::string_view text;

  [[noreturn]] void refuse(std::string_view expected) const;
  double real() const;                                   // finite
  double optional_real() const;                          // NaN where it is empty
  std::int64_t integer_below(std::int64_t limit) const;  // from 0
  std::optional<Index> optional_integer() const;
  Index index_among(const std::vector<LabelledSpec>& known) const;
};

struct ResultColumn {
  const char* name;
  std::string (*write)(const ResultCell& cell);
  // Nothing: the field must be what would be written.
  void (*read)(const ResultField& field, const Results& experiment, TrialRecord& record);
  bool of_failed = false;  // trials that failed have it too
};

// The first three of each file are env, agent and trial.
inline constexpr std::size_t kKeyColumns = 3;
const std::vector<ResultColumn>& trial_columns();
const std::vector<ResultColumn>& curve_columns();
const std::vector<ResultColumn>& timing_columns();

// A file's first line, and its lines of one trial.
std::string header_of(const std::vector<ResultColumn>& columns);
std::string trial_line(const TrialRecord& record, const Results& experiment);
std::string curve_lines(const TrialRecord& record, const Results& experiment);
std::string timing_line(const TrialRecord& record, const Results& experiment);

}  // namespace bandolier
