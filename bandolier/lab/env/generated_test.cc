// Wheel, linear and sparse-linear: the numbers of Riquelme et al. (2018).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bandolier/lab/env/linear.h"
#include "bandolier/lab/env/wheel.h"
#include "testing/dense.h"
#include "testing/errors.h"

namespace bandolier::generated_test {
namespace {

constexpr Index kSteps = 20'000;

TEST(Wheel, PaysFiftyBeyondDeltaByTheActionOfTheQuadrantAndOneElsewhere) {
  const auto trial = make_wheel({.delta = 0.5})->trial(1, 0, 2000);
  ContextBuffer buffer;
  std::vector<float> expected(5);
  for (Index t = 0; t < trial->steps(); ++t) {
    const auto x = trial->context(t, buffer).features.values;
    trial->expected_rewards(t, expected);
    const bool rare = std::hypot(x[0], x[1]) >= 0.5f;
    const std::size_t quadrant = x[0] > 0 ? (x[1] > 0 ? 0 : 1) : (x[1] > 0 ? 2 : 3);
    for (std::size_t a = 0; a < 4; ++a) EXPECT_EQ(expected[a], rare && a == quadrant ? 50 : 1);
    EXPECT_FLOAT_EQ(expected[4], 1.2f);
  }
}

TEST(Wheel, HasContextsUniformInTheDisc) {
  // Under a uniform disc ‖x‖² is uniform on [0, 1], and E x = 0 with variance 1/4.
  const auto trial = make_wheel({})->trial(2, 0, kSteps);
  ContextBuffer buffer;
  double inner = 0, sum = 0;
  for (Index t = 0; t < kSteps; ++t) {
    const auto x = trial->context(t, buffer).features.values;
    const double square = static_cast<double>(x[0] * x[0] + x[1] * x[1]);
    ASSERT_LE(square, 1.000001);
    inner += square < 0.25 ? 1 : 0;
    sum += static_cast<double>(x[0] + x[1]);
  }
  EXPECT_NEAR(inner / kSteps, 0.25, 4 * std::sqrt(0.25 * 0.75 / kSteps));
  EXPECT_NEAR(sum / kSteps, 0, 4 * std::sqrt(0.5 / kSteps));
}

TEST(Wheel, HasNoiseOfFivePercentAndOnePercentWhereItPaysFifty) {
  const auto trial = make_wheel({.delta = 0.5})->trial(3, 0, kSteps);
  std::vector<float> expected(5);
  double common = 0, rare = 0;
  Index commons = 0, rares = 0;
  for (Index t = 0; t < kSteps; ++t) {
    trial->expected_rewards(t, expected);
    const double error = static_cast<double>(trial->reward(t, 2) - expected[2]);
    (expected[2] == 50 ? rare : common) += error * error;
    ++(expected[2] == 50 ? rares : commons);
  }
  EXPECT_NEAR(std::sqrt(common / static_cast<double>(commons)), 0.05, 0.002);
  EXPECT_NEAR(std::sqrt(rare / static_cast<double>(rares)), 0.01, 0.001);
}

TEST(Wheel, IsRareOnceInTenAtNinetyFivePercent) {
  const auto trial = make_wheel({})->trial(4, 0, kSteps);
  std::vector<float> expected(5);
  double rare = 0;
  for (Index t = 0; t < kSteps; ++t) {
    trial->expected_rewards(t, expected);
    rare += *std::max_element(expected.begin(), expected.end()) == 50 ? 1 : 0;
  }
  EXPECT_NEAR(rare / kSteps, 1 - 0.95 * 0.95, 4 * std::sqrt(0.0975 * 0.9025 / kSteps));
}

// βⱼ by least squares from contexts and expected rewards: exact but for rounding.
Matrix<double> weights_of(const Trial& trial, const ProblemShape& shape) {
  const Index n = 4 * shape.features;
  Matrix<double> x(n, shape.features), y(n, shape.actions);
  ContextBuffer buffer;
  std::vector<float> expected(static_cast<std::size_t>(shape.actions));
  for (Index t = 0; t < n; ++t) {
    const Context context = trial.context(t, buffer);
    trial.expected_rewards(t, expected);
    for (Index i = 0; i < shape.features; ++i) {
      x(t, i) = static_cast<double>(context.features.values[static_cast<std::size_t>(i)]);
    }
    for (Index a = 0; a < shape.actions; ++a) {
      y(t, a) = static_cast<double>(expected[static_cast<std::size_t>(a)]);
    }
  }
  return (testing::inverse(x.transpose() * x) * (x.transpose() * y)).transpose();
}

TEST(LinearProblem, HasTenFeaturesEightActionsAndUnitWeights) {
  const auto environment = make_linear_problem({});
  const auto trial = environment->trial(1, 0, 100);
  const Matrix<double> weights = weights_of(*trial, environment->shape());
  ASSERT_EQ(weights.rows(), 8);
  ASSERT_EQ(weights.cols(), 10);
  for (Index a = 0; a < 8; ++a) EXPECT_NEAR(weights.row(a).norm(), 1, 1e-5);
  EXPECT_GT((weights - weights_of(*environment->trial(1, 1, 100), environment->shape())).norm(), 1)
      << "another trial has other weights";
}

TEST(LinearProblem, HasNoiseOfOnePercentTimesTheActionsNumber) {
  const auto trial = make_linear_problem({})->trial(1, 0, kSteps);
  std::vector<float> expected(8);
  for (const Index a : {0, 7}) {
    double squares = 0;
    for (Index t = 0; t < kSteps; ++t) {
      trial->expected_rewards(t, expected);
      const double error =
          static_cast<double>(trial->reward(t, a) - expected[static_cast<std::size_t>(a)]);
      squares += error * error;
    }
    const double deviation = 0.01 * static_cast<double>(a + 1);
    EXPECT_NEAR(std::sqrt(squares / kSteps), deviation, 0.03 * deviation);
  }
}

// A sum of n rewards less their means, over its deviation: below 4.5, with variances by the
// payoff's own formula. That of t₃ is finite, though its square's is not.
TEST(LinearProblem, PaysWhatItsExpectedRewardsSayWhateverThePayoff) {
  const auto variance_of = [](Payoff payoff, double mean, double deviation) {
    if (payoff == Payoff::kRare) return mean * (1 - mean);
    if (payoff == Payoff::kSkewed) return mean * mean * (std::exp(1.0) - 1);
    return deviation * deviation;
  };
  for (const Payoff payoff : {Payoff::kNormal, Payoff::kRare, Payoff::kSkewed, Payoff::kHeavy}) {
    const auto trial = make_linear_problem({.noise = 0.2, .payoff = payoff})->trial(1, 0, kSteps);
    std::vector<float> expected(8);
    for (const Index a : {0, 7}) {
      double sum = 0, variance = 0, largest = 0;
      for (Index t = 0; t < kSteps; ++t) {
        trial->expected_rewards(t, expected);
        const auto mean = static_cast<double>(expected[static_cast<std::size_t>(a)]);
        const double error = static_cast<double>(trial->reward(t, a)) - mean;
        const double of_one = variance_of(payoff, mean, 0.2 * static_cast<double>(a + 1));
        sum += error;
        variance += of_one;
        largest = std::max(largest, std::abs(error) / std::sqrt(of_one));
      }
      EXPECT_LT(std::abs(sum) / std::sqrt(variance), 4.5) << static_cast<int>(payoff) << " " << a;
      if (payoff == Payoff::kNormal) {
        EXPECT_LT(largest, 6);
      }
      if (payoff == Payoff::kHeavy || payoff == Payoff::kSkewed) {
        EXPECT_GT(largest, 8);
      }
    }
  }
}

TEST(LinearProblem, RareRewardsAreSevenInAHundred) {
  const auto trial = make_linear_problem({.payoff = Payoff::kRare})->trial(2, 0, kSteps);
  double sum = 0;
  for (Index t = 0; t < kSteps; ++t) sum += static_cast<double>(trial->reward(t, 3));
  EXPECT_NEAR(sum / kSteps, 0.0677, 0.008);  // E 1/(1 + exp(4 − 2η)), η ~ N(0, 1)
}

TEST(SparseLinear, HasSevenActionsOfThreeWeightsAtPlacesOfTheirOwn) {
  const auto environment = make_sparse_linear({});
  const Matrix<double> weights = weights_of(*environment->trial(1, 0, 100), environment->shape());
  ASSERT_EQ(weights.rows(), 7);
  Index places = 0;
  for (Index i = 0; i < 10; ++i) places += (weights.col(i).array().abs() > 1e-4).any() ? 1 : 0;
  EXPECT_GT(places, 3);
  for (Index a = 0; a < 7; ++a) {
    EXPECT_EQ((weights.row(a).array().abs() > 1e-4).count(), 3);
    EXPECT_NEAR(weights.row(a).norm(), 1, 1e-5);
  }
}

TEST(SparseLinear, RefusesMoreNonzeroWeightsThanFeatures) {
  EXPECT_EQ(testing::error_of([] { make_sparse_linear({.features = 4, .nonzero = 5}); }),
            "environment 'sparse-linear': nonzero=5: expected at most features=4");
}

}  // namespace
}  // namespace bandolier::generated_test
