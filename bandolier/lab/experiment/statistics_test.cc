#include "bandolier/lab/experiment/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bandolier::statistics_test {
namespace {

TEST(StudentT, QuantilesAgreeWithPublishedTables) {
  EXPECT_NEAR(student_t_quantile(0.975, 1), 12.706205, 1e-5);
  EXPECT_NEAR(student_t_quantile(0.975, 2), 4.302653, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.975, 9), 2.262157, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.975, 30), 2.042272, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.95, 4), 2.131847, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.975, 1e6), 1.959966, 1e-5);
}

TEST(StudentT, IsSymmetricAboutZero) {
  EXPECT_DOUBLE_EQ(student_t_quantile(0.1, 5), -student_t_quantile(0.9, 5));
  EXPECT_NEAR(student_t_quantile(0.5, 5), 0, 1e-9);
}

TEST(IncompleteBeta, MatchesClosedForms) {
  EXPECT_NEAR(incomplete_beta(1, 3, 0.2), 1 - std::pow(0.8, 3), 1e-14);
  EXPECT_NEAR(incomplete_beta(2, 2, 0.3), 0.3 * 0.3 * (3 - 2 * 0.3), 1e-14);
  EXPECT_NEAR(incomplete_beta(0.5, 0.5, 0.7), 2 / M_PI * std::asin(std::sqrt(0.7)), 1e-13);
}

TEST(Estimate, OfTwoFourFourFourFiveFiveSevenNineIsFiveWithInterval1Point79) {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  const Estimate e = estimate(values);
  EXPECT_EQ(e.count, 8);
  EXPECT_DOUBLE_EQ(e.mean, 5);
  EXPECT_NEAR(*e.deviation, std::sqrt(32.0 / 7), 1e-12);
  EXPECT_NEAR(*e.ci95, 2.364624 * std::sqrt(32.0 / 7) / std::sqrt(8.0), 1e-6);
}

TEST(Estimate, OfOneValueHasNoInterval) {
  const std::vector<double> values = {3};
  EXPECT_DOUBLE_EQ(estimate(values).mean, 3);
  EXPECT_FALSE(estimate(values).ci95.has_value());
}

TEST(PairedDifference, CancelsWhatTrialsShare) {
  const std::vector<double> a = {101, 202, 303}, b = {100, 200, 300};
  const Estimate e = paired_difference(a, b);
  EXPECT_DOUBLE_EQ(e.mean, 2);
  EXPECT_DOUBLE_EQ(*e.deviation, 1);
  EXPECT_NEAR(*e.ci95, 4.302653 / std::sqrt(3.0), 1e-6);
}

}  // namespace
}  // namespace bandolier::statistics_test
