#include "bandolier/belief/inverse_gamma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace bandolier::inverse_gamma_test {
namespace {

// ∫ N(e | 0, s v) IG(v | a, b) dv by the trapezium rule in log v.
double marginal_density(const InverseGamma& noise, double error, double s) {
  constexpr int kPoints = 20000;
  constexpr double kLow = -20, kHigh = 20, kStep = (kHigh - kLow) / kPoints;
  double sum = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const double v = std::exp(kLow + i * kStep);
    const double log_inverse_gamma = noise.a * std::log(noise.b) - std::lgamma(noise.a) -
                                     (noise.a + 1) * std::log(v) - noise.b / v;
    const double log_normal =
        -0.5 * std::log(2 * std::numbers::pi * s * v) - error * error / (2 * s * v);
    sum += std::exp(log_inverse_gamma + log_normal) * v * kStep;
  }
  return sum;
}

TEST(InverseGamma, PredictiveEqualsTheNormalIntegratedOverTheVarianceTo1e8) {
  const InverseGamma noise{3.5, 0.7};
  for (const double error : {0.0, 0.3, -2.0, 10.0}) {
    for (const double s : {1.0, 4.0}) {
      const double expected = marginal_density(noise, error, s);
      EXPECT_NEAR(std::exp(noise.log_predictive(error, s)) / expected, 1, 1e-8);
    }
  }
}

// Student-t with ν = 3, σ² = s b/a: density 2/(π √3 σ (1 + e²/(3σ²))²).
TEST(InverseGamma, DegreesOfFreedomAreAtMostThoseAskedFor) {
  const InverseGamma much{400, 120};
  for (const double error : {0.0, 0.3, -2.0, 50.0}) {
    const double sigma = std::sqrt(2.0 * 0.3), tail = 1 + error * error / (3 * sigma * sigma);
    const double expected = 2 / (std::numbers::pi * std::sqrt(3) * sigma * tail * tail);
    EXPECT_NEAR(std::exp(much.log_predictive(error, 2, 3)) / expected, 1, 1e-10);
  }
  const InverseGamma little{1, 0.3};
  EXPECT_EQ(little.log_predictive(0.7, 2, 3), little.log_predictive(0.7, 2));
}

TEST(InverseGamma, UpdateAddsHalfAndTheNormalisedSquaredError) {
  InverseGamma noise{6, 6};
  noise.update(3, 0.5);
  EXPECT_DOUBLE_EQ(noise.a, 6.5);
  EXPECT_DOUBLE_EQ(noise.b, 9);
}

// Noise of variance σ²/w: in units of w the same reward has e√w and q·w.
TEST(InverseGamma, AWeightIsNoiseOfTheVarianceDividedByIt) {
  InverseGamma noise{6, 6};
  noise.update(3, 2, 0.25);
  EXPECT_DOUBLE_EQ(noise.a, 6.125);
  EXPECT_DOUBLE_EQ(noise.b, 6.75);  // 6 + ¼·9/(2·1.5)
}

TEST(InverseGamma, ForgettingTenTimesLeavesTheTenthPowerOfTheEvidence) {
  const InverseGamma prior{6, 3};
  InverseGamma noise{106, 43};
  for (int i = 0; i < 10; ++i) noise.forget(0.9, prior);
  EXPECT_NEAR(noise.a, 6 + 100 * std::pow(0.9, 10), 1e-12);
  EXPECT_NEAR(noise.b, 3 + 40 * std::pow(0.9, 10), 1e-12);
}

TEST(InverseGamma, MeanOfSamplesIsBOverAMinusOne) {
  const InverseGamma noise{6, 3};
  Random random({.seed = 1});
  double sum = 0;
  constexpr int kSamples = 200000;
  for (int i = 0; i < kSamples; ++i) sum += noise.sample(random);
  // The standard deviation of a sample is 0.3: five standard errors.
  EXPECT_NEAR(sum / kSamples, 0.6, 5 * 0.3 / std::sqrt(kSamples));
  EXPECT_DOUBLE_EQ(noise.mean(), 0.6);
}

TEST(InverseGamma, MeanIsFiniteWhereTheExpectationIsNot) {
  EXPECT_DOUBLE_EQ((InverseGamma{0.5, 2}.mean()), 4);
}

}  // namespace
}  // namespace bandolier::inverse_gamma_test
