// Decisions drawn from probabilities that are known: what Policy::decide says is what it does, and
// what it does is what Policy::choose does.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "bandolier/policy/policy.h"

namespace bandolier::decide_test {
namespace {

// Normals of given means and deviations: independent, or with a part that all share.
struct NormalScorer final : Scorer {
  std::vector<float> means, deviations;
  float shared = 0;

  NormalScorer(std::vector<float> m, std::vector<float> d, float common = 0)
      : means(std::move(m)), deviations(std::move(d)), shared(common) {}
  void mean(std::span<float> out) override { std::copy(means.begin(), means.end(), out.begin()); }
  void sample(Random& random, std::span<const float> temperature, std::span<float> out) override {
    const float all = shared * static_cast<float>(random.normal());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] =
          means[i] + all + temperature[i] * deviations[i] * static_cast<float>(random.normal());
    }
  }
  bool normals(Random&, std::span<const float> temperature, std::span<float> mean,
               std::span<float> deviation) override {
    if (shared != 0) return false;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] = means[i];
      deviation[i] = temperature[i] * deviations[i];
    }
    return true;
  }
  void deviation(std::span<float> out) override {
    std::copy(deviations.begin(), deviations.end(), out.begin());
  }
};

PolicyOptions options_of(const OptionTexts& texts) {
  return policy_options().parse("agent 'test'", texts);
}

struct Tally {
  std::vector<double> taken, said;  // shares of decisions, mean probabilities
};

// How often each action is taken in so many decisions, and how probable it was said to be.
Tally play(const Policy& policy, Scorer& scorer, const Context& context, bool decide, int count) {
  Scratch scratch;
  const auto actions = static_cast<std::size_t>(context.actions);
  Tally tally{std::vector<double>(actions), std::vector<double>(actions)};
  for (int i = 0; i < count; ++i) {
    Random random({.seed = decide ? 3u : 4u, .step = static_cast<std::uint32_t>(i)});
    const Pulls pulls(context.actions);
    const Decision decision = decide ? policy.decide(scorer, context, pulls, random, scratch)
                                     : policy.choose(scorer, context, pulls, random, scratch);
    tally.taken[static_cast<std::size_t>(decision.action)] += 1.0 / count;
    if (!decide) continue;
    EXPECT_NEAR(std::accumulate(decision.probabilities.begin(), decision.probabilities.end(), 0.0),
                1, 1e-9);
    EXPECT_EQ(*decision.propensity,
              decision.probabilities[static_cast<std::size_t>(decision.action)]);
    for (std::size_t a = 0; a < actions; ++a) tally.said[a] += decision.probabilities[a] / count;
  }
  return tally;
}

// χ² of shares of `count` draws.
double chi_squared(const std::vector<double>& shares, const std::vector<double>& q, int count) {
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] > 0) sum += count * (shares[i] - q[i]) * (shares[i] - q[i]) / q[i];
  }
  return sum;
}

struct Case {
  const char* name;
  OptionTexts options;
  float shared;
};

class EveryPolicy : public ::testing::TestWithParam<Case> {
 protected:
  static constexpr int kCount = 100'000;
  NormalScorer scorer{{0.1f, 0.4f, 0.4f, -0.2f}, {1, 0.3f, 0.3f, 2}, GetParam().shared};
};

TEST_P(EveryPolicy, TakesActionsAsOftenAsItSaysAndAsChooseDoes) {
  const Policy policy(options_of(GetParam().options));
  Context context;
  context.actions = 4;
  const Tally decided = play(policy, scorer, context, true, kCount);
  const Tally chosen = play(policy, scorer, context, false, kCount);
  // 3 degrees of freedom: above 21.1 once in 10⁴.
  EXPECT_LT(chi_squared(decided.taken, decided.said, kCount), 21.1);
  EXPECT_LT(chi_squared(chosen.taken, decided.said, kCount), 21.1);
}

TEST_P(EveryPolicy, NeverTakesWhatIsNotAvailable) {
  const Policy policy(options_of(GetParam().options));
  const std::vector<std::uint8_t> available = {1, 0, 1, 0};
  Context context;
  context.actions = 4;
  context.available = available;
  constexpr int kFew = 20'000;
  const Tally decided = play(policy, scorer, context, true, kFew);
  const Tally chosen = play(policy, scorer, context, false, kFew);
  for (const std::size_t closed : {1u, 3u}) {
    EXPECT_EQ(decided.taken[closed], 0);
    EXPECT_EQ(decided.said[closed], 0);
    EXPECT_EQ(chosen.taken[closed], 0);
  }
  EXPECT_LT(chi_squared(decided.taken, decided.said, kFew), 15.2);  // 1 degree of freedom, 10⁻⁴
  EXPECT_LT(chi_squared(chosen.taken, decided.said, kFew), 15.2);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, EveryPolicy,
    ::testing::Values(
        Case{"thompson", {{"temperature", "1"}}, 0}, Case{"pulls", {}, 0},
        Case{"floor", {{"temperature", "0.1"}, {"exploration_floor", "0.2"}}, 0},
        Case{"optimism", {{"optimism", "0.5"}}, 0}, Case{"correlated", {{"temperature", "1"}}, 1},
        Case{"greedy", {{"policy", "greedy"}}, 0},
        Case{"ucb", {{"policy", "ucb"}, {"exploration_floor", "0.1"}}, 0},
        Case{"epsilon_greedy",
             {{"policy", "epsilon-greedy"}, {"epsilon", "0.3"}, {"exploration_floor", "0.1"}},
             0},
        Case{"uniform", {{"policy", "uniform"}}, 0}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Decide, TheFloorGivesEveryAllowedActionItsShare) {
  NormalScorer scorer({0, 100, 0}, {1, 1, 1});
  const std::vector<std::uint8_t> available = {1, 1, 0};
  Context context;
  context.actions = 3;
  context.available = available;
  Scratch scratch;
  Random random({.seed = 1});
  const Policy policy(options_of({{"temperature", "1"}, {"exploration_floor", "0.1"}}));
  const Decision decision = policy.decide(scorer, context, Pulls(3), random, scratch);
  EXPECT_DOUBLE_EQ(decision.probabilities[0], 0.05);
  EXPECT_DOUBLE_EQ(decision.probabilities[1], 0.95);
  EXPECT_EQ(decision.probabilities[2], 0);
}

TEST(Decide, SharesOfSamplesHaveFullSupportOnlyWithAFloor) {
  NormalScorer apart({0, 9}, {1, 1}), together({0, 9}, {1, 1}, 1);
  Context context;
  context.actions = 2;
  Scratch scratch;
  Random random({.seed = 1});
  const Policy plain(options_of({})), floored(options_of({{"exploration_floor", "0.01"}}));
  EXPECT_TRUE(plain.decide(apart, context, Pulls(2), random, scratch).full_support);
  EXPECT_FALSE(plain.decide(together, context, Pulls(2), random, scratch).full_support);
  EXPECT_TRUE(floored.decide(together, context, Pulls(2), random, scratch).full_support);
}

}  // namespace
}  // namespace bandolier::decide_test
