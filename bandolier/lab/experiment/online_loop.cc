#include "bandolier/lab/experiment/online_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <utility>

#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"
#include "bandolier/lab/experiment/latency_histogram.h"

namespace bandolier {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// A trial runs on one thread, so that this is all that it took.
double thread_cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What the evaluator knows and an agent never does: sums of expected rewards, and the curve.
class Evaluator {
 public:
  Evaluator(const Trial& trial, const ProblemShape& shape, Index curve_points, TrialResult& result)
      : trial_(trial),
        fixed_actions_(shape.fixed_actions),
        grid_(curve_grid(trial.steps(), curve_points)),
        expected_(static_cast<std::size_t>(shape.actions)),
        totals_(static_cast<std::size_t>(shape.actions)),
        result_(result) {
    if (fixed_actions_) result_.chosen.resize(totals_.size());
  }

  void score(Index t, const Context& context, Index action) {
    const float reward = trial_.reward(t, action);
    if (!std::isfinite(reward)) fail("step {}: the reward of action {} is {}", t, action, reward);
    const std::span<float> expected(expected_.data(), static_cast<std::size_t>(context.actions));
    trial_.expected_rewards(t, expected);
    double best = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t a = 0; a < expected.size(); ++a) {
      if (!context.allows(static_cast<Index>(a))) {
        totals_[a] = -std::numeric_limits<double>::infinity();
        continue;
      }
      best = std::max(best, static_cast<double>(expected[a]));
      sum += static_cast<double>(expected[a]);
      totals_[a] += static_cast<double>(expected[a]);
    }
    if (fixed_actions_) ++result_.chosen[static_cast<std::size_t>(action)];
    result_.reward += static_cast<double>(reward);
    result_.regret += best - static_cast<double>(expected[static_cast<std::size_t>(action)]);
    result_.uniform += sum / static_cast<double>(context.allowed());
    result_.oracle += best;
    if (t + 1 == grid_[result_.curve_steps.size()]) {
      result_.curve_steps.push_back(t + 1);
      result_.curve_reward.push_back(result_.reward);
      result_.curve_regret.push_back(result_.regret);
    }
  }

  // Best fixed: of the actions that were always available.
  void finish() {
    const double best = *std::max_element(totals_.begin(), totals_.end());
    result_.best_fixed =
        fixed_actions_ && std::isfinite(best) ? best : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  const Trial& trial_;
  bool fixed_actions_;
  std::vector<Index> grid_;
  std::vector<float> expected_;
  std::vector<double> totals_;
  TrialResult& result_;
};

}  // namespace

std::vector<Index> curve_grid(Index steps, Index points) {
  points = std::min(points, steps);
  std::vector<Index> grid;
  for (Index i = 1; i <= points; ++i) grid.push_back((i * steps + points - 1) / points);
  return grid;
}

Index warmup_steps(const LoopOptions& options, const ProblemShape& shape) {
  return options.warmup_pulls * shape.actions;
}

