#include "bandolier/model/reward_offset.h"

#include <gtest/gtest.h>

#include <vector>

namespace bandolier {
namespace {

RewardOffset started(const std::vector<float>& rewards) {
  RewardOffset offset(std::nullopt);
  offset.start(rewards);
  return offset;
}

TEST(RewardOffset, IsTheMeanOfFirstRewardsThatLieFarFromZero) {
  EXPECT_EQ(started({10'001, 9'999, 10'002, 9'998}).value(), 10'000);
  EXPECT_EQ(started({-101, -99}).value(), -100);
  EXPECT_EQ(started({7, 7, 7}).value(), 7);
}

TEST(RewardOffset, IsZeroWhereTheyDoNot) {
  EXPECT_EQ(started({0, 1, 1, 1, 1, 1}).value(), 0);
  EXPECT_EQ(started({0, 0, 0}).value(), 0);
  EXPECT_EQ(started({1.2f, 1, 1, 1, 1}).value(), 0);  // the wheel's: 13 deviations
}

TEST(RewardOffset, FollowsTheRewardsUnitExactlyForPowersOfTwo) {
  const std::vector<float> rewards = {100.25f, 99.5f, 101, 100.125f};
  std::vector<float> scaled;
  for (const float reward : rewards) scaled.push_back(1024 * reward);
  EXPECT_EQ(started(scaled).value(), 1024 * started(rewards).value());
}

TEST(RewardOffset, IsFoundAnewFromMoreRewards) {
  RewardOffset offset = started({1000});
  EXPECT_EQ(offset.value(), 0) << "a single one tells too little";
  offset.start(std::vector<float>{999, 1001, 1001, 999});
  EXPECT_EQ(offset.value(), 1000);
  EXPECT_EQ(offset.seen(1003), 3);
  offset.start(std::vector<float>{999, 1001, 0, 0, 0});
  EXPECT_EQ(offset.value(), 0);
}

TEST(RewardOffset, StaysWhereItIsFixed) {
  RewardOffset offset(5.0);
  offset.start(std::vector<float>{1000, 1000, 1000});
  EXPECT_EQ(offset.value(), 5);
}

TEST(RewardOffset, IsSaved) {
  RewardOffset loaded(std::nullopt);
  ArchiveWriter out;
  started({50, 50}).save(out);
  loaded.load(ArchiveReader(out.finish(), "test"));
  EXPECT_EQ(loaded.value(), 50);
}

}  // namespace
}  // namespace bandolier
