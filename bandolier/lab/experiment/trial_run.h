// One trial of an experiment by itself, here or on another machine: what run_experiment does for
// each. Its result depends on these arguments alone.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bandolier/lab/experiment/online_loop.h"
#include "bandolier/lab/experiment/settings.h"

namespace bandolier {

struct TrialRun {
  std::string error;  // why it failed; empty: it did not
  TrialResult result;
  std::unique_ptr<Agent> agent;  // as the trial left it
  std::unique_ptr<Trial> trial;
};

// Throws Stopped where it is stopped, and nothing else.
TrialRun play_trial(const ExperimentSettings& settings, const std::string& agent,
                    const Environment& environment, Index steps, std::uint32_t trial,
                    const std::function<void(Index)>& progress = {},
                    const std::function<void(const LoggedDecision&)>& log = {});

// Calls work(); why it failed, or "". Stopped goes on.
std::string failure_of(const std::function<void()>& work);

}  // namespace bandolier
