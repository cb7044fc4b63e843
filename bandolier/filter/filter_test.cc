// The filter of a linear predictor against closed forms.
#include "bandolier/filter/filter.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "bandolier/filter/test_regression.h"
#include "testing/dense.h"

namespace bandolier::filter_test {
namespace {

using testing::archive_of;
using testing::Case;
using testing::inferred;
using testing::kCases;
using testing::known;
using testing::kPrior;
using testing::learn_row;
using testing::linear_at;
using testing::make_filter;
using testing::make_regression;
using testing::Regression;

// With S = G P₀ Gᵀ + R I the rewards are N(0, S): by the chain rule the filter's predictives must
// multiply to its density. A filter of blocks apart is exact where there is one block to a reward.
TEST(Filter, OfALinearPredictorIsBayesianRegressionAndItsPredictivesMultiplyToTheEvidence) {
  constexpr Index kRewards = 60;
  constexpr double kNoise = 0.2;
  for (const Case& c : kCases) {
    if (std::string_view(c.name) == "apart") continue;
    const Regression data = make_regression(c.layout, kRewards);
    Filter<double> filter = make_filter(c, known(kNoise));
    ParameterScratch<double> scratch;
    double evidence = 0;
    for (Index t = 0; t < kRewards; ++t) {
      evidence += learn_row(filter, data, t, data.y[t], scratch).log_predictive;
    }
    const Index d = c.layout.size();
    const Eigen::MatrixXd covariance = testing::inverse(Eigen::MatrixXd::Identity(d, d) / kPrior +
                                                        data.g.transpose() * data.g / kNoise);
    const Vector<double> mean = covariance * data.g.transpose() * data.y / kNoise;
    EXPECT_LT((testing::mean_of(filter.belief()) - mean).norm(), 1e-10) << c.name;
    EXPECT_LT((filter.belief().covariance() - covariance).norm(), 1e-10) << c.name;

    Eigen::MatrixXd s = kPrior * data.g * data.g.transpose();
    s.diagonal().array() += kNoise;
    const Eigen::LLT<Eigen::MatrixXd> root(s);
    const double log_det = 2 * root.matrixL().toDenseMatrix().diagonal().array().log().sum();
    const double expected = -0.5 * (kRewards * std::log(2 * std::numbers::pi) + log_det +
                                    data.y.dot(root.solve(data.y)));
    EXPECT_NEAR(evidence, expected, 1e-9) << c.name;
  }
}

// The same with σ² ~ IG(a, b): with S = I + G P₀ Gᵀ and c = yᵀS⁻¹y/2, rewards are multivariate
// Student-t and the noise becomes IG(a + n/2, b + c).
TEST(Filter, InferredNoiseIsThatOfTheMultivariateStudentAndSoAreThePredictives) {
  constexpr Index kRewards = 60;
  constexpr double kA = 3, kB = 0.4, kHalf = 0.5 * kRewards;
  for (const Case& c : kCases) {
    if (std::string_view(c.name) == "apart") continue;
    const Regression data = make_regression(c.layout, kRewards);
    Filter<double> filter = make_filter(c, inferred({kA, kB}));
    ParameterScratch<double> scratch;
    double evidence = 0;
    for (Index t = 0; t < kRewards; ++t) {
      const auto step = learn_row(filter, data, t, data.y[t], scratch);
      evidence += step.log_predictive;
    }
    Eigen::MatrixXd s = kPrior * data.g * data.g.transpose();
    s.diagonal().array() += 1;
    const Eigen::LLT<Eigen::MatrixXd> root(s);
    const double log_det = 2 * root.matrixL().toDenseMatrix().diagonal().array().log().sum();
    const double half_square = 0.5 * data.y.dot(root.solve(data.y));
    EXPECT_NEAR(filter.noise()->a, kA + kHalf, 1e-12) << c.name;
    EXPECT_NEAR(filter.noise()->b, kB + half_square, 1e-9) << c.name;
    const double expected = std::lgamma(kA + kHalf) - std::lgamma(kA) + kA * std::log(kB) -
                            kHalf * std::log(2 * std::numbers::pi) - 0.5 * log_det -
                            (kA + kHalf) * std::log(kB + half_square);
    EXPECT_NEAR(evidence, expected, 1e-9) << c.name;
  }
}

TEST(Filter, TheVarianceOfARewardIsThatOfTheNoiseAndOfThePredictor) {
  const Vector<double> g{{2.0, 0.0, 1.0}}, none;
  ParameterScratch<double> scratch;
  const double q = kPrior * 5;
  const Filter<double> of_known(testing::body_belief(3, kPrior), known(0.3));
  const auto step = of_known.weigh(linear_at<double>(of_known.belief(), 0, g, none), 1, scratch);
  EXPECT_NEAR(step.q, q, 1e-12);
  EXPECT_NEAR(step.variance, 0.3 + q, 1e-12);
  // E σ² = 8/4, P in units of σ².
  const Filter<double> other(testing::body_belief(3, kPrior), inferred({5, 8}));
  const auto same = other.weigh(linear_at<double>(other.belief(), 0, g, none), 1, scratch);
  EXPECT_NEAR(same.q, q, 1e-12);
  EXPECT_NEAR(same.variance, 2 * (1 + q), 1e-12);
}

// z ~ t with 2a degrees of freedom and scale P·b/a: variance P·b/(a − 1).
TEST(Filter, SamplesWithInferredNoiseHaveTheStudentVariance) {
  const Filter<double> filter(testing::body_belief(1, 0.5), inferred({5, 8}));
  Random random({.seed = 22});
  SampleScratch<double> draw;
  Vector<double> z(1);
  double squares = 0;
  constexpr int kSamples = 40'000;
  for (int i = 0; i < kSamples; ++i) {
    const double scale = std::sqrt(filter.sample_unit_variance(random));
    filter.belief().draw_body(random, scale, draw, z);
    squares += z[0] * z[0];
  }
  EXPECT_NEAR(squares / kSamples, 0.5 * 8 / 4, 0.05);
  EXPECT_DOUBLE_EQ(filter.unit_variance(), 2);
}

// The body under heads is in no unit of rewards: its gradient is 0 here.
TEST(Filter, RescalingIsAsIfTheRewardsHadBeenGivenInTheOtherUnit) {
  for (const Case& c : kCases) {
    Regression data = make_regression(c.layout, 50);
    if (c.layout.heads > 0) data.g.leftCols(c.layout.body).setZero();
    Filter<double> rescaled = make_filter(c, inferred({3, 0.3})), direct = rescaled;
    ParameterScratch<double> scratch;
    for (Index t = 0; t < data.y.size(); ++t) {
      learn_row(rescaled, data, t, data.y[t], scratch);
      learn_row(direct, data, t, data.y[t] / 4, scratch);
    }
    rescaled.rescale(0.25);
    const Vector<double> mean = testing::mean_of(direct.belief());
    EXPECT_LT((testing::mean_of(rescaled.belief()) - mean).norm(), 1e-12) << c.name;
    EXPECT_NEAR(rescaled.noise()->b, direct.noise()->b, 1e-12) << c.name;
  }
}

// Evidence fades by ½ per reward: after 60 nothing of it is left.
TEST(Filter, ForgettingReturnsTheCovarianceAndTheNoiseToThePriorAndKeepsTheMean) {
  for (const BeliefKind kind : {BeliefKind::kFull, BeliefKind::kDiagonal, BeliefKind::kLowRank}) {
    for (const Case& c : kCases) {
      const Regression data = make_regression(c.layout, 40);
      FilterOptions options = inferred({3, 0.3});
      ParameterBeliefOptions belief{{kind, 2, {}}, {kind, 2, {}}, c.joint};
      Filter<double> learning(testing::zero_belief<double>(c.layout, kPrior, belief), options);
      options.forgetting = 0.5;
      Filter<double> filter(learning.belief(), options);
      ParameterScratch<double> scratch;
      for (Index t = 0; t < 40; ++t) learn_row(filter, data, t, data.y[t], scratch);
      const Vector<double> mean = testing::mean_of(filter.belief());
      const Index d = c.layout.size();
      const Matrix<double> prior = kPrior * Matrix<double>::Identity(d, d);
      EXPECT_GT((filter.belief().covariance() - prior).norm(), 0.5);
      for (int t = 0; t < 60; ++t) filter.advance(scratch);
      EXPECT_LT((filter.belief().covariance() - prior).norm(), 1e-12) << c.name;
      EXPECT_NEAR(filter.noise()->a, 3, 1e-12);
      EXPECT_NEAR(filter.noise()->b, 0.3, 1e-12);
      EXPECT_EQ(testing::mean_of(filter.belief()), mean);
    }
  }
}

// Given in units of rewards², P in units of σ²: with E σ² = 2, half of it is added.
TEST(Filter, ProcessNoiseIsInUnitsOfRewards) {
  FilterOptions options = inferred({5, 8});
  options.process_noise = 0.1;
  Filter<double> filter(testing::body_belief(4, kPrior, {BeliefKind::kDiagonal, 1, {}}), options);
  ParameterScratch<double> scratch;
  for (int t = 0; t < 10; ++t) filter.advance(scratch);
  const Matrix<double> expected = (kPrior + 10 * 0.05) * Matrix<double>::Identity(4, 4);
  EXPECT_LT((filter.belief().covariance() - expected).norm(), 1e-12);
}

TEST(Filter, GoesOnBitForBitAfterSaveAndLoad) {
  for (const Case& c : kCases) {
    const Regression data = make_regression(c.layout, 40);
    FilterOptions options = inferred({3, 0.3});
    options.forgetting = 0.97;
    options.process_noise = 0.01;
    Filter<double> filter = make_filter(c, options), loaded = filter;
    ParameterScratch<double> scratch;
    for (Index t = 0; t < 40; ++t) {
      if (t == 17) loaded.load(ArchiveReader(archive_of(filter), "filter"));
      learn_row(filter, data, t, data.y[t], scratch);
      filter.advance(scratch);
      if (t < 17) continue;
      learn_row(loaded, data, t, data.y[t], scratch);
      loaded.advance(scratch);
    }
    EXPECT_TRUE(archive_of(loaded) == archive_of(filter)) << c.name;
  }
}

}  // namespace
}  // namespace bandolier::filter_test
