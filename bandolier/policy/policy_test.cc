#include "bandolier/policy/policy.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::policy_test {
namespace {

// Means and deviations as given; a sample is mean + temperature · deviation.
struct FixedScorer final : Scorer {
  std::vector<float> means, deviations;

  FixedScorer(std::vector<float> m, std::vector<float> d)
      : means(std::move(m)), deviations(std::move(d)) {}
  void mean(std::span<float> out) override { std::copy(means.begin(), means.end(), out.begin()); }
  void sample(Random&, std::span<const float> temperature, std::span<float> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = means[i] + temperature[i] * deviations[i];
    }
  }
  void deviation(std::span<float> out) override {
    std::copy(deviations.begin(), deviations.end(), out.begin());
  }
};

Context context_of(Index actions) {
  Context context;
  context.actions = actions;
  return context;
}

PolicyOptions options_of(const OptionTexts& texts) {
  return policy_options().parse("agent 'test'", texts);
}

struct Chooser {
  Scratch scratch;
  Random random{{.seed = 7}};

  Decision operator()(const Policy& policy, Scorer& scorer, Index actions) {
    return (*this)(policy, scorer, Pulls(actions), actions);
  }
  Decision operator()(const Policy& policy, Scorer& scorer, const Pulls& pulls, Index actions) {
    return policy.choose(scorer, context_of(actions), pulls, random, scratch);
  }
};

TEST(Policy, GreedyTakesTheBestMeanWithProbabilityOne) {
  const Policy policy(options_of({{"policy", "greedy"}}));
  FixedScorer scorer({1, 3, 2}, {9, 0, 9});
  Chooser choose;
  const Decision decision = choose(policy, scorer, 3);
  EXPECT_EQ(decision.action, 1);
  EXPECT_EQ(decision.propensity, 1.0);
  EXPECT_EQ(decision.scores.size(), 3u);
  EXPECT_EQ(decision.scores[2], 2);
}

TEST(Policy, GreedyBreaksTiesUniformlyAndSaysSo) {
  const Policy policy(options_of({{"policy", "greedy"}}));
  FixedScorer scorer({3, 1, 3, 3}, {0, 0, 0, 0});
  Chooser choose;
  std::vector<int> counts(4);
  for (int i = 0; i < 3000; ++i) {
    const Decision decision = choose(policy, scorer, 4);
    ++counts[static_cast<std::size_t>(decision.action)];
    EXPECT_DOUBLE_EQ(*decision.propensity, 1.0 / 3);
  }
  EXPECT_EQ(counts[1], 0);
  for (const std::size_t i : {0u, 2u, 3u}) EXPECT_NEAR(counts[i], 1000, 130);  // five deviations
}

TEST(Policy, EpsilonGreedyPropensitiesAreTheFrequenciesOfItsChoices) {
  const Policy policy(options_of({{"policy", "epsilon-greedy"}, {"epsilon", "0.3"}}));
  FixedScorer scorer({1, 5, 5}, {0, 0, 0});
  Chooser choose;
  std::vector<double> counts(3), propensity(3);
  constexpr int kSteps = 20000;
  for (int i = 0; i < kSteps; ++i) {
    const Decision decision = choose(policy, scorer, 3);
    const auto action = static_cast<std::size_t>(decision.action);
    ++counts[action];
    propensity[action] = *decision.propensity;
  }
  EXPECT_NEAR(propensity[0], 0.1, 1e-12);
  EXPECT_NEAR(propensity[1], 0.45, 1e-12);
  EXPECT_NEAR(propensity[2], 0.45, 1e-12);
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(counts[a] / kSteps, propensity[a], 0.02);
}

TEST(Policy, UcbAddsAlphaDeviationsToTheMean) {
  FixedScorer scorer({1, 2, 0}, {0.5f, 0.1f, 2});
  Chooser choose;
  const Policy timid(options_of({{"policy", "ucb"}, {"alpha", "0.1"}}));
  EXPECT_EQ(choose(timid, scorer, 3).action, 1);
  const Policy bold(options_of({{"policy", "ucb"}, {"alpha", "2"}}));
  const Decision decision = choose(bold, scorer, 3);
  EXPECT_EQ(decision.action, 2);
  EXPECT_FLOAT_EQ(decision.scores[0], 2);
  EXPECT_FLOAT_EQ(decision.scores[2], 4);
  EXPECT_EQ(decision.propensity, 1.0);
}

