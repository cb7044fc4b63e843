#include "bandolier/filter/mixture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/filter/test_mixtures.h"

namespace bandolier::mixture_test {
namespace {

using testing::archive_of;
using testing::context_of;
using testing::features;
using testing::kActions;
using testing::kFixed;
using testing::kShare;
using testing::learn;
using testing::make_mixture;
using testing::member;
using testing::predictors;
using testing::remembering;
using testing::reward_of;

TEST(Mixture, WeightsAreThePrequentialOnesOfItsFiltersEachOnItsOwn) {
  constexpr double kLargeShare = 0.02;
  const auto shared = predictors();
  std::vector<MixtureMember> alone = {member(*shared[0], 0, remembering(1)),
                                      member(*shared[1], 1, remembering(1))};
  Mixture mixture(shared, alone, {.share = kLargeShare}, kFixed);
  MixtureScratch scratch = mixture.make_scratch();
  ParameterScratch<float> update;
  double weights[] = {0.5, 0.5};
  for (int t = 0; t < 100; ++t) {
    ASSERT_TRUE(learn(mixture, t, scratch));
    const Vector<float> x = features(t);
    const Index action = t % kActions;
    double density[2];
    for (std::size_t m = 0; m < 2; ++m) {
      PredictorScratch bound = shared[m]->make_scratch();
      shared[m]->bind(context_of(x), bound);
      density[m] = std::exp(
          testing::learn(alone[m].filter, *shared[m], action, reward_of(x, action), bound, update)
              .log_predictive);
    }
    const double total = weights[0] * density[0] + weights[1] * density[1];
    for (std::size_t m = 0; m < 2; ++m) {
      weights[m] = (1 - kLargeShare) * weights[m] * density[m] / total + kLargeShare / 2;
      ASSERT_NEAR(mixture.weights()[m], weights[m], 1e-9) << t;
    }
  }
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_TRUE(archive_of(mixture.members()[m].filter) == archive_of(alone[m].filter));
  }
  EXPECT_GT(std::abs(mixture.weights()[0] - 0.5), 0.1);
}

TEST(Mixture, OfOneIsItsFilterAndDrawsNoNumber) {
  const auto shared = predictors();
  MixtureMember only = member(*shared[0], 0, remembering(0.97));
  Mixture mixture(shared, {only}, {.share = kShare}, kFixed);
  MixtureScratch scratch = mixture.make_scratch();
  PredictorScratch bound = shared[0]->make_scratch();
  ParameterScratch<float> update;
  ScorerScratch draw;
  Random random({.seed = 3}), same({.seed = 3});
  std::vector<float> found(kActions), expected(kActions);
  const std::vector<float> temperature(kActions, 1.0f);
  double ratio = 0;
  for (int t = 0; t < 40; ++t) {
    const Vector<float> x = features(t);
    const Index action = t % kActions;
    shared[0]->bind(context_of(x), bound);
    const std::size_t drawn = mixture.draw(random);
    ASSERT_EQ(drawn, 0u);
    mixture.scorer(drawn, context_of(x), scratch).sample(random, temperature, found);
    FilterScorer(*shared[0], only.filter, 1, bound, draw).sample(same, temperature, expected);
    ASSERT_EQ(found, expected);
    ASSERT_TRUE(learn(mixture, t, scratch));
    const auto step =
        testing::learn(only.filter, *shared[0], action, reward_of(x, action), bound, update);
    only.filter.advance(update);
    ratio += step.error * step.error / step.variance;
  }
  EXPECT_TRUE(archive_of(mixture.members()[0].filter) == archive_of(only.filter));
  EXPECT_EQ(mixture.weights()[0], 1);
  EXPECT_NEAR(mixture.innovation_ratio(), ratio / 40, 1e-9);
  EXPECT_NEAR(mixture.recent_innovation_ratio(), ratio / 40, 1e-9);
}

TEST(Mixture, RewardsTimes1024GiveTheSameDecisionsAnd1024TimesTheScores) {
  for (const auto of : {RewardUnit::Of::kSize, RewardUnit::Of::kSpread}) {
    Mixture one = make_mixture(RewardUnit(of)), other = make_mixture(RewardUnit(of));
    MixtureScratch scratch = one.make_scratch(), other_scratch = other.make_scratch();
    const std::vector<float> temperature(kActions, 1.0f);
    std::vector<float> scores(kActions), other_scores(kActions);
    for (int t = 0; t < 200; ++t) {
      const Vector<float> x = features(t);
      Random random({.seed = 5, .step = static_cast<std::uint32_t>(t)}), same = random;
      const std::size_t drawn = one.draw(random);
      ASSERT_EQ(other.draw(same), drawn);
      one.scorer(drawn, context_of(x), scratch).sample(random, temperature, scores);
      other.scorer(drawn, context_of(x), other_scratch).sample(same, temperature, other_scores);
      // Before the first reward both see the unit 1.
      for (std::size_t a = 0; t > 0 && a < kActions; ++a) {
        ASSERT_EQ(other_scores[a], 1024 * scores[a]) << t;
      }
      ASSERT_TRUE(learn(one, t, scratch));
      ASSERT_TRUE(learn(other, t, other_scratch, 1024));
    }
    EXPECT_EQ(other.unit().unit(), 1024 * one.unit().unit());
    for (std::size_t m = 0; m < one.weights().size(); ++m) {
      EXPECT_EQ(other.weights()[m], one.weights()[m]);
    }
  }
}

TEST(Mixture, LoadedInTheMiddleGoesOnBitForBit) {
  Mixture mixture = make_mixture(RewardUnit(RewardUnit::Of::kSize), 1e-4);
  MixtureScratch scratch = mixture.make_scratch();
  for (int t = 0; t < 700; ++t) ASSERT_TRUE(learn(mixture, t, scratch));
  Mixture loaded = make_mixture(RewardUnit(RewardUnit::Of::kSize), 1e-4);
  loaded.load(ArchiveReader(archive_of(mixture), "mixture"));
  EXPECT_TRUE(archive_of(loaded) == archive_of(mixture));
  // Larger rewards: the unit follows them.
  for (int t = 700; t < 900; ++t) {
    ASSERT_TRUE(learn(mixture, t, scratch, 3));
    ASSERT_TRUE(learn(loaded, t, scratch, 3));
  }
  EXPECT_TRUE(archive_of(loaded) == archive_of(mixture));
}

TEST(Mixture, DrawFollowsTheWeights) {
  Mixture mixture = make_mixture(kFixed, 0.3);
  MixtureScratch scratch = mixture.make_scratch();
  for (int t = 0; t < 30; ++t) learn(mixture, t, scratch);
  constexpr int kDraws = 20'000;
  int drawn[3] = {};
  Random random({.seed = 6});
  for (int i = 0; i < kDraws; ++i) ++drawn[mixture.draw(random)];
  for (std::size_t m = 0; m < 3; ++m) {
    const double w = mixture.weights()[m];
    EXPECT_GT(w, 0.05);
    EXPECT_NEAR(drawn[m], kDraws * w, 5 * std::sqrt(kDraws * w * (1 - w)));
  }
}

// A snapshot is a copy that shares what does not change.
TEST(Mixture, ACopyKeepsEveryBitWhileTheOriginalLearns) {
  Mixture mixture = make_mixture(RewardUnit(RewardUnit::Of::kSize));
  MixtureScratch scratch = mixture.make_scratch();
  for (int t = 0; t < 10; ++t) ASSERT_TRUE(learn(mixture, t, scratch));
  const Mixture copy = mixture;
  const std::string before = archive_of(copy);
  for (int t = 10; t < 30; ++t) ASSERT_TRUE(learn(mixture, t, scratch));
  EXPECT_FALSE(archive_of(mixture) == before);
  EXPECT_TRUE(archive_of(copy) == before);
}

}  // namespace
}  // namespace bandolier::mixture_test
