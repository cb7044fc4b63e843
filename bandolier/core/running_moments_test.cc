#include "bandolier/core/running_moments.h"

#include <gtest/gtest.h>

namespace bandolier::running_moments_test {
namespace {

RunningMoments of(std::initializer_list<double> numbers) {
  RunningMoments moments;
  for (const double x : numbers) moments.add(x);
  return moments;
}

TEST(RunningMoments, AreThoseOfTheNumbersAdded) {
  const auto moments = of({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(moments.count, 8);
  EXPECT_DOUBLE_EQ(moments.mean, 5);
  EXPECT_DOUBLE_EQ(moments.squares, 32);
  EXPECT_DOUBLE_EQ(moments.variance(), 4);
}

TEST(RunningMoments, OfEqualNumbersHaveVarianceZeroExactly) {
  const auto moments = of({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  EXPECT_EQ(moments.mean, 0.1);
  EXPECT_EQ(moments.variance(), 0);
}

// Σx² − (Σx)²/n would lose all of it: 1e9² has no digit left for 22.5.
TEST(RunningMoments, KeepTheSpreadOfNumbersFarFromZero) {
  const auto moments = of({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16});
  EXPECT_DOUBLE_EQ(moments.mean, 1e9 + 10);
  EXPECT_NEAR(moments.variance(), 22.5, 1e-6);
}

}  // namespace
}  // namespace bandolier::running_moments_test
