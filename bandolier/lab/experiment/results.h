// What an experiment earned: every trial's record, and their summary for each (environment, agent).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "bandolier/lab/experiment/settings.h"
#include "bandolier/lab/experiment/statistics.h"

namespace bandolier {

// An environment as results describe it: what a reader must know of it, without its data.
struct EnvironmentFacts {
  std::string spec;
  Index steps = 0;
  Index warmup_steps = 0;  // of these
  Index features = 0, actions = 0, action_features = 0;
  std::vector<Note> notes;
  std::string data = {};                       // checksum (data_sum.h); empty: rows are generated
  std::vector<std::string> action_names = {};  // empty: they have none
};

// Indices are into the experiment's lists.
struct TrialRecord {
  Index environment = 0, agent = 0;
  std::uint32_t trial = 0;
  std::string error;   // why it failed; empty: it did not
  TrialResult result;  // meaningless where it failed
  bool failed() const { return !error.empty(); }
  // Records are kept in this order.
  std::tuple<Index, Index, std::uint32_t> position() const { return {environment, agent, trial}; }
};
void sort_records(std::vector<TrialRecord>& records);

struct Results {
  ExperimentSettings settings;
  std::vector<EnvironmentFacts> environments;
  std::vector<TrialRecord> records;  // by environment, agent and trial; fewer while incomplete

  Index expected_records() const;
};

// Rewards of a minus those of b, over the trials that both have.
Estimate reward_difference(std::span<const TrialRecord* const> a,
                           std::span<const TrialRecord* const> b);

// Over the trials of one (environment, agent) that did not fail.
struct Summary {
  Index environment = 0, agent = 0;
  int failed = 0;
  std::string first_error;
  Estimate reward, regret, uniform, oracle;
  std::optional<Estimate> best_fixed;  // nothing where the actions change
  // Of the way from uniform to oracle: (reward − uniform) / (oracle − uniform), of the means;
  // nothing where an oracle earns no more.
  std::optional<double> share;
  std::optional<Estimate> difference;  // of reward against the baseline, paired by trial
  Estimate seconds, warmup_seconds, choose_seconds, observe_seconds, cpu_seconds;
  std::optional<double> step_us_p50, step_us_p99;  // means over trials; none without decisions
  std::size_t belief_bytes = 0;                    // the most of any trial
  std::optional<Index> parameters, subspace_dim;
  std::vector<double> chosen;             // share of each action; empty where actions change
  std::vector<Note> notes;                // of all trials; alike ones merged
  std::map<std::string, double> signals;  // means over the trials that have them
};

// What `reward` is of the way from uniform to oracle of a summary.
std::optional<double> share_of(double reward, const Summary& summary);

// One for each (environment, agent), environments outer, in the order asked for. `baseline` is an
// index into the agents.
std::vector<Summary> summarise(const Results& results, Index baseline);

// The agent with this spec or label. Where `word` is empty: `linear`, with options if need be, or
// the first agent if there is none. Throws Error, naming the nearest.
Index find_baseline(const ExperimentSettings& settings, const std::string& word);

}  // namespace bandolier
