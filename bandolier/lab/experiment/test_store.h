// A small experiment with made-up results, and a folder of its own to keep them in, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <memory>

#include "bandolier/core/file.h"
#include "bandolier/lab/experiment/results_store.h"
#include "testing/temporary.h"

namespace bandolier::testing {

inline ExperimentSettings settings() {
  ExperimentSettings settings;
  settings.environments = {{"wheel:delta=0.9"}};
  settings.agents = {{"linear", "L"}, {"subspace-ekf:dim=20,basis=svd", ""}};
  settings.trials = 2;
  settings.seed = 3;
  return settings;
}

inline std::vector<EnvironmentFacts> facts() {
  return {{"wheel:delta=0.9", 100, 10, 2, 5, 0, {{"note", "a note"}}}};
}

inline TrialRecord record(Index agent, std::uint32_t trial) {
  TrialRecord record{0, agent, trial, {}, {}};
  TrialResult& r = record.result;
  r.steps = 100;
  r.reward = 10.25 + static_cast<double>(agent) + trial;
  r.regret = 1.0 / 3;
  r.uniform = 5;
  r.best_fixed = trial == 0 ? 6 : std::numeric_limits<double>::quiet_NaN();
  r.oracle = 20;
  r.chosen = {40, 30, 20, 10, 0};
  r.curve_steps = curve_grid(r.steps);
  r.curve_reward.assign(r.curve_steps.size(), r.reward);
  r.curve_regret.assign(r.curve_steps.size(), r.regret);
  r.seconds = 0.5 + trial;
  r.warmup_seconds = 0.1;
  r.choose_seconds = 0.2;
  r.observe_seconds = 0.15;
  r.step_us_p50 = 10;
  r.step_us_p99 = 30;
  r.report.belief_bytes = 1234;
  r.report.parameters = 99;
  r.report.notes = {{"one", "one, with a comma"}, {"two", "two \"quoted\" | 3", 2}};
  r.report.signals = {{"calibration", 1.5}, {"drift", 0.25}};
  return record;
}

class StoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<ResultsStore> open() const {
    return std::make_unique<ResultsStore>(folder, settings(), facts());
  }
  std::string bytes(const char* name) const { return read_file(folder / name); }
  void cut(const char* name, std::uintmax_t count) const {
    std::filesystem::resize_file(folder / name, std::filesystem::file_size(folder / name) - count);
  }
  void write_all(const std::vector<std::pair<Index, std::uint32_t>>& order) const {
    auto store = open();
    for (const auto& [agent, trial] : order) store->append(record(agent, trial));
    store->complete();
  }

  TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
};

}  // namespace bandolier::testing
