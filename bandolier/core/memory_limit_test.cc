#include "bandolier/core/memory_limit.h"

#include <gtest/gtest.h>

#include "testing/errors.h"

namespace bandolier::memory_limit_test {
namespace {

TEST(MemoryLimit, RefusesMoreThanThereIsNamingTheThingItsSizeAndTheWayOut) {
  EXPECT_EQ(testing::error_of([] { require_available_memory(1e3, "a list", "use less"); }), "");
  const std::string refusal =
      testing::error_of([] { require_available_memory(2e18, "a list", "use less"); });
  EXPECT_TRUE(refusal.starts_with("a list needs 2e+09 GB, and ")) << refusal;
  EXPECT_TRUE(refusal.ends_with(" GB are available: use less")) << refusal;
}

TEST(MemoryLimit, CountsAllThatAreToBeThereAtOnceAndSaysHowManyFit) {
  const double third = available_memory() / 3.5;
  const auto refusal = [third] {
    return testing::error_of([&] { require_available_memory(third, "a list", "use less"); });
  };
  {
    const MemoryShare share(8, "--jobs");
    EXPECT_NE(refusal().find(" GB for each of 8 trials side by side, and "), std::string::npos)
        << refusal();
    EXPECT_TRUE(refusal().ends_with(" GB are available: use --jobs 3")) << refusal();
    const MemoryShare fewer(2, "--jobs");
    EXPECT_EQ(refusal(), "");
  }
  EXPECT_EQ(refusal(), "");
}

TEST(MemoryLimit, WhatIsLoadedIsNoMoreThanItsFileHolds) {
  const auto refusal = [](double saved) {
    return testing::error_of([&] { require_available_memory(1e3, "a list", "use less", saved); });
  };
  EXPECT_EQ(refusal(1e9), "");
  {
    const LoadedFile file(500);
    EXPECT_EQ(refusal(0), "");
    EXPECT_EQ(refusal(500), "");
    EXPECT_EQ(refusal(501),
              "a list is 501 bytes of a file or more, and the file has 500: no agent saved it so");
  }
  EXPECT_EQ(refusal(501), "");
}

TEST(MemoryLimit, KnowsThatThisMachineHasSomeAndNotEndlessMemory) {
  EXPECT_GT(available_memory(), 1e6);
  EXPECT_LT(available_memory(), 1e15);
}

}  // namespace
}  // namespace bandolier::memory_limit_test
