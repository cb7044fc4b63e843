// An experiment: checked as a whole before anything starts, then run as independent trials side by
// side. Every trial's result depends on its settings alone, not on threads, order or what ran
// before.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "bandolier/lab/experiment/results.h"
#include "bandolier/lab/experiment/share.h"

namespace bandolier {

class ResultsStore;

// Settings found to be sound, with every environment loaded: const, and shared by all trials.
struct Plan {
  ExperimentSettings settings;
  std::vector<std::shared_ptr<const Environment>> environments;
  std::vector<EnvironmentFacts> facts;  // one each
  std::vector<std::int64_t> costs;      // of a trial of each cell, environments outer
};

// Loads every environment and makes every agent once for each. Throws Error for whatever could not
// be run: unknown names and options, more steps than rows, a warm-up longer than the trial, agents
// whose memory the machine does not have for `jobs` trials side by side.
// `given`: environments that are there already, by their spec, which need not be a registered name.
using GivenEnvironments = std::map<std::string, std::shared_ptr<const Environment>>;
Plan make_plan(const ExperimentSettings& settings, int jobs = 1,
               const GivenEnvironments& given = {});

struct Progress {
  Index trials_done = 0, trials = 0;
  double fraction = 0;                 // of the work, by estimated time
  std::optional<double> seconds_left;  // once there is something to estimate it by
};

struct RunOptions {
  int jobs = 1;                   // trials side by side
  Dealing dealing = {};           // the trials of a share alone, with the plan's costs
  ResultsStore* store = nullptr;  // keeps each trial as it ends; trials it holds are not run
  // The agents of trial 0 go here at its end (cell_names.h); empty: nowhere. Where the store has
  // the trial and the folder lacks its agent, the trial is run again to save it.
  std::filesystem::path save_folder;
  bool overwrite = false;  // agents that are in save_folder may be replaced
  // Every decision of every trial goes here as dsjson (cell_names.h), for settings with
  // probabilities; empty: nowhere. A trial whose log the folder lacks is run again, likewise.
  std::filesystem::path log_folder;
  // Called from one thread at a time; progress ten times a second at most, and at the end.
  std::function<void(const Progress&)> progress;
  std::function<void(const TrialRecord&)> finished;  // a trial ended or failed
};

// How many trials that is.
Index expected_trials(const Plan& plan, const Dealing& dealing);

// Throws Error where an agent would be saved over a file without `overwrite`. One of a trial that
// is among `done` is not saved again.
void check_saved_agents(const Plan& plan, const RunOptions& options,
                        const std::vector<TrialRecord>& done);

// Runs what is missing. A trial that throws, or whose agent cannot be saved, becomes a failed
// record and the others go on; a store that cannot be written ends the run by an Error, and one
// whose agent was not saved has its trial all the same. Fewer records than expected: it was stopped
// (core/stop.h), and trials under way were given up. Of a share there are its records alone.
Results run_experiment(const Plan& plan, const RunOptions& options);

}  // namespace bandolier
