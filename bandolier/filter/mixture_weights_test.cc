#include "bandolier/filter/mixture_weights.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::mixture_weights_test {
namespace {

const std::vector<bool> kAllAwake = {true, true, true};

double sum(const MixtureWeights& weights) { return weights[0] + weights[1] + weights[2]; }

TEST(MixtureWeights, AreThePosteriorOfTheMembersWithoutShare) {
  MixtureWeights weights(std::vector<double>(3, 1), 0);
  const std::vector<double> first = {std::log(0.5), std::log(0.25), std::log(0.25)};
  weights.update(first, kAllAwake);
  weights.update(first, kAllAwake);
  // 0.25 : 0.0625 : 0.0625
  EXPECT_NEAR(weights[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(weights[1], 1.0 / 6, 1e-12);
  EXPECT_EQ(weights.leader(), 0u);
}

TEST(MixtureWeights, FixedShareDealsAPartOutAnew) {
  MixtureWeights weights(std::vector<double>(3, 1), 0.3);
  weights.update({0, -1000, -2000}, kAllAwake);  // all to the first, but for the share
  EXPECT_NEAR(weights[0], 0.8, 1e-12);
  EXPECT_NEAR(weights[1], 0.1, 1e-12);
  EXPECT_NEAR(weights[2], 0.1, 1e-12);
}

TEST(MixtureWeights, BeginAsThePriorWhichIsWhatShareDealsOut) {
  MixtureWeights weights({1, 1, 2}, 0.5);
  EXPECT_EQ(weights[2], 0.5);
  weights.update({0, 0, -1000}, {true, true, true});
  EXPECT_NEAR(weights[0], 0.25 + 0.125, 1e-12);
  EXPECT_NEAR(weights[2], 0.25, 1e-12);
}

TEST(MixtureWeights, SumToOneAndNoneFallsBelowItsShare) {
  MixtureWeights weights(std::vector<double>(3, 1), 1e-5);
  for (int t = 0; t < 2000; ++t) {
    weights.update({-1.0, t % 2 == 0 ? -3.0 : -0.5, -4.0}, kAllAwake);
    ASSERT_NEAR(sum(weights), 1, 1e-9);
    for (std::size_t m = 0; m < weights.size(); ++m) ASSERT_GE(weights[m], 1e-5 / 3 * (1 - 1e-9));
  }
}

TEST(MixtureWeights, ALoserLeadsAgainAFewRewardsAfterTheWorldChanges) {
  MixtureWeights weights(std::vector<double>(3, 1), 1e-5);
  for (int t = 0; t < 10'000; ++t) weights.update({-1, -3, -3}, kAllAwake);
  int rewards = 0;
  for (; weights.leader() != 1; ++rewards) weights.update({-3, -1, -3}, kAllAwake);
  EXPECT_LE(rewards, 8);  // ln(3·10⁵)/2 = 6.3
}

TEST(MixtureWeights, WhoHasLostForLongIsAwakeForOneRewardInFour) {
  MixtureWeights weights(std::vector<double>(3, 1), 1e-5);
  for (int t = 0; t < 400; ++t) weights.update({-1, -3, -3}, kAllAwake);
  for (std::int64_t step = 400; step < 404; ++step) EXPECT_TRUE(weights.awake(1, step));
  for (int t = 400; t < 600; ++t) weights.update({-1, -3, -3}, kAllAwake);
  int first = 0, second = 0;
  for (std::int64_t step = 600; step < 640; ++step) {
    first += weights.awake(0, step);
    second += weights.awake(1, step);
  }
  EXPECT_EQ(first, 40);
  EXPECT_EQ(second, 10);
}

TEST(MixtureWeights, WhoSleepsKeepsItsWeight) {
  MixtureWeights weights(std::vector<double>(3, 1), 0);
  weights.update({-1, -2, 1e9}, {true, true, false});
  EXPECT_NEAR(weights[2], 1.0 / 3, 1e-12);
  EXPECT_NEAR(weights[0] / weights[1], std::exp(1), 1e-12);
  EXPECT_NEAR(sum(weights), 1, 1e-12);
}

TEST(MixtureWeights, DrawMembersInProportion) {
  MixtureWeights weights(std::vector<double>(3, 1), 0);
  weights.update({std::log(0.2), std::log(0.5), std::log(0.3)}, kAllAwake);
  EXPECT_EQ(weights.draw(0), 0u);
  EXPECT_EQ(weights.draw(0.19), 0u);
  EXPECT_EQ(weights.draw(0.21), 1u);
  EXPECT_EQ(weights.draw(0.69), 1u);
  EXPECT_EQ(weights.draw(0.71), 2u);
  EXPECT_EQ(weights.draw(std::nextafter(1.0, 0.0)), 2u);
}

TEST(MixtureWeights, LoadedAreTheSaved) {
  MixtureWeights weights(std::vector<double>(3, 1), 1e-5), loaded(std::vector<double>(3, 1), 1e-5);
  for (int t = 0; t < 600; ++t) weights.update({-1, -3, -3}, kAllAwake);
  ArchiveWriter out;
  weights.save(out);
  loaded.load(ArchiveReader(out.finish(), "weights"));
  for (std::size_t m = 0; m < weights.size(); ++m) EXPECT_EQ(loaded[m], weights[m]);
  EXPECT_EQ(loaded.awake(1, 601), weights.awake(1, 601));
  EXPECT_FALSE(loaded.awake(1, 601));
}

}  // namespace
}  // namespace bandolier::mixture_weights_test
