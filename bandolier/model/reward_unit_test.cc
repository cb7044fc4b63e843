#include "bandolier/model/reward_unit.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace bandolier::reward_unit_test {
namespace {

using Of = RewardUnit::Of;

TEST(RewardUnit, StartsAtTheSpreadOrSizeOfTheFirstRewards) {
  const std::vector<float> rewards{1, 1, 1, 5};
  RewardUnit spread(Of::kSpread), size(Of::kSize);
  spread.start(rewards);
  size.start(rewards);
  EXPECT_DOUBLE_EQ(spread.unit(), std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(size.unit(), std::sqrt(7.0));
}

TEST(RewardUnit, IsOpenWhileAllRewardsAreZeroAndThenWhatItMeasuresWithoutRescaling) {
  RewardUnit spread(Of::kSpread), size(Of::kSize);
  for (RewardUnit* scale : {&spread, &size}) {
    scale->start(std::vector<float>(14, 0.0f));
    EXPECT_EQ(scale->unit(), 1);
    EXPECT_EQ(scale->add(0), 1);
    EXPECT_EQ(scale->add(4), 1);
  }
  EXPECT_DOUBLE_EQ(spread.unit(), std::sqrt(15.0) / 4);  // √(4²/16 − (4/16)²)
  EXPECT_DOUBLE_EQ(size.unit(), 1);                      // √(4²/16)
}

TEST(RewardUnit, OfSpreadGrowsWithLargerRewardsAndNamesTheFactor) {
  RewardUnit scale(Of::kSpread);
  scale.start(std::vector<float>{1, 1.1f, 0.9f, 1});
  const double before = scale.unit();
  const double factor = scale.add(50);
  EXPECT_GT(scale.unit(), 19);
  EXPECT_DOUBLE_EQ(factor, before / scale.unit());
}

TEST(RewardUnit, OfSpreadTakesTheSizeOfEqualRewardsUntilAnotherComes) {
  RewardUnit scale(Of::kSpread);
  scale.start(std::vector<float>{-4, -4});
  EXPECT_DOUBLE_EQ(scale.unit(), 4);
  EXPECT_DOUBLE_EQ(scale.add(-1), 4 / std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(scale.unit(), std::sqrt(2.0));
}

TEST(RewardUnit, OfSizeCountsALargerRewardAsFiveUnitsAndNamesTheFactor) {
  RewardUnit scale(Of::kSize);
  scale.start(std::vector<float>{1, 1, 1, 1});
  EXPECT_DOUBLE_EQ(scale.add(50), 1 / std::sqrt((4 + 25) / 5.0));
  EXPECT_DOUBLE_EQ(scale.unit(), std::sqrt((4 + 25) / 5.0));
}

TEST(RewardUnit, OfSizeStartsWithAnOutlierCountedAsFiveTimesTheSizeOfTheOthers) {
  RewardUnit scale(Of::kSize);
  scale.start(std::vector<float>{0, 0, 1, 0, 1, 0, 0, 1, -50});
  EXPECT_NEAR(scale.unit(), std::sqrt((3 + 25 * 3.0 / 8) / 9), 1e-9);
}

TEST(RewardUnit, OfSizeStartsWithTheOnlyRewardThatIsNotRoundOffCountedAsItIs) {
  RewardUnit scale(Of::kSize);
  scale.start(std::vector<float>{1e-7f, -1e-7f, 4, 1e-7f});
  EXPECT_NEAR(scale.unit(), 2, 1e-6);
}

TEST(RewardUnit, OfSizeFollowsLargeRewardsThatAreOneInTenAndHardlyThoseThatAreOneInAHundred) {
  RewardUnit often(Of::kSize), seldom(Of::kSize);
  often.start(std::vector<float>{1, 1});
  seldom.start(std::vector<float>{1, 1});
  for (int t = 1; t <= 5000; ++t) {
    often.add(t % 10 == 0 ? 100 : 1);
    seldom.add(t % 100 == 0 ? 100 : 1);
  }
  EXPECT_GT(often.unit(), 25);  // of √(0.9 + 1000) = 31.6
  EXPECT_LT(seldom.unit(), 1.5);
}

TEST(RewardUnit, DoesNotShrinkWhenRewardsBecomeSmall) {
  RewardUnit scale(Of::kSize);
  scale.start(std::vector<float>{0, 1});
  const double unit = scale.unit();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(scale.add(0.1), 1);
  EXPECT_EQ(scale.unit(), unit);
}

TEST(RewardUnit, IsProportionalToTheRewards) {
  RewardUnit one(Of::kSpread), hundred(Of::kSpread);
  one.start(std::vector<float>{0, 1, 0.5f});
  hundred.start(std::vector<float>{0, 100, 50});
  for (const double y : {3.0, -2.0, 0.0, 8.0}) {
    EXPECT_NEAR(one.add(y), hundred.add(100 * y), 1e-12);
    EXPECT_NEAR(100 * one.unit(), hundred.unit(), 1e-9);
  }
}

TEST(RewardUnit, AFixedUnitStays) {
  RewardUnit scale(Of::kSpread, 2);
  scale.start(std::vector<float>{0, 100});
  EXPECT_EQ(scale.add(1000), 1);
  EXPECT_EQ(scale.unit(), 2);
}

TEST(RewardUnit, FindsARewardOf1e30SpreadsImplausible) {
  RewardUnit scale(Of::kSize);
  scale.start(std::vector<float>{0, 1});
  EXPECT_TRUE(scale.plausible(1e6));
  EXPECT_FALSE(scale.plausible(1e30));
  EXPECT_FALSE(scale.plausible(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace bandolier::reward_unit_test
