#include "bandolier/belief/robust.h"

#include <gtest/gtest.h>

#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/likelihood.h"

namespace bandolier::robust_test {
namespace {

TEST(Robust, WeightIsOneAtZeroHalfAtTheThresholdAndFallsAsTheSquare) {
  EXPECT_EQ(robust_weight(0.0, 3.0), 1);
  EXPECT_DOUBLE_EQ(robust_weight(3.0, 3.0), 0.5);
  EXPECT_DOUBLE_EQ(robust_weight(-3.0, 3.0), 0.5);
  EXPECT_DOUBLE_EQ(robust_weight(4.0, 2.0), 4.0 / (4 + 16));
  EXPECT_NEAR(robust_weight(1e6, 3.0) * 1e12, 9, 1e-6);
}

TEST(Robust, StandardisedGaussianErrorIsInnovationOverItsDeviation) {
  const auto observation = Likelihood::gaussian(0.5).observe(1.0, 4.0);
  EXPECT_DOUBLE_EQ(standardised(observation, 1.5), 3 / std::sqrt(0.5 + 1.5));
  EXPECT_EQ(standardised(Observation<double>{1, 0}, 1.0), 0);
}

TEST(Robust, WeightedGaussianObservationHasNoiseDividedByTheWeight) {
  const auto half = weighted(Likelihood::gaussian(0.5).observe(1.0, 4.0), 0.5);
  const auto noisier = Likelihood::gaussian(1).observe(1.0, 4.0);
  EXPECT_DOUBLE_EQ(half.slope, noisier.slope);
  EXPECT_DOUBLE_EQ(half.curvature, noisier.curvature);
}

TEST(Robust, AnOutlierOfAnySizeMovesTheMeanByLessThanOneAtTheThreshold) {
  constexpr double kThreshold = 3;
  const auto moved = [](double reward) {
    GaussianFull<double> belief(1, 1);
    const auto observation = Likelihood::gaussian(1).observe(0.0, reward);
    const double w = robust_weight(standardised(observation, 1.0), kThreshold);
    belief.update(Vector<double>::Ones(1), weighted(observation, w));
    return belief.mean()[0];
  };
  const double at_threshold = moved(kThreshold * std::sqrt(2.0));
  for (const double reward : {30.0, 1e3, 1e6, 1e9}) EXPECT_LT(moved(reward), at_threshold);
  EXPECT_LT(moved(1e9), 1e-6);
}

}  // namespace
}  // namespace bandolier::robust_test
