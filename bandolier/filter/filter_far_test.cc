// What the filter does with rewards that are far off: less weight, or a refusal without a trace.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bandolier/filter/test_regression.h"

namespace bandolier::filter_far_test {
namespace {

using testing::archive_of;
using testing::Case;
using testing::inferred;
using testing::kCases;
using testing::known;
using testing::kPrior;
using testing::learn;
using testing::learn_row;
using testing::linear_at;
using testing::make_filter;
using testing::make_regression;
using testing::Regression;

// What is accepted leaves numbers that can be saved, all of them finite; what is not, every bit.
TEST(Filter, ARewardOrGradientOfAnySizeIsRefusedWithoutATraceOrLeavesTheFilterFinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> sizes = {std::nanf(""), kInfinity, -kInfinity};
  for (int power = -38; power <= 38; power += 2) sizes.push_back(std::pow(10.0f, float(power)));
  for (const FilterOptions& plain : {known(0.1), inferred({3, 0.3})}) {
    for (const double robust : {0.0, 5.0}) {
      FilterOptions options = plain;
      options.robust = robust;
      Filter<float> start(testing::zero_belief<float>({3, 2, 2}, 2.0f), options);
      ParameterScratch<float> scratch;
      const Vector<float> ones = Vector<float>::Ones(3), two = Vector<float>::Ones(2);
      learn(start, linear_at<float>(start.belief(), 1, ones, two), 1.0f, scratch);
      const std::string before = archive_of(start);
      int refused = 0;
      for (const float gradient : sizes) {
        for (const float reward : sizes) {
          Filter<float> filter = start;
          const Vector<float> body = gradient * ones;
          const auto at = linear_at<float>(filter.belief(), 1, body, two);
          const bool accepted = learn(filter, at, reward, scratch).accepted;
          refused += !accepted;
          std::string after;
          EXPECT_NO_THROW(after = archive_of(filter)) << gradient << " " << reward;
          EXPECT_TRUE(accepted || after == before) << gradient << " " << reward;
          EXPECT_TRUE(archive_of(start) == before);
        }
      }
      EXPECT_GT(refused, 100);
      EXPECT_LT(refused, 1500);
    }
  }
}

// A reward 100 deviations off has the weight w = 25/(25 + 100²) and moves the mean as one with
// noise of variance R/w does: by P g e/(R/w + q).
TEST(Filter, ARobustFilterMovesLessThanATenthForARewardAHundredDeviationsOff) {
  for (const Case& c : kCases) {
    for (const FilterOptions& plain : {known(2), inferred({60, 120})}) {
      const Regression data = make_regression(c.layout, 101);
      FilterOptions options = plain;
      options.robust = 5;
      Filter<double> robust = make_filter(c, options);
      ParameterScratch<double> scratch;
      for (Index t = 0; t < 100; ++t) learn_row(robust, data, t, data.y[t], scratch);
      const Vector<double> g = data.g.row(100).transpose();
      const Vector<double> mean = testing::mean_of(robust.belief());
      const Matrix<double> p = robust.belief().covariance();
      const double noise = robust.noise() ? 1 : 2;  // in units of P
      const double q = g.dot(p * g), expected = robust.unit_variance() * (noise + q);
      const double error = 100 * std::sqrt(expected), w = 25 / (25 + 1e4);
      const std::optional<InverseGamma> before = robust.noise();
      Filter<double> moved = robust;
      const auto step = learn_row(moved, data, 100, g.dot(mean) + error, scratch);
      EXPECT_GT(expected, 1);
      EXPECT_NEAR(step.weight, w, 1e-12);
      const Vector<double> move = testing::mean_of(moved.belief()) - mean;
      const Vector<double> plain_move = p * g * error / (noise + q);
      EXPECT_LT(move.norm(), 0.1 * plain_move.norm()) << c.name;
      EXPECT_LT((move - p * g * error / (noise / w + q)).norm(), 1e-10) << c.name;
      if (before) {
        EXPECT_NEAR(moved.noise()->a, before->a + w / 2, 1e-12);
        EXPECT_NEAR(moved.noise()->b, before->b + w * error * error / (2 * (1 + w * q)), 1e-9);
      }
    }
  }
}

// The deviation expected is far below the rewards' unit: within a unit there are no outliers.
TEST(Filter, WhatIsRareForAContextButNotForRewardsAsAWholeCountsAlmostWhole) {
  FilterOptions options = known(1e-4);
  options.robust = 5;
  const Filter<double> filter(testing::body_belief(1, 1e-4), options);
  const Vector<double> g = Vector<double>::Ones(1), none;
  ParameterScratch<double> scratch;
  const auto step = filter.weigh(linear_at<double>(filter.belief(), 0, g, none), 1, scratch);
  EXPECT_NEAR(step.weight, 25.0 / 26, 1e-12);
}

}  // namespace
}  // namespace bandolier::filter_far_test
