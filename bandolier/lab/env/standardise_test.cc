#include "bandolier/lab/env/standardise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bandolier::standardise_test {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Scaling scaling_of(std::initializer_list<std::vector<double>> rows) {
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

TEST(Moments, GiveAConstantOrUnknownFeatureTheFactorZero) {
  const Scaling scaling = scaling_of({{7, kMissing}, {7, kMissing}});
  EXPECT_EQ(scaling.mean, (std::vector<double>{7, 0}));
  EXPECT_EQ(scaling.inverse_sd, (std::vector<double>{0, 0}));
}

TEST(Standardised, GivesEveryColumnTheMomentsOfItsFeatures) {
  const FeatureSchema schema = standardised(
      {{{.name = "w", .words = {"a", "b"}, .missing = true}, {.name = "x", .words = {}}}},
      {.mean = {1, 2, 3, 4}, .inverse_sd = {5, 6, 7, 8}});
  EXPECT_EQ(schema.columns[0].mean, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(schema.columns[0].inverse_deviation, (std::vector<double>{5, 6, 7}));
  EXPECT_EQ(schema.columns[1].mean, std::vector<double>{4});
  EXPECT_EQ(schema.columns[1].inverse_deviation, std::vector<double>{8});
}

}  // namespace
}  // namespace bandolier::standardise_test
