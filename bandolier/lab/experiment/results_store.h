// An experiment's results in a folder, kept while it runs:
//   manifest.json  version, settings, environments, machine, build: what was run
//   trials.csv     one line per trial: what it earned
//   curves.csv     cumulative reward and regret, about 200 lines per trial
//   timings.csv    one line per trial: what a clock measured
// A trial is appended as it ends, synced, its line in trials.csv last: that line is what makes it
// count. After a crash the incomplete rest is dropped on opening. Once every trial is there the
// files are sorted, and trials.csv and curves.csv depend on the settings alone, byte for byte.
// docs/results-format.md lists the columns.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

class ResultsStore {
 public:
  // Opens `folder`, made if need be, for the experiment of `settings` and `environments`, and holds
  // its lock until destroyed or the process dies. Throws Error where another process holds it, it
  // has another experiment's results, or a file is damaged before its end.
  ResultsStore(const std::filesystem::path& folder, const ExperimentSettings& settings,
               const std::vector<EnvironmentFacts>& environments);
  ~ResultsStore();
  ResultsStore(const ResultsStore&) = delete;
  ResultsStore& operator=(const ResultsStore&) = delete;

  // The trials that were there on opening. Failed ones are not among them: they run again.
  const std::vector<TrialRecord>& records() const { return records_; }
  // What had to be mended on opening, in sentences.
  const std::vector<std::string>& repairs() const { return repairs_; }

  // Appends and syncs. Throws Error where the disk does not take it; the files then end with the
  // last whole trial.
  void append(const TrialRecord& record);

  // All trials are there: sorts the files.
  void complete();

 private:
  void load();
  void rewrite(std::vector<TrialRecord> records);

  std::filesystem::path folder_;
  ExperimentSettings settings_;
  std::vector<EnvironmentFacts> environments_;
  int lock_ = -1;
  std::vector<TrialRecord> records_, appended_;
  std::vector<std::string> repairs_;
};

// Throws Error where the folder holds another experiment's results; writes nothing.
void check_results_folder(const std::filesystem::path& folder, const ExperimentSettings& settings,
                          const std::vector<EnvironmentFacts>& environments);

// The results in a folder, complete or not, read without a lock, also where curves.csv was left
// behind. Throws Error where there are none.
struct StoredResults {
  std::filesystem::path folder;
  Results results;
  nlohmann::ordered_json manifest;
  std::vector<std::string> repairs;  // what was left out, in sentences
};
StoredResults read_results(const std::filesystem::path& folder);

}  // namespace bandolier
