#include "bandolier/agent/reward_scale.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace bandolier {
namespace {

TEST(RewardScale, StartsAtTheStandardDeviationOfTheFirstRewards) {
  RewardScale scale;
  scale.start(std::vector<float>{1, 1, 1, 5});
  EXPECT_DOUBLE_EQ(scale.unit(), std::sqrt(3.0));
}

TEST(RewardScale, IsOpenWhileAllRewardsAreZeroAndThenTheirSpreadWithoutRescaling) {
  RewardScale scale;
  scale.start(std::vector<float>(14, 0.0f));
  EXPECT_EQ(scale.unit(), 1);
  EXPECT_EQ(scale.add(0), 1);
  EXPECT_EQ(scale.add(1), 1);
  EXPECT_DOUBLE_EQ(scale.unit(), std::sqrt(1.0 / 16 * 15 / 16));
}

TEST(RewardScale, GrowsWithLargerRewardsAndNamesTheFactor) {
  RewardScale scale;
  scale.start(std::vector<float>{1, 1.1f, 0.9f, 1});
  const double before = scale.unit();
  const double factor = scale.add(50);
  EXPECT_GT(scale.unit(), 19);
  EXPECT_DOUBLE_EQ(factor, before / scale.unit());
}

TEST(RewardScale, DoesNotShrinkWhenRewardsBecomeAlike) {
  RewardScale scale;
  scale.start(std::vector<float>{0, 1});
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(scale.add(1), 1);
  EXPECT_DOUBLE_EQ(scale.unit(), 0.5);
}

TEST(RewardScale, TakesTheSizeOfEqualRewardsUntilAnotherComes) {
  RewardScale scale;
  scale.start(std::vector<float>{-4, -4});
  EXPECT_DOUBLE_EQ(scale.unit(), 4);
  EXPECT_DOUBLE_EQ(scale.add(-1), 4 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(scale.unit(), std::sqrt(2.0));
}

TEST(RewardScale, IsProportionalToTheRewards) {
  RewardScale one, hundred;
  one.start(std::vector<float>{0, 1, 0.5f});
  hundred.start(std::vector<float>{0, 100, 50});
  for (const double y : {3.0, -2.0, 0.0, 8.0}) {
    EXPECT_NEAR(one.add(y), hundred.add(100 * y), 1e-12);
    EXPECT_NEAR(100 * one.unit(), hundred.unit(), 1e-9);
  }
}

TEST(RewardScale, AFixedUnitStays) {
  RewardScale scale(2);
  scale.start(std::vector<float>{0, 100});
  EXPECT_EQ(scale.add(1000), 1);
  EXPECT_EQ(scale.unit(), 2);
}

TEST(RewardScale, FindsARewardOf1e30SpreadsImplausible) {
  RewardScale scale;
  scale.start(std::vector<float>{0, 1});
  EXPECT_TRUE(scale.plausible(1e6));
  EXPECT_FALSE(scale.plausible(1e30));
  EXPECT_FALSE(scale.plausible(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace bandolier
