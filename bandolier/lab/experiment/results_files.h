// The rows of trials.csv, curves.csv and timings.csv: what they hold. results_reader.h reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kTrialsFile = "trials.csv";
inline constexpr const char* kCurvesFile = "curves.csv";
inline constexpr const char* kTimingsFile = "timings.csv";

inline constexpr std::string_view kNoteSeparator = " | ";

const std::vector<std::string>& trial_columns();
const std::vector<std::string>& curve_columns();
const std::vector<std::string>& timing_columns();

// The first line of each file.
std::string trials_header();
std::string curves_header();
std::string timings_header();

// The lines of one trial.
std::string trial_line(const TrialRecord& record, const Results& experiment);
std::string curve_lines(const TrialRecord& record, const ExperimentSettings& settings);
std::string timing_line(const TrialRecord& record, const ExperimentSettings& settings);

}  // namespace bandolier
