// The rows of trials.csv, curves.csv and timings.csv: what they hold, and back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/experiment/results.h"

namespace bandolier {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kTrialsFile = "trials.csv";
inline constexpr const char* kCurvesFile = "curves.csv";
inline constexpr const char* kTimingsFile = "timings.csv";

// The first line of each file.
std::string trials_header();
std::string curves_header();
std::string timings_header();

// The lines of one trial.
std::string trial_line(const TrialRecord& record, const Results& experiment);
std::string curve_lines(const TrialRecord& record, const ExperimentSettings& settings);
std::string timing_line(const TrialRecord& record, const ExperimentSettings& settings);

// Whole trials found in a folder's files.
struct ReadRecords {
  std::vector<TrialRecord> records;  // in the order of trials.csv
  std::vector<std::string> repairs;  // what was left out, in sentences
  bool leftovers = false;            // the files hold lines of trials that are not among them
};

// Reads what is there of `experiment`'s trials. An incomplete last line, and trials whose curve or
// timing is missing, are left out and reported; anything else that is wrong is an Error naming file
// and line.
ReadRecords read_records(const std::filesystem::path& folder, const Results& experiment);

}  // namespace bandolier