TEST(Policy, ThompsonScalesDeviationsByTheTemperatureAndKnowsNoPropensity) {
  FixedScorer scorer({1, 0}, {0, 2});
  Chooser choose;
  const Policy hot(options_of({{"temperature", "1"}}));
  EXPECT_EQ(choose(hot, scorer, 2).action, 1);
  const Policy cold(options_of({{"temperature", "0.25"}}));
  const Decision decision = choose(cold, scorer, 2);
  EXPECT_EQ(decision.action, 0);
  EXPECT_FLOAT_EQ(decision.scores[1], 0.5f);
  EXPECT_FALSE(decision.propensity.has_value());
}

TEST(Policy, UniformTakesEveryActionAsOftenWhateverTheScores) {
  const Policy policy(options_of({{"policy", "uniform"}, {"optimism", "5"}}));
  FixedScorer scorer({1, 30, 2}, {9, 0, 9});
  Chooser choose;
  std::vector<int> counts(3);
  for (int i = 0; i < 3000; ++i) {
    const Decision decision = choose(policy, scorer, 3);
    ++counts[static_cast<std::size_t>(decision.action)];
    EXPECT_DOUBLE_EQ(*decision.propensity, 1.0 / 3);
  }
  for (const int count : counts) EXPECT_NEAR(count, 1000, 130);  // five deviations
}

TEST(Policy, TemperatureByPullsFallsForThePulledActionAlone) {
  const Policy policy(options_of({{"temperature", "pulls"}}));
  FixedScorer scorer({0, 0}, {1, 1});
  Chooser choose;
  Pulls pulls(2);
  for (int i = 0; i < 10; ++i) pulls.count(1, 2, 1);
  const Decision decision = choose(policy, scorer, pulls, 2);
  EXPECT_FLOAT_EQ(decision.scores[0], 1);
  EXPECT_FLOAT_EQ(decision.scores[1], 0.3f + 0.7f * std::exp(-1.0f));
}

TEST(Policy, PullsOfAnActionAreThoseOfItsIdentityWhereverItStands) {
  const Policy policy(options_of({{"temperature_floor", "0"}, {"temperature_pulls", "1"}}));
  FixedScorer scorer({0, 0}, {1, 1});
  Pulls pulls(10);
  for (int i = 0; i < 3; ++i) pulls.count(7, 2, 1);
  const std::vector<std::int64_t> ids = {7, 2};
  Context context = context_of(2);
  context.action_ids = ids;
  Scratch scratch;
  Random random({.seed = 1});
  const Decision decision = policy.choose(scorer, context, pulls, random, scratch);
  EXPECT_FLOAT_EQ(decision.scores[0], std::exp(-3.0f));
  EXPECT_FLOAT_EQ(decision.scores[1], 1);
}

TEST(Policy, OptimismRaisesAScoreByTheRewardsSizeTimesTheRootOfLogStepsOverPulls) {
  const Policy policy(options_of({{"temperature", "0"}, {"optimism", "0.5"}}));
  FixedScorer scorer({1, 1.5f}, {1, 1});
  Chooser choose;
  Pulls pulls(2);
  for (int i = 0; i < 8; ++i) pulls.count(1, 2, i % 2 == 0 ? 4.0f : -4.0f);
  const float root = std::sqrt(std::log(9.0f));
  const Decision decision = choose(policy, scorer, pulls, 2);
  EXPECT_FLOAT_EQ(decision.scores[0], 1 + 0.5f * 4 * root);
  EXPECT_FLOAT_EQ(decision.scores[1], 1.5f + 0.5f * 4 * root / 3);
  EXPECT_EQ(decision.action, 0);
}

TEST(Policy, OptimismIsForThompsonAndUcbAlone) {
  for (const auto* kind : {"thompson", "ucb", "greedy", "epsilon-greedy"}) {
    const Policy policy(
        options_of({{"policy", kind}, {"temperature", "0"}, {"alpha", "0"}, {"optimism", "2"}}));
    Pulls pulls(2);
    pulls.count(1, 2, 1);
    FixedScorer scorer({1, 0}, {1, 1});
    Chooser choose;
    const bool raised = choose(policy, scorer, pulls, 2).scores[0] > 1;
    EXPECT_EQ(raised, kind[0] == 't' || kind[0] == 'u') << kind;
  }
}

