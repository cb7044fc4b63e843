// Results of a small made-up experiment, for tests of what is said about them.
#pragma once

#include "bandolier/lab/experiment/results_store.h"

namespace bandolier::testing {

// Two agents on `wheel`, `trials` each, 10 steps of which 2 are warm-up. Trial t of `linear` earned
// 10 + t, of `uniform` (labelled "<U>") 4 + 2 t.
inline Results example_results(std::uint32_t trials = 3) {
  Results results;
  results.settings.environments = {{"wheel"}};
  results.settings.agents = {{"linear", ""}, {"uniform", "<U>"}};
  results.settings.trials = trials;
  results.environments = {{"wheel", 10, 2, 2, 5, 0, {{"note", "a note of the data"}}}};
  for (Index agent = 0; agent < 2; ++agent) {
    for (std::uint32_t trial = 0; trial < trials; ++trial) {
      TrialRecord record{0, agent, trial, {}, {}};
      TrialResult& r = record.result;
      r.steps = 10;
      r.reward = agent == 0 ? 10.0 + trial : 4.0 + 2 * trial;
      r.regret = 20 - r.reward;
      r.uniform = 5;
      r.best_fixed = 8;
      r.oracle = 20;
      r.chosen = agent == 0 ? std::vector<Index>{7, 3, 0, 0, 0} : std::vector<Index>(5, 2);
      r.curve_steps = curve_grid(r.steps);
      r.curve_reward.assign(r.curve_steps.size(), r.reward);
      r.curve_regret.assign(r.curve_steps.size(), r.regret);
      r.seconds = 0.5;
      r.step_us_p50 = 12;
      r.step_us_p99 = 34;
      r.report.belief_bytes = 2000;
      if (agent == 0) r.report.notes = {{"rewards-refused", "rewards were refused", 2}};
      results.records.push_back(record);
    }
  }
  return results;
}

inline StoredResults example_stored(const std::string& folder) {
  return {folder, example_results(), {{"bandolier", "0.1"}}, {}};
}

}  // namespace bandolier::testing