TrialResult run_trial(const Trial& trial, const ProblemShape& shape, Agent& agent,
                      const LoopOptions& options, const std::function<void(Index)>& progress,
                      const std::function<void(const LoggedDecision&)>& log) {
  const Index steps = trial.steps();
  const Index warmup = agent.started() ? 0 : warmup_steps(options, shape);
  if (warmup > steps) {
    fail(
        "warm-up takes {} steps ({} pulls of {} actions) and the trial has {}: "
        "give more steps or fewer warm-up pulls",
        warmup, options.warmup_pulls, shape.actions, steps);
  }
  const auto stream = [&options](Purpose purpose, Index step) {
    return Random({options.seed, purpose, options.trial, static_cast<std::uint32_t>(step)});
  };

  const auto start = Clock::now();
  const double cpu_start = thread_cpu_seconds();
  TrialResult result;
  result.steps = steps;
  Evaluator evaluator(trial, shape, options.curve_points, result);

  // Warm-up: every action in turn.
  std::vector<ContextBuffer> buffers(static_cast<std::size_t>(warmup));
  std::vector<Experience> experience;
  std::vector<double> certain(static_cast<std::size_t>(shape.actions));
  for (Index t = 0; t < warmup; ++t) {
    throw_if_stopped();
    const Context context = trial.context(t, buffers[static_cast<std::size_t>(t)]);
    Index pulled = t % context.actions;
    while (!context.allows(pulled)) pulled = (pulled + 1) % context.actions;
    if (options.warmup_feedback == WarmupFeedback::kFull) {
      for (Index a = 0; a < context.actions; ++a) {
        if (context.allows(a)) experience.push_back({context, a, trial.observed_reward(t, a)});
      }
    } else {
      experience.push_back({context, pulled, trial.observed_reward(t, pulled)});
    }
    evaluator.score(t, context, pulled);
    if (log) {
      std::fill(certain.begin(), certain.end(), 0.0);
      certain[static_cast<std::size_t>(pulled)] = 1;
      log({"", t, context, pulled, certain, trial.observed_reward(t, pulled), true, true});
    }
  }
  const auto before_warmup = Clock::now();
  Random warmup_random = stream(Purpose::kWarmUp, 0);
  if (!agent.started()) agent.warm_up(experience, warmup_random);
  result.warmup_seconds = seconds_between(before_warmup, Clock::now());
  experience.clear();
  buffers.clear();

  // Decide, earn, learn.
  const Index delay = std::min(trial.delay(), steps);           // what comes later is never told
  std::vector<Index> actions(static_cast<std::size_t>(delay));  // of the last `delay` decisions
  ContextBuffer buffer, past_buffer;
  LatencyHistogram latency;
  const auto scratch = agent.make_scratch();
  const Index progress_interval = std::max<Index>(1, steps / 100);
  for (Index t = warmup; t < steps; ++t) {
    throw_if_stopped();
    const Context context = trial.context(t, buffer);
    Random choose_random = stream(Purpose::kChoose, t);
    const auto before_choose = Clock::now();
    const Decision decision = options.probabilities
                                  ? agent.decide(context, choose_random, *scratch)
                                  : agent.choose(context, choose_random, *scratch);
    const double choose_seconds = seconds_between(before_choose, Clock::now());
    if (decision.action < 0 || decision.action >= context.actions ||
        !context.allows(decision.action)) {
      fail("step {}: the agent chose action {} of {}", t, decision.action, context.actions);
    }
    evaluator.score(t, context, decision.action);
    if (log) {
      log({"", t, context, decision.action, decision.probabilities,
           trial.observed_reward(t, decision.action), false, decision.full_support});
    }

    // The feedback that arrives now: this step's, or that of `delay` steps ago.
    const Index told = t - delay;
    Feedback feedback{context, decision.action, 0, decision.ticket};
    if (delay > 0) {
      Index& slot = actions[static_cast<std::size_t>(t % delay)];
      feedback.action = std::exchange(slot, decision.action);
      feedback.ticket = 0;
      if (told >= warmup) feedback.context = trial.context(told, past_buffer);
    }
    double observe_seconds = 0;
    if (told >= warmup) {
      feedback.reward = trial.observed_reward(told, feedback.action);
      Random observe_random = stream(Purpose::kObserve, told);
      const auto before_observe = Clock::now();
      agent.observe(feedback, observe_random, *scratch);
      observe_seconds = seconds_between(before_observe, Clock::now());
    }
    result.choose_seconds += choose_seconds;
    result.observe_seconds += observe_seconds;
    latency.add(choose_seconds + observe_seconds);
    if (progress && (t + 1) % progress_interval == 0) progress(t + 1);
  }
  evaluator.finish();
  const auto quantile = [&](double share) {
    return steps > warmup ? latency.quantile(share) * 1e6
                          : std::numeric_limits<double>::quiet_NaN();
  };
  result.step_us_p50 = quantile(0.5);
  result.step_us_p99 = quantile(0.99);
  result.report = agent.report();
  result.seconds = seconds_between(start, Clock::now());
  result.cpu_seconds = thread_cpu_seconds() - cpu_start;
  return result;
}

}  // namespace bandolier
