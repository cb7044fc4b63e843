// A reward that is refused leaves no trace, whoever refuses it.
#include <gtest/gtest.h>

#include <limits>

#include "bandolier/filter/test_mixtures.h"

namespace bandolier::mixture_refusal_test {
namespace {

using testing::archive_of;
using testing::context_of;
using testing::features;
using testing::kFixed;
using testing::kShare;
using testing::learn;
using testing::make_mixture;
using testing::member;
using testing::predictors;
using testing::remembering;

// Members, weights, unit and signals are all in the archive.
void expect_refused_without_a_trace(Mixture& mixture, float reward) {
  MixtureScratch scratch = mixture.make_scratch();
  for (int t = 0; t < 20; ++t) ASSERT_TRUE(learn(mixture, t, scratch));
  const std::string before = archive_of(mixture);
  Mixture spared = mixture;
  const Vector<float> x = features(20);
  EXPECT_FALSE(mixture.learn({context_of(x), 0, reward}, scratch)) << reward;
  EXPECT_TRUE(archive_of(mixture) == before) << reward;
  mixture.release(scratch);
  for (int t = 21; t < 40; ++t) {
    EXPECT_TRUE(learn(mixture, t, scratch));
    EXPECT_TRUE(learn(spared, t, scratch));
  }
  EXPECT_TRUE(archive_of(mixture) == archive_of(spared)) << reward;
}

TEST(Mixture, ARewardThatNoUnitExplainsIsRefusedWithoutATrace) {
  for (const float reward : {std::nanf(""), std::numeric_limits<float>::infinity(), 1e30f}) {
    for (const auto of : {RewardUnit::Of::kSize, RewardUnit::Of::kSpread}) {
      Mixture following = make_mixture(RewardUnit(of));
      expect_refused_without_a_trace(following, reward);
    }
    Mixture fixed = make_mixture(kFixed);
    expect_refused_without_a_trace(fixed, reward);
  }
}

// In float the square of a feature of 10³⁰ is infinite, and with it the predictor's variance. The
// larger reward would change the unit, the smaller one would count in its mean alone.
TEST(Mixture, ARewardOfAContextThatOverflowsIsRefusedWithoutATrace) {
  const auto shared = predictors();
  const Vector<float> x = Vector<float>::Constant(testing::kFeatures, 1e30f);
  for (const FilterOptions& options : {remembering(1), testing::known(0.1)}) {
    for (const std::size_t p : {0u, 1u}) {
      for (const float reward : {0.1f, 20.0f}) {
        Mixture mixture(shared, {member(*shared[p], p, options)}, {.share = kShare},
                        RewardUnit(RewardUnit::Of::kSize));
        MixtureScratch scratch = mixture.make_scratch();
        for (int t = 0; t < 20; ++t) ASSERT_TRUE(learn(mixture, t, scratch));
        const std::string before = archive_of(mixture);
        bool accepted = true;
        EXPECT_NO_THROW(accepted = mixture.learn({context_of(x), 0, reward}, scratch));
        EXPECT_FALSE(accepted);
        EXPECT_TRUE(archive_of(mixture) == before);
      }
    }
  }
}

// Noise and prior of variance 10⁻⁸: a reward of 5·10⁷ is 10¹¹ deviations off for the last member,
// and fine for the others.
Mixture one_of_three_refuses(const RewardUnit& unit) {
  const auto shared = predictors();
  return Mixture(shared,
                 {member(*shared[0], 0, remembering(1)), member(*shared[1], 1, testing::known(0.1)),
                  member(*shared[1], 1, testing::known(1e-8), 1e-8f)},
                 {.share = kShare}, unit);
}

TEST(Mixture, ARewardThatOneMemberRefusesLeavesNoTraceInAny) {
  Mixture mixture = one_of_three_refuses(kFixed);
  expect_refused_without_a_trace(mixture, 5e7f);
}

TEST(Mixture, ARefusedRewardThatWouldHaveChangedTheUnitLeavesNoTrace) {
  const std::vector<float> first = {0.4f, -0.4f, 0.4f};
  RewardUnit unit(RewardUnit::Of::kSize);
  unit.start(first);
  Mixture mixture = one_of_three_refuses(unit);
  MixtureScratch scratch = mixture.make_scratch();
  Mixture probe = mixture;
  for (int t = 0; t < 20; ++t) ASSERT_TRUE(learn(probe, t, scratch));
  RewardUnit changed = probe.unit();
  ASSERT_TRUE(changed.plausible(2e7));
  ASSERT_NE(changed.add(2e7), 1);
  expect_refused_without_a_trace(mixture, 2e7f);
}

}  // namespace
}  // namespace bandolier::mixture_refusal_test
