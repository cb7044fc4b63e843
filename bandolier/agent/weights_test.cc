// Rewards that count more or less than once.
#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/agent/registry.h"
#include "testing/errors.h"

namespace bandolier::weights_test {
namespace {

struct Row {
  std::vector<float> x;
  Index action;
  float reward;
};

Row row(int t) {
  Random random({.seed = 5, .step = static_cast<std::uint32_t>(t)});
  Row one{{static_cast<float>(random.normal()), static_cast<float>(random.normal())},
          static_cast<Index>(random.below(2)),
          0};
  one.reward = one.x[static_cast<std::size_t>(one.action)] + 0.1f * static_cast<float>(t % 3);
  return one;
}

Context context_of(const Row& row) { return {Features::dense(row.x), 2, {}, {}}; }

// After 60 rewards, the later ones taken `times` times with the weight `weight`: scores at a probe.
std::vector<float> scores(const std::string& spec, int times, float weight) {
  const auto agent = make_agent(spec, {.features = 2, .actions = 2});
  Random random({.seed = 6});
  agent->warm_up({}, random);
  const auto scratch = agent->make_scratch();
  for (int t = 0; t < 60; ++t) {
    const Row one = row(t);
    // The first set the agent up by their number.
    for (int i = 0; i < (t < 40 ? 1 : times); ++i) {
      EXPECT_TRUE(agent->observe({context_of(one), one.action, one.reward, 0, t < 40 ? 1 : weight},
                                 random, *scratch));
    }
  }
  const Row probe = row(1000);
  const auto decision = agent->choose(context_of(probe), random, *scratch);
  return {decision.scores.begin(), decision.scores.end()};
}

class Weights : public ::testing::TestWithParam<const char*> {};

// Exact for a linear model of a known unit: weight 3 is the same reward three times. The noise is
// given, since where it is inferred three rewards tell more of it than their errors.
TEST_P(Weights, OfThreeAreThreeTimesTheSameReward) {
  const auto once = scores(GetParam(), 1, 1), thrice = scores(GetParam(), 3, 1),
             weighted = scores(GetParam(), 1, 3);
  for (std::size_t a = 0; a < 2; ++a) {
    EXPECT_NEAR(weighted[a], thrice[a], 1e-4) << a;
    EXPECT_GT(std::abs(weighted[a] - once[a]), 1e-3) << a;
  }
}

INSTANTIATE_TEST_SUITE_P(
    LinearModels, Weights,
    ::testing::Values("linear:noise_variance=0.5,policy=greedy,reward_offset=0",
                      "ekf:model=linear,noise_variance=0.5,policy=greedy,reward_unit=1,"
                      "reward_offset=0"));

TEST(Weight, OfABatchIsThatOfEachReward) {
  std::vector<Row> rows;
  std::vector<Feedback> feedback;
  for (int t = 0; t < 80; ++t) rows.push_back(row(t));
  for (const Row& one : rows) {
    const float weight = feedback.size() % 7 == 6 ? 2.5f : 1;
    feedback.push_back({context_of(one), one.action, one.reward, 0, weight});
  }
  for (const char* spec : {"linear", "auto"}) {
    std::vector<float> found[2];
    for (const bool batch : {false, true}) {
      const auto agent = make_agent(spec, {.features = 2, .actions = 2});
      Random random({.seed = 6});
      agent->warm_up({}, random);
      const auto scratch = agent->make_scratch();
      if (batch) {
        EXPECT_EQ(agent->observe_batch(feedback, random, *scratch), 0u);
      } else {
        for (const Feedback& one : feedback) agent->observe(one, random, *scratch);
      }
      Random same({.seed = 7});
      const auto decision = agent->choose(context_of(rows[0]), same, *scratch);
      found[batch].assign(decision.scores.begin(), decision.scores.end());
    }
    for (std::size_t a = 0; a < 2; ++a) EXPECT_NEAR(found[0][a], found[1][a], 2e-3) << spec;
  }
}

TEST(Weight, IsRefusedWhereItIsWrongOrTheAgentTakesNone) {
  const auto agent = make_agent("neural-greedy:model=mlp:5", {.features = 2, .actions = 2});
  Random random({.seed = 6});
  agent->warm_up({}, random);
  const auto scratch = agent->make_scratch();
  const Row one = row(0);
  const auto error = [&](float weight) {
    return testing::error_of([&] {
      agent->observe({context_of(one), 0, 1, 0, weight}, random, *scratch);
    });
  };
  EXPECT_NE(error(2).find("agent 'neural-greedy' takes no weights"), std::string::npos);
  EXPECT_NE(error(0).find("the weight of a reward is 0: expected 1e-06 to 1000000"),
            std::string::npos);
  EXPECT_NE(error(std::nanf("")).find("the weight of a reward is nan"), std::string::npos);
}

}  // namespace
}  // namespace bandolier::weights_test
