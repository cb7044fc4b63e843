#include "bandolier/agent/bank.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/agent/auto.h"
#include "testing/errors.h"

namespace bandolier::bank_test {
namespace {

constexpr Index kFeatures = 4;
constexpr Index kActions = 3;
const ProblemShape kShape{.features = kFeatures, .actions = kActions};

// Rewards linear in the features (coefficients 1 on feature `action`), or a step where it is
// positive; `shift` rotates the actions.
struct Problem {
  bool linear = true;
  float factor = 1;

  Vector<float> features(int t) const {
    Vector<float> x(kFeatures);
    Random random({.seed = 3, .purpose = Purpose::kContext, .step = static_cast<std::uint32_t>(t)});
    random.fill_normal(x);
    return x;
  }
  float reward(const Vector<float>& x, Index action, Index shift = 0) const {
    const float value = x[(action + shift) % kActions];
    return factor * (linear ? value : (std::abs(value) > 0.67f ? 1.0f : 0.0f));
  }
};

Context context_of(const Vector<float>& x) {
  return {Features::dense({x.data(), static_cast<std::size_t>(x.size())}), kActions, {}, {}};
}

struct Played {
  std::unique_ptr<Agent> agent;
  std::vector<Index> actions;
  double reward = 0;       // of all steps
  double last_reward = 0;  // of the last 200
};

Played play(const std::string& spec, const Problem& problem, int steps, int drift_at = -1) {
  Played played{make_agent(spec, kShape), {}, 0, 0};
  std::vector<Vector<float>> kept;
  std::vector<Experience> experience;
  for (int t = 0; t < 2 * kActions; ++t) kept.push_back(problem.features(t));
  for (int t = 0; t < 2 * kActions; ++t) {
    const Index action = t % kActions;
    experience.push_back({context_of(kept[static_cast<std::size_t>(t)]), action,
                          problem.reward(kept[static_cast<std::size_t>(t)], action)});
  }
  Random warm_up({.seed = 9, .purpose = Purpose::kWarmUp});
  played.agent->warm_up(experience, warm_up);
  const auto scratch = played.agent->make_scratch();
  for (int t = 2 * kActions; t < steps; ++t) {
    const Vector<float> x = problem.features(t);
    Random choose({.seed = 9, .purpose = Purpose::kChoose, .step = static_cast<std::uint32_t>(t)});
    const auto decision = played.agent->choose(context_of(x), choose, *scratch);
    const float reward = problem.reward(x, decision.action, drift_at >= 0 && t >= drift_at ? 1 : 0);
    played.actions.push_back(decision.action);
    played.reward += static_cast<double>(reward);
    if (t >= steps - 200) played.last_reward += static_cast<double>(reward);
    played.agent->observe({context_of(x), decision.action, reward, decision.ticket}, choose,
                          *scratch);
  }
  return played;
}

TEST(Bank, FindsThatALinearProblemIsLinearWithin300Rewards) {
  const auto played = play("auto:model=mlp:10,dim=10,skip=false", {}, 300);
  EXPECT_GT(played.agent->report().signals.at("weight_linear"), 0.9);
}

TEST(Bank, FindsThatAStepProblemIsNotLinearWithin500Rewards) {
  const auto played = play("auto:model=mlp:30,dim=30", {.linear = false}, 500);
  EXPECT_LT(played.agent->report().signals.at("weight_linear"), 0.1);
}

TEST(Bank, RewardsTimes128GiveTheSameActions) {
  const auto one = play("auto:model=mlp:10,dim=10", {.linear = false}, 300);
  const auto other = play("auto:model=mlp:10,dim=10", {.linear = false, .factor = 128}, 300);
  EXPECT_EQ(one.actions, other.actions);
}

TEST(Bank, WithAForgettingMemberItRecoversFromADriftWhereWithoutItDoesNot) {
  const Problem problem{.linear = true};
  const auto forgetting = play("auto:model=mlp:10,dim=10,forgetting=0.99", problem, 1500, 1000);
  const auto stubborn = play("auto:model=mlp:10,dim=10,forgetting=1", problem, 1500, 1000);
  EXPECT_GT(forgetting.last_reward, 130);  // of about 200 · E max of three normals = 169
  EXPECT_LT(stubborn.last_reward, forgetting.last_reward);
}

TEST(Bank, RefusesAScaleThatIsNoNumber) {
  EXPECT_EQ(testing::error_of([] { make_agent("auto:prior_predictive=1/x", kShape); }),
            "agent 'auto': prior_predictive=1/x: expected numbers > 0 with / between them");
}

}  // namespace
}  // namespace bandolier::bank_test
