#include "bandolier/lab/env/standardise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bandolier::standardise_test {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

Scaling scaling_of(std::initializer_list<std::vector<float>> rows) {
  Moments moments;
  for (const auto& row : rows) moments.add(row);
  return moments.scaling();
}

TEST(Moments, CountAMissingNumberAsTheMeanOfThoseThatAreThere) {
  const Scaling scaling = scaling_of({{1, 10}, {kMissing, 20}, {5, 60}});
  EXPECT_DOUBLE_EQ(scaling.mean[0], 3);
  EXPECT_DOUBLE_EQ(scaling.inverse_sd[0], std::sqrt(3.0 / 8));  // of 1, 3, 5
  EXPECT_DOUBLE_EQ(scaling.mean[1], 30);
  EXPECT_DOUBLE_EQ(scaling.inverse_sd[1], std::sqrt(3.0 / 1400));  // of 10, 20, 60
}

TEST(Scaling, MakesMissingNumbersAndConstantFeaturesZero) {
  const Scaling scaling = scaling_of({{1, 7, kMissing}, {3, 7, kMissing}});
  std::vector<float> row = {4, 7, 9};
  scaling.apply(row);
  EXPECT_EQ(row, (std::vector<float>{2, 0, 0}));
  row = {kMissing, kMissing, kMissing};
  scaling.apply(row);
  EXPECT_EQ(row, (std::vector<float>{0, 0, 0}));
}

}  // namespace
}  // namespace bandolier::standardise_test
