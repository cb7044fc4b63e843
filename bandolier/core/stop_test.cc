#include "bandolier/core/stop.h"

#include <gtest/gtest.h>

#include <thread>

namespace bandolier::stop_test {
namespace {

TEST(Stop, WithoutAScopeNothingStops) {
  EXPECT_EQ(current_stop(), nullptr);
  EXPECT_FALSE(stop_requested());
  EXPECT_NO_THROW(throw_if_stopped());
}

TEST(Stop, IsThrownOnceTheFlagIsSet) {
  std::atomic<bool> flag{false};
  const StopScope scope(&flag);
  EXPECT_NO_THROW(throw_if_stopped());
  flag = true;
  EXPECT_TRUE(stop_requested());
  EXPECT_THROW(throw_if_stopped(), Stopped);
}

TEST(Stop, TheInnermostScopeCountsAndEndsWithItsBlock) {
  const std::atomic<bool> set{true}, clear{false};
  {
    const StopScope outer(&set);
    {
      const StopScope inner(&clear);
      EXPECT_FALSE(stop_requested());
    }
    {
      const StopScope none(nullptr);
      EXPECT_FALSE(stop_requested());
    }
    EXPECT_TRUE(stop_requested());
  }
  EXPECT_FALSE(stop_requested());
}

TEST(Stop, AnotherThreadHasItsOwn) {
  const std::atomic<bool> set{true};
  const StopScope scope(&set);
  bool other = true;
  std::thread([&other] { other = stop_requested(); }).join();
  EXPECT_FALSE(other);
}

}  // namespace
}  // namespace bandolier::stop_test
