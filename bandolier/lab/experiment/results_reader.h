// Trials read back from trials.csv, curves.csv and timings.csv.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

// Whole trials found in a folder's files.
struct ReadRecords {
  std::vector<TrialRecord> records;  // in the order of trials.csv
  std::vector<std::string> damage;   // what was left out and why, a clause each
  bool leftovers = false;            // the files hold lines of trials that are not among them
};

// Reads what is there of `experiment`'s trials. `without_curves`: a folder that has no curves.csv
// is read all the same, its trials without curves. An incomplete last line, and trials whose curve
// or timing is missing or has gaps, are left out and reported; anything else that is wrong (a
// number that is none, a trial twice or beyond the last) is an Error naming file and line.
ReadRecords read_records(const std::filesystem::path& folder, const Results& experiment,
                         bool without_curves = false);

}  // namespace bandolier
