// The loop against a trial and an agent that write down everything they are asked and told.
#include "bandolier/lab/experiment/online_loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"

namespace bandolier::online_loop_test {
namespace {

constexpr Index kActions = 3;

// Reward of action a at step t is 100·t + a; its expectation is 10·a, so that action 2 is best.
class CountingTrial : public Trial {
 public:
  CountingTrial(Index steps, Index delay) : steps_(steps), delay_(delay) {}

  Index steps() const override { return steps_; }
  Index delay() const override { return delay_; }
  Context context(Index t, ContextBuffer& buffer) const override {
    buffer.values = {static_cast<float>(t)};
    return {Features::dense(buffer.values), kActions, {}, {}};
  }
  float reward(Index t, Index action) const override {
    return static_cast<float>(100 * t + action);
  }
  float observed_reward(Index t, Index action) const override {
    return reward(t, action) + 0.5F;  // feedback is corrupted; totals must not be
  }
  void expected_rewards(Index, std::span<float> out) const override {
    for (std::size_t a = 0; a < out.size(); ++a) out[a] = 10.0F * static_cast<float>(a);
  }

 private:
  Index steps_, delay_;
};

struct Told {
  Index step, action;
  float reward;
  Index decisions_before;  // how many choices had been made
  StreamKey stream;
};

const ProblemShape kShape{1, kActions, 0, true, {}};

PolicyOptions greedy() {
  PolicyOptions options;
  options.policy = PolicyKind::kGreedy;
  return options;
}

// Likes one action alone.
struct OneAction final : Scorer {
  std::size_t best = 0;
  void mean(std::span<float> out) override {
    for (std::size_t a = 0; a < out.size(); ++a) out[a] = a == best ? 1.0F : 0.0F;
  }
  void sample(Random&, std::span<const float>, std::span<float> out) override { mean(out); }
  void deviation(std::span<float> out) override { mean(out); }
};

// Chooses (t + 1) mod 3 and remembers.
class RecordingAgent : public Agent {
 public:
  RecordingAgent() : Agent(kShape, greedy(), 0) {}
  std::unique_ptr<Agent> clone() const override { return nullptr; }

  std::vector<Told> warm, told;
  mutable std::vector<Told> chosen;
  std::vector<bool> reused;  // of told: the scratch had the decision's work

 private:
  struct Memory final : Scratch {
    OneAction scorer;
  };
  static Index step_of(const Context& context) {
    return static_cast<Index>(context.features.values[0]);
  }

