// An experiment's results in a folder, kept while it runs:
//   manifest.json  version, settings, environments, machine, build: what was run
//   trials.csv     one line per trial: what it earned
//   curves.csv     cumulative reward and regret, about 200 lines per trial
//   timings.csv    one line per trial: what a clock measured
// A trial is appended as it ends, synced, its line in trials.csv last: that line is what makes it
// count. After a crash the incomplete rest is dropped on opening. Once every trial that was asked
// for is there the files are sorted, and trials.csv and curves.csv depend on the manifest's
// settings and on which trials are there alone, byte for byte.
//
// A folder can be opened for more trials, other agents or other environments than it holds: the
// manifest then becomes that of both, before the first of them is run. What is not asked for stays.
// docs/results-format.md lists the columns.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/manifest.h"
#include "bandolier/lab/experiment/results.h"

namespace bandolier {

class ResultsStore {
 public:
  // Opens `folder`, made if need be, for the experiment of `settings` and `environments`, and holds
  // its lock until destroyed or the process dies. Throws Error where another process holds it, it
  // has results that do not go together with these, or a file is damaged before its end.
  ResultsStore(const std::filesystem::path& folder, const ExperimentSettings& settings,
               const std::vector<EnvironmentFacts>& environments, const Dealing& dealing = {});
  ResultsStore(const std::filesystem::path& folder, const Manifest& asked);
  ~ResultsStore();
  ResultsStore(const ResultsStore&) = delete;
  ResultsStore& operator=(const ResultsStore&) = delete;

  // The trials asked for that were there on opening, with indices into the lists that were asked
  // for. Failed ones are not among them: they run again.
  const std::vector<TrialRecord>& records() const { return records_; }
  // What had to be mended on opening, in sentences.
  const std::vector<std::string>& repairs() const { return repairs_; }

  // Appends and syncs; indices as in records(). Throws Error where the disk does not take it; the
  // files then end with the last whole trial.
  void append(TrialRecord record);

  // Adds many at once, and sorts the files.
  void add(std::vector<TrialRecord> records);

  // All trials asked for are there: sorts the files.
  void complete();

 private:
  void load(const Manifest& asked);
  TrialRecord placed(TrialRecord record) const;
  void rewrite();

  std::filesystem::path folder_;
  int lock_ = -1;
  Results stored_;                            // all that the folder holds
  std::vector<Index> environments_, agents_;  // where those asked for stand in stored_
  std::vector<TrialRecord> records_;
  std::vector<std::string> repairs_;
};

// The trials of such an experiment that the folder has, failed ones left out, read without a lock;
// none where the folder has no results. Throws Error where a store could not be opened for it;
// writes nothing.
std::vector<TrialRecord> check_results_folder(const std::filesystem::path& folder,
                                              const ExperimentSettings& settings,
                                              const std::vector<EnvironmentFacts>& environments,
                                              const Dealing& dealing = {});

// The results folders in a folder that is none itself, by name; else the folder alone. Throws Error
// where it is no folder.
std::vector<std::filesystem::path> results_folders(const std::filesystem::path& folder);

// The results in a folder, complete or not, read without a lock, also where curves.csv was left
// behind. Throws Error where there are none.
struct StoredResults {
  std::filesystem::path folder;
  Results results;
  nlohmann::ordered_json manifest;
  std::vector<std::string> damage;  // what was left out and how to mend it, in sentences
};
StoredResults read_results(const std::filesystem::path& folder);

}  // namespace bandolier
