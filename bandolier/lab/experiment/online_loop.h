// Algorithm 1 of the paper, once: warm up, then decide, earn and learn, step by step. The only
// place where an agent and an environment meet.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bandolier/agent/agent.h"
#include "bandolier/core/words.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/log/logged_decision.h"

namespace bandolier {

// bandit: an agent sees the reward of the pulled action and nothing else. full: in warm-up it sees
// every action's reward (the label leak of the paper's released code); marked in every output.
enum class WarmupFeedback { kBandit, kFull };
inline Words words_of(WarmupFeedback) {
  static constexpr std::string_view kWords[] = {"bandit", "full"};
  return kWords;
}

struct LoopOptions {
  std::uint64_t seed = 0;
  std::uint32_t trial = 0;
  Index warmup_pulls = 2;  // of every action in turn
  WarmupFeedback warmup_feedback = WarmupFeedback::kBandit;
  Index curve_points = 200;
  bool probabilities = false;  // actions are drawn from probabilities that are known
};

// The steps at which a trial's curve has its points: point i stands at ceil((i + 1)·steps /
// points), so that the last is the last step. At most one per step.
std::vector<Index> curve_grid(Index steps, Index points = LoopOptions{}.curve_points);

// Totals over all steps, warm-up included once.
struct TrialResult {
  Index steps = 0;
  double reward = 0;          // clean rewards of the chosen actions
  double regret = 0;          // Σ max_a E r_a − E r_chosen
  double uniform = 0;         // Σ mean_a E r_a
  double best_fixed = 0;      // max_a Σ E r_a; NaN where the actions change from step to step
  double oracle = 0;          // Σ max_a E r_a
  std::vector<Index> chosen;  // how often each action was; empty where actions change
  std::vector<Index> curve_steps;
  std::vector<double> curve_reward, curve_regret;  // cumulative, at curve_steps

  // Clock readings.
  double seconds = 0, warmup_seconds = 0, choose_seconds = 0, observe_seconds = 0;
  double cpu_seconds = 0;                   // of `seconds`, on a processor: neighbours matter less
  double step_us_p50 = 0, step_us_p99 = 0;  // NaN where warm-up was all and nothing was decided

  AgentReport report;
};

// Steps that the warm-up takes: warmup_pulls of each action.
Index warmup_steps(const LoopOptions& options, const ProblemShape& shape);

// An agent that has warmed up or was loaded already decides from the first step on.
// Rewards are told `trial.delay()` steps late; the warm-up is a pilot that is over when its rewards
// are in, and what has not arrived by the last step is never told. Streams are those of (seed,
// trial, step): kWarmUp at step 0, kChoose and kObserve at the decision's step.
// `progress(steps done)` is called now and then; a stop (core/stop.h) ends the trial by throwing
// Stopped, and the agent is to be dropped; `log` is told every step, nameless, where decisions have
// probabilities; of a pull of the warm-up they are 1 and 0. Rewards are as the agent is told them,
// however late.
TrialResult run_trial(const Trial& trial, const ProblemShape& shape, Agent& agent,
                      const LoopOptions& options, const std::function<void(Index)>& progress = {},
                      const std::function<void(const LoggedDecision&)>& log = {});

}  // namespace bandolier