// Every row of a batch has the scores of one FixedScorer.
struct FixedBatchScorer final : BatchScorer {
  FixedScorer& one;

  explicit FixedBatchScorer(FixedScorer& scorer) : one(scorer) {}
  static std::span<float> row(MatrixRef<float> out, Index i) {
    return {&out(i, 0), static_cast<std::size_t>(out.cols())};
  }
  void mean(MatrixRef<float> out) override {
    for (Index i = 0; i < out.rows(); ++i) one.mean(row(out, i));
  }
  void sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
              MatrixRef<float> out) override {
    for (Index i = 0; i < out.rows(); ++i) {
      const std::span<const float> scales{temperature.row(i).data(),
                                          static_cast<std::size_t>(temperature.cols())};
      one.sample(random[static_cast<std::size_t>(i)], scales, row(out, i));
    }
  }
  void deviation(MatrixRef<float> out) override {
    for (Index i = 0; i < out.rows(); ++i) one.deviation(row(out, i));
  }
};

TEST(Policy, ABatchDecidesAsChooseDoesWithTheForksOfItsStream) {
  for (const auto* kind : {"thompson", "ucb", "greedy", "epsilon-greedy", "uniform"}) {
    const Policy policy(options_of({{"policy", kind}, {"epsilon", "0.5"}, {"optimism", "0.1"}}));
    FixedScorer scorer({1, 1, 0.9f}, {0.1f, 0.1f, 0.2f});  // ties, and others that are near
    FixedBatchScorer batch(scorer);
    Pulls pulls(3);
    for (int i = 0; i < 5; ++i) pulls.count(i % 2, 3, 1);
    const std::vector<Context> contexts(40, context_of(3));
    const Random random({.seed = 3});
    BatchScores memory;
    std::vector<Index> actions(contexts.size(), -1);
    policy.choose_batch(batch, contexts, pulls, random, 100, memory, actions);
    Scratch scratch;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      Random fork = random.fork(100 + static_cast<std::uint32_t>(i));
      EXPECT_EQ(policy.choose(scorer, contexts[i], pulls, fork, scratch).action, actions[i])
          << kind << " " << i;
    }
  }
}

TEST(Policy, OptionsRefuseWhatMakesNoSense) {
  const OptionTexts wrong[] = {{{"policy", "thomson"}},
                               {{"temperature", "warm"}},
                               {{"temperature", "-1"}},
                               {{"temperature", "nan"}},
                               {{"temperature_floor", "1.5"}},
                               {{"temperature_pulls", "0"}},
                               {{"optimism", "-1"}},
                               {{"alpha", "-1"}},
                               {{"epsilon", "1.5"}}};
  for (const auto& texts : wrong) EXPECT_THROW(options_of(texts), Error) << texts.begin()->first;
  try {
    options_of({{"temperature", "warm"}});
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "agent 'test': temperature=warm: expected a number >= 0 or pulls");
  }
}

TEST(Policy, GreedyDrawsFromTheStreamForTiesAlone) {
  const Policy policy(options_of({{"policy", "greedy"}}));
  FixedScorer clear({1, 2, 0}, {0, 0, 0}), tied({2, 2, 0}, {0, 0, 0});
  Chooser choose;
  Random untouched = choose.random;
  EXPECT_EQ(choose(policy, clear, 3).action, 1);
  EXPECT_EQ(choose.random(), untouched());
  choose(policy, tied, 3);
  EXPECT_NE(choose.random(), untouched());
}

TEST(Policy, PutsNanBelowAllAndHandlesInfinities) {
  const Policy policy(options_of({{"policy", "greedy"}}));
  const float inf = std::numeric_limits<float>::infinity();
  Chooser choose;
  const std::vector<std::pair<std::vector<float>, Index>> cases = {
      {{NAN, -3, NAN}, 1}, {{NAN, -inf, NAN}, 1}, {{0, -inf, inf}, 2}, {{NAN, NAN, NAN}, 0}};
  for (const auto& [scores, expected] : cases) {
    FixedScorer scorer(scores, {0, 0, 0});
    const Decision decision = choose(policy, scorer, 3);
    EXPECT_EQ(decision.action, expected);
    EXPECT_EQ(decision.propensity, 1.0);
  }
}

}  // namespace
}  // namespace bandolier::policy_test