  void start(std::span<const Experience> experience, Random& random) override {
    for (const auto& e : experience) {
      warm.push_back({step_of(e.context), e.action, e.reward, 0, random.key()});
      count(e, true);
    }
  }
  std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Memory>(); }
  Scorer& bind(const Context& context, Random& random, Scratch& scratch) const override {
    const Index t = step_of(context), action = (t + 1) % kActions;
    chosen.push_back({t, action, 0, 0, random.key()});
    auto& scorer = static_cast<Memory&>(scratch).scorer;
    scorer.best = static_cast<std::size_t>(action);
    return scorer;
  }
  bool learn(const Experience& e, bool bound, Random& random, Scratch&) override {
    told.push_back(
        {step_of(e.context), e.action, e.reward, static_cast<Index>(chosen.size()), random.key()});
    reused.push_back(bound);
    return true;
  }
  void describe(AgentReport&) const override {}
  void save_state(ArchiveWriter&) const override {}
  void load_state(const ArchiveReader&) override {}
};

LoopOptions options(Index pulls) {
  LoopOptions options;
  options.seed = 9;
  options.trial = 4;
  options.warmup_pulls = pulls;
  return options;
}

TEST(OnlineLoop, WarmUpPullsEveryActionInTurnAndShowsThePulledOnesObservedRewardOnly) {
  RecordingAgent agent;
  run_trial(CountingTrial(20, 0), kShape, agent, options(2));
  ASSERT_EQ(agent.warm.size(), 6U);
  for (Index t = 0; t < 6; ++t) {
    const Told& told = agent.warm[static_cast<std::size_t>(t)];
    EXPECT_EQ(told.step, t);
    EXPECT_EQ(told.action, t % kActions);
    EXPECT_EQ(told.reward, static_cast<float>(100 * t + t % kActions) + 0.5F);
  }
}

TEST(OnlineLoop, FullFeedbackShowsEveryActionsRewardInWarmUpAndNowhereElse) {
  RecordingAgent agent;
  LoopOptions full = options(2);
  full.warmup_feedback = WarmupFeedback::kFull;
  run_trial(CountingTrial(20, 0), kShape, agent, full);
  EXPECT_EQ(agent.warm.size(), 6U * kActions);
  EXPECT_EQ(agent.told.size(), 14U);
}

TEST(OnlineLoop, AnAgentIsToldOfEachDecisionOnceWithItsOwnRewardAndTicket) {
  RecordingAgent agent;
  run_trial(CountingTrial(20, 0), kShape, agent, options(2));
  ASSERT_EQ(agent.told.size(), 14U);
  for (std::size_t i = 0; i < agent.told.size(); ++i) {
    const Index t = static_cast<Index>(i) + 6;
    EXPECT_EQ(agent.told[i].step, t);
    EXPECT_EQ(agent.told[i].action, (t + 1) % kActions);
    EXPECT_EQ(agent.told[i].reward, static_cast<float>(100 * t + (t + 1) % kActions) + 0.5F);
    EXPECT_EQ(agent.told[i].decisions_before, static_cast<Index>(i) + 1);
    EXPECT_TRUE(agent.reused[i]);
  }
}

TEST(OnlineLoop, TotalsAreOfCleanRewardsWithWarmUpCountedOnce) {
  RecordingAgent agent;
  const TrialResult result = run_trial(CountingTrial(20, 0), kShape, agent, options(2));
  double reward = 0, regret = 0;
  for (Index t = 0; t < 20; ++t) {
    const Index action = t < 6 ? t % kActions : (t + 1) % kActions;
    reward += static_cast<double>(100 * t + action);
    regret += static_cast<double>(20 - 10 * action);
  }
  EXPECT_EQ(result.steps, 20);
  EXPECT_DOUBLE_EQ(result.reward, reward);
  EXPECT_DOUBLE_EQ(result.regret, regret);
  EXPECT_DOUBLE_EQ(result.uniform, 200);
  EXPECT_DOUBLE_EQ(result.best_fixed, 400);
  EXPECT_DOUBLE_EQ(result.oracle, 400);
  EXPECT_EQ(result.report.steps, 20);
}

// Action 0 is available at odd steps alone.
class MenuTrial final : public CountingTrial {
 public:
  using CountingTrial::CountingTrial;
  Context context(Index t, ContextBuffer& buffer) const override {
    Context context = CountingTrial::context(t, buffer);
    buffer.available = {static_cast<std::uint8_t>(t % 2), 1, 1};
    context.available = buffer.available;
    return context;
  }
  float reward(Index t, Index action) const override {
    EXPECT_TRUE(action != 0 || t % 2 == 1) << "step " << t;
    return CountingTrial::reward(t, action);
  }
};

TEST(OnlineLoop, CountsHowOftenEachActionWasChosenWarmUpIncluded) {
  RecordingAgent agent;
  EXPECT_EQ(run_trial(CountingTrial(20, 0), kShape, agent, options(2)).chosen,
            (std::vector<Index>{6, 7, 7}));
}

TEST(OnlineLoop, PullsAndCountsWhatIsAvailableAndNothingElse) {
  const auto agent = make_agent("uniform", kShape);
  LoopOptions full = options(2);
  full.warmup_feedback = WarmupFeedback::kFull;
  const TrialResult result = run_trial(MenuTrial(20, 0), kShape, *agent, full);
  EXPECT_DOUBLE_EQ(result.uniform, 10 * 15 + 10 * 10);
  EXPECT_DOUBLE_EQ(result.oracle, 400);
  EXPECT_DOUBLE_EQ(result.best_fixed, 400);
}

TEST(OnlineLoop, ADelayOfFiveTellsEveryRewardFiveDecisionsLaterAndLosesTheLastFive) {
  RecordingAgent agent;
  const TrialResult result = run_trial(CountingTrial(20, 5), kShape, agent, options(2));
  ASSERT_EQ(agent.told.size(), 9U);
  for (std::size_t i = 0; i < agent.told.size(); ++i) {
    const Index t = static_cast<Index>(i) + 6;
    EXPECT_EQ(agent.told[i].step, t);
    EXPECT_EQ(agent.told[i].action, (t + 1) % kActions);
    EXPECT_EQ(agent.told[i].reward, static_cast<float>(100 * t + (t + 1) % kActions) + 0.5F);
    EXPECT_EQ(agent.told[i].decisions_before, static_cast<Index>(i) + 6);
    EXPECT_EQ(agent.told[i].stream.step, static_cast<std::uint32_t>(t));
    EXPECT_FALSE(agent.reused[i]);
  }
  RecordingAgent prompt;
  EXPECT_DOUBLE_EQ(result.reward,
                   run_trial(CountingTrial(20, 0), kShape, prompt, options(2)).reward);
}

TEST(OnlineLoop, StreamsAreKeyedBySeedTrialPurposeAndStep) {
  RecordingAgent agent;
  run_trial(CountingTrial(10, 0), kShape, agent, options(1));
  EXPECT_EQ(agent.warm.front().stream.purpose, Purpose::kWarmUp);
  for (const auto& chosen : agent.chosen) {
    EXPECT_EQ(chosen.stream.seed, 9U);
    EXPECT_EQ(chosen.stream.trial, 4U);
    EXPECT_EQ(chosen.stream.purpose, Purpose::kChoose);
    EXPECT_EQ(chosen.stream.step, static_cast<std::uint32_t>(chosen.step));
  }
  for (const auto& told : agent.told) {
    EXPECT_EQ(told.stream.purpose, Purpose::kObserve);
    EXPECT_EQ(told.stream.step, static_cast<std::uint32_t>(told.step));
  }
}

TEST(OnlineLoop, CurveHasTwoHundredPointsOfWhichTheLastIsTheTotal) {
  RecordingAgent agent;
  const TrialResult result = run_trial(CountingTrial(1003, 0), kShape, agent, options(2));
  ASSERT_EQ(result.curve_steps.size(), 200U);
  EXPECT_EQ(result.curve_steps.back(), 1003);
  EXPECT_DOUBLE_EQ(result.curve_reward.back(), result.reward);
  EXPECT_DOUBLE_EQ(result.curve_regret.back(), result.regret);
  for (std::size_t i = 1; i < 200; ++i) EXPECT_LT(result.curve_steps[i - 1], result.curve_steps[i]);
}

TEST(OnlineLoop, AShortTrialHasOneCurvePointAStep) {
  RecordingAgent agent;
  const TrialResult result = run_trial(CountingTrial(7, 0), kShape, agent, options(1));
  EXPECT_EQ(result.curve_steps, (std::vector<Index>{1, 2, 3, 4, 5, 6, 7}));
}

TEST(OnlineLoop, AWarmUpLongerThanTheTrialIsAnError) {
  RecordingAgent agent;
  EXPECT_THROW(run_trial(CountingTrial(5, 0), kShape, agent, options(2)), Error);
}

TEST(OnlineLoop, AWarmUpAsLongAsTheTrialChoosesNothing) {
  RecordingAgent agent;
  EXPECT_EQ(run_trial(CountingTrial(6, 0), kShape, agent, options(2)).steps, 6);
  EXPECT_TRUE(agent.chosen.empty());
}

TEST(OnlineLoop, AStopRequestEndsTheTrialByThrowingStopped) {
  RecordingAgent agent;
  const std::atomic<bool> stop{true};
  const StopScope scope(&stop);
  EXPECT_THROW(run_trial(CountingTrial(20, 0), kShape, agent, options(2)), Stopped);
}

TEST(OnlineLoop, ChangingActionsHaveNoBestFixedAction) {
  RecordingAgent agent;
  ProblemShape changing = kShape;
  changing.fixed_actions = false;
  const TrialResult result = run_trial(CountingTrial(20, 0), changing, agent, options(1));
  EXPECT_TRUE(std::isnan(result.best_fixed));
  EXPECT_TRUE(result.chosen.empty());
}

}  // namespace
}  // namespace bandolier::online_loop_test
