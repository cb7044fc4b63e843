#include "bandolier/belief/gaussian_full.h"

#include <gtest/gtest.h>

#include "bandolier/belief/test_reference_filter.h"
#include "testing/dense.h"

namespace bandolier::gaussian_full_test {
namespace {

Vector<double> direction(Index dim, Random& random) {
  Vector<double> g(dim);
  random.fill_normal(g);
  return g;
}

TEST(GaussianFull, MatchesClosedFormPosteriorAfterOneReward) {
  // Prior N(0, 4), y = w·2 + noise of variance 3, y = 5: precision 1/4 + 4/3, mean
  // (10/3)/precision.
  GaussianFull<double> belief(1, 4);
  const auto innovation = belief.update(Vector<double>::Constant(1, 2), {5.0 / 3, 1.0 / 3});
  const double precision = 0.25 + 4.0 / 3;
  EXPECT_DOUBLE_EQ(innovation.variance, 16);
  EXPECT_DOUBLE_EQ(belief.covariance()(0, 0), 1 / precision);
  EXPECT_DOUBLE_EQ(belief.mean()[0], 10.0 / 3 / precision);
}

TEST(GaussianFull, MatchesTheNormalEquationsOfLinearRegressionTo1em10) {
  constexpr Index kDim = 12, kRows = 300;
  constexpr double kNoise = 0.2, kPrior = 3;
  Random random({.seed = 1});
  const Vector<double> truth = direction(kDim, random);
  GaussianFull<double> belief(kDim, kPrior);
  Matrix<double> precision = Matrix<double>::Identity(kDim, kDim) / kPrior;
  Vector<double> information = Vector<double>::Zero(kDim);
  for (Index t = 0; t < kRows; ++t) {
    const Vector<double> x = direction(kDim, random);
    const double y = x.dot(truth) + std::sqrt(kNoise) * random.normal();
    belief.update(x, {(y - x.dot(belief.mean())) / kNoise, 1 / kNoise});
    precision += x * x.transpose() / kNoise;
    information += x * y / kNoise;
  }
  const Matrix<double> covariance = testing::inverse(precision);
  EXPECT_LT((belief.mean() - covariance * information).norm(), 1e-10);
  EXPECT_LT((belief.covariance() - covariance).norm(), 1e-10 * covariance.norm());
}

// The precision P₀⁻¹ + V Σ g gᵀ in double is the reference. Coordinates differ in scale by 1000.
TEST(GaussianFull, FloatAgreesWithDoubleTo1PercentAfterAMillionUpdates) {
  constexpr Index kDim = 10;
  constexpr float kCurvature = 10;
  Random random({.seed = 2});
  GaussianFull<float> belief(kDim, 1);
  Matrix<double> precision = Matrix<double>::Identity(kDim, kDim);
  Vector<float> scales(kDim);
  for (Index i = 0; i < kDim; ++i) scales[i] = std::pow(10.0f, -3.0f * float(i) / (kDim - 1));
  Vector<float> g(kDim), scratch;
  Vector<double> wide(kDim);
  BeliefScratch<float> work;
  for (int t = 0; t < 1000000; ++t) {
    random.fill_normal(g);
    g.array() *= scales.array();
    belief.update(g, {0, kCurvature}, work);
    wide = g.cast<double>();
    precision.noalias() += static_cast<double>(kCurvature) * wide * wide.transpose();
  }
  const Matrix<double> covariance = testing::inverse(precision);
  const auto relative_error = [&](const Vector<float>& h) {
    wide = h.cast<double>();
    const double expected = wide.dot(covariance * wide);
    return std::abs(static_cast<double>(belief.variance(h, scratch)) / expected - 1);
  };
  double worst = 0;
  for (int t = 0; t < 200; ++t) {
    random.fill_normal(g);
    worst = std::max(worst, relative_error(g));
    g.array() *= scales.array();
    worst = std::max(worst, relative_error(g));
  }
  const Eigen::MatrixXd vectors = testing::symmetric_eigen(precision).vectors;
  for (Index i = 0; i < kDim; ++i) {
    worst = std::max(worst, relative_error(vectors.col(i).cast<float>()));
    worst = std::max(worst, relative_error(Vector<float>::Unit(kDim, i)));
  }
  EXPECT_LT(worst, 0.01);
  RecordProperty("worst_relative_error", std::to_string(worst));
}

TEST(GaussianFull, ProcessNoiseWaitsForDStepsAndThenIsExactInTotal) {
  constexpr Index kDim = 6;
  Random random({.seed = 5});
  GaussianFull<double> belief(kDim, 1);
  for (int t = 0; t < 10; ++t) belief.update(direction(kDim, random), {0, 5});
  const Matrix<double> before = belief.covariance();
  for (Index t = 0; t < kDim - 1; ++t) belief.add_process_noise(0.01);
  EXPECT_EQ(belief.covariance(), before);
  belief.add_process_noise(0.01);
  const Matrix<double> expected = before + 0.01 * kDim * Matrix<double>::Identity(kDim, kDim);
  EXPECT_LT((belief.covariance() - expected).norm(), 1e-14);
  belief.add_process_noise(0.5);
  BeliefScratch<double> scratch;
  belief.fold(scratch);
  EXPECT_LT((belief.covariance() - expected - 0.5 * Matrix<double>::Identity(kDim, kDim)).norm(),
            1e-14);
}

TEST(GaussianFull, PrecisionAfterSparseFoldsOfForgettingIsThatOfFoldingEachStep) {
  constexpr Index kDim = 8;
  Random random({.seed = 6});
  GaussianFull<double> sparse(kDim, 0.7), dense(kDim, 0.7, {.fold_every = 1});
  BeliefScratch<double> scratch;
  for (int t = 0; t < 100; ++t) {
    const Vector<double> g = direction(kDim, random);
    for (GaussianFull<double>* belief : {&sparse, &dense}) {
      belief->forget(0.98, scratch);
      belief->update(g, {0, 3});
    }
  }
  sparse.fold(scratch);
  EXPECT_LT((sparse.covariance() - dense.covariance()).norm(), 1e-13 * dense.covariance().norm());
}

TEST(GaussianFull, FloatStaysFiniteOver200000StepsOfForgettingUnseenDirections) {
  GaussianFull<float> belief(4, 2);
  const Vector<float> seen = Vector<float>::Unit(4, 0), unseen = Vector<float>::Unit(4, 3);
  BeliefScratch<float> work;
  for (int t = 0; t < 200000; ++t) {
    belief.forget(0.999f, work);
    belief.update(seen, {0, 1}, work);
  }
  belief.fold(work);
  Vector<float> scratch;
  EXPECT_NEAR(belief.variance(unseen, scratch), 2, 0.01);
  // Stationary precision: (1 − γ)/2 + 1 + γ·precision = precision.
  EXPECT_NEAR(belief.variance(seen, scratch) * 1000.5f, 1, 0.01);
}

TEST(GaussianFull, NoiseAndForgettingTogetherFoldInTheOrderGivenWhenFoldedEachStep) {
  constexpr Index kDim = 5;
  Random random({.seed = 8});
  GaussianFull<double> belief(kDim, 1, {.fold_every = 1});
  testing::ReferenceFilter reference{Vector<double>::Zero(kDim),
                                     Matrix<double>::Identity(kDim, kDim),
                                     Matrix<double>::Ones(kDim, kDim)};
  BeliefScratch<double> scratch;
  for (int t = 0; t < 40; ++t) {
    belief.add_process_noise(0.02);
    reference.add_process_noise(0.02);
    belief.forget(0.95, scratch);
    reference.forget(0.95);
    const Vector<double> g = direction(kDim, random);
    belief.update(g, {0.1, 2});
    reference.update(g, 0.1, 2);
  }
  EXPECT_LT((belief.covariance() - reference.p).norm(), 1e-12);
  EXPECT_LT((belief.mean() - reference.mean).norm(), 1e-12);
}

TEST(GaussianFull, ManyRewardsAtOnceAreSequentialUpdatesInAnyOrder) {
  Random random({.seed = 9});
  const Vector<double> g = direction(4, random), h = direction(4, random);
  GaussianFull<double> forward(4, 1), backward(4, 1);
  const auto learn = [](GaussianFull<double>& belief, const Vector<double>& x, double y) {
    belief.update(x, {(y - x.dot(belief.mean())) / 0.3, 1 / 0.3});
  };
  learn(forward, g, 1);
  learn(forward, h, -2);
  learn(backward, h, -2);
  learn(backward, g, 1);
  EXPECT_LT((forward.mean() - backward.mean()).norm(), 1e-14);
  EXPECT_LT((forward.covariance() - backward.covariance()).norm(), 1e-14);
}

TEST(GaussianFull, NeedsTwoMatricesMoreToForget) {
  EXPECT_EQ(GaussianFull<float>::bytes_needed(100) + SquareRoot<float>::fold_bytes_needed(100),
            4 * (3 * 100 * 100 + 100));
  EXPECT_EQ(GaussianFull<double>::bytes_needed(4'000'000'000), 8 * (16e18 + 4e9));
}

}  // namespace
}  // namespace bandolier::gaussian_full_test
