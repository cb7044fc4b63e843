#include "bandolier/belief/low_rank.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "bandolier/belief/gaussian_full.h"
#include "bandolier/nn/network.h"
#include "testing/dense.h"

namespace bandolier::low_rank_test {
namespace {

constexpr Index kDim = 12;

Vector<double> random_vector(Random& random, Index size = kDim) {
  Vector<double> g(size);
  random.fill_normal(g);
  return g;
}

LowRank<double> make_belief(Index rank) {
  const Vector<double> mean = Vector<double>::LinSpaced(kDim, -1, 1);
  const Vector<double> variances = Vector<double>::LinSpaced(kDim, 0.3, 2);
  return LowRank<double>(mean, variances, rank);
}

TEST(LowRank, IsExactWhileObservationsAreFewerThanTwiceTheRank) {
  const Vector<double> mean = Vector<double>::LinSpaced(kDim, -1, 1);
  const Vector<double> variances = Vector<double>::LinSpaced(kDim, 0.3, 2);
  GaussianFull<double> exact(mean, variances);
  LowRank<double> belief(mean, variances, 5);
  Random random({.seed = 1});
  for (int t = 0; t < 9; ++t) {
    const auto g = random_vector(random);
    const auto expected = exact.update(g, {2, 3});
    EXPECT_NEAR(belief.update(g, {2, 3}).variance, expected.variance, 1e-12);
  }
  EXPECT_LT((belief.mean() - exact.mean()).norm(), 1e-12);
  EXPECT_LT((belief.covariance() - exact.covariance()).norm(), 1e-12);
}

TEST(LowRank, KeepsTheDiagonalOfThePrecisionExactWhateverIsDropped) {
  LowRank<double> belief = make_belief(3);
  Matrix<double> precision = belief.precision();
  Random random({.seed = 2});
  for (int t = 0; t < 100; ++t) {
    const auto g = random_vector(random);
    belief.update(g, {1, 0.5});
    precision += 0.5 * g * g.transpose();
  }
  EXPECT_LT((belief.precision().diagonal() - precision.diagonal()).norm(),
            1e-10 * precision.diagonal().norm());
  EXPECT_GT((belief.precision() - precision).norm(), 0.01 * precision.norm());
}

TEST(LowRank, DropsTheSmallestSingularDirection) {
  // Evidence along two orthogonal axes pairs, with room for one direction: the weaker one is
  // spread over the diagonal.
  LowRank<double> belief(2, 1.0, 1);
  Vector<double> strong(2), weak(2);
  strong << 3, 3;
  weak << 1, -1;
  belief.update(strong, {0, 1});
  belief.update(weak, {0, 1});
  Matrix<double> expected(2, 2);
  expected << 1 + 9 + 1, 9, 9, 1 + 9 + 1;
  EXPECT_LT((belief.precision() - expected).norm(), 1e-12);
}

TEST(LowRank, KeepsTheLargestSingularDirectionsOfTwiceTheRank) {
  LowRank<double> belief = make_belief(3);
  const Matrix<double> prior = belief.precision();
  Random random({.seed = 9});
  Matrix<double> columns(kDim, 6);
  for (Index t = 0; t < 6; ++t) {
    const auto g = random_vector(random);
    columns.col(t) = std::sqrt(2.0) * g;
    belief.update(g, {1, 2});
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(columns, Eigen::ComputeThinU);
  const Matrix<double> scaled = svd.matrixU() * svd.singularValues().asDiagonal();
  Matrix<double> expected = prior + scaled.leftCols(3) * scaled.leftCols(3).transpose();
  expected.diagonal() += scaled.rightCols(3).rowwise().squaredNorm();
  EXPECT_LT((belief.precision() - expected).norm(), 1e-12 * expected.norm());
}

TEST(LowRank, ParallelGradientsKeepVariancesPositiveInSinglePrecision) {
  LowRank<float> belief(50, 1, 4);
  Random random({.seed = 10});
  Vector<float> g(50), scratch;
  random.fill_normal(g);
  for (int t = 1; t <= 40; ++t) {
    belief.update(g, {1, 1000});
    // 1 / (1/‖g‖² + 1000 t) while all of it is in one direction. It is what is left of the prior's
    // n, with as many digits fewer as it is smaller.
    const double n = g.cast<double>().squaredNorm();
    const auto q = static_cast<double>(belief.variance(g, scratch));
    EXPECT_GT(q, 0) << t;
    EXPECT_NEAR(q * (1 / n + 1000 * t), 1, 0.001 + 6e-8 * 1000 * t * n) << t;
  }
}

TEST(LowRank, CovarianceIsTheInverseOfThePrecision) {
  LowRank<double> belief = make_belief(4);
  Random random({.seed = 3});
  Vector<double> scratch;
  for (int t = 0; t < 30; ++t) belief.update(random_vector(random), {1, 2});
  const Matrix<double> inverse = testing::inverse(belief.precision());
  EXPECT_LT((belief.covariance() - inverse).norm(), 1e-12);
  const auto g = random_vector(random);
  EXPECT_NEAR(belief.variance(g, scratch), g.dot(inverse * g), 1e-12);
}

TEST(LowRank, MeanMovesAlongTheDensePosteriorsGain) {
  LowRank<double> belief = make_belief(3);
  Random random({.seed = 4});
  for (int t = 0; t < 20; ++t) belief.update(random_vector(random), {1, 2});
  const Matrix<double> precision = belief.precision();
  const Vector<double> before = belief.mean();
  const auto g = random_vector(random);
  belief.update(g, {0.7, 2});
  // Pg l/s = (Λ + V g gᵀ)⁻¹ g l.
  const Matrix<double> posterior = testing::inverse(precision + 2 * g * g.transpose());
  EXPECT_LT((belief.mean() - before - posterior * g * 0.7).norm(), 1e-12);
}

TEST(LowRank, SamplesAreThoseOfTheDenseCovarianceOfASmallNetwork) {
  // The gradients of a 2-3-2 network at random weights, 60 observations of rank 6.
  const Network network = Network::parse("mlp:3:tanh", 2, 2);
  Random random({.seed = 5});
  const Vector<double> parameters = network.initial_parameters<double>(random);
  const Index dim = network.parameters();
  LowRank<double> belief(parameters, Vector<double>::Constant(dim, 0.5), 6);
  NetworkScratch<double> work;
  Vector<double> gradient(dim);
  Matrix<double> x(1, 2);
  for (int t = 0; t < 60; ++t) {
    x << random.normal(), random.normal();
    network.forward<double>(parameters, x, work);
    network.gradient<double>(parameters, t % 2, work, gradient);
    belief.update(gradient, {0.1, 4});
  }
  const Matrix<double> covariance = testing::inverse(belief.precision());
  EXPECT_LT((belief.covariance() - covariance).norm(), 1e-10 * covariance.norm());

  constexpr int kSamples = 40000;
  Matrix<double> squares = Matrix<double>::Zero(dim, dim);
  Vector<double> noise, sample(dim), sum = Vector<double>::Zero(dim);
  for (int n = 0; n < kSamples; ++n) {
    belief.sample(random, 1, noise, sample);
    sample -= belief.mean();
    sum += sample;
    squares.noalias() += sample * sample.transpose();
  }
  for (Index i = 0; i < dim; ++i) {
    EXPECT_LT(std::abs(sum[i]) / kSamples, 5 * std::sqrt(covariance(i, i) / kSamples));
    for (Index j = 0; j < dim; ++j) {
      const double deviation = std::sqrt(
          (covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j)) / kSamples);
      EXPECT_LT(std::abs(squares(i, j) / kSamples - covariance(i, j)), 5 * deviation);
    }
  }
}

TEST(LowRank, ProcessNoiseAddsToTheCovarianceExactly) {
  LowRank<double> belief = make_belief(4);
  Random random({.seed = 6});
  for (int t = 0; t < 30; ++t) belief.update(random_vector(random), {1, 2});
  Matrix<double> expected = belief.covariance();
  belief.add_process_noise(0.05);
  expected.diagonal().array() += 0.05;
  EXPECT_LT((belief.covariance() - expected).norm(), 1e-12);
  EXPECT_LT((testing::inverse(belief.precision()) - expected).norm(), 1e-12);
}

TEST(LowRank, ForgettingMixesThePrecisionWithThePriors) {
  LowRank<double> belief = make_belief(4);
  const Matrix<double> prior = belief.precision();
  Random random({.seed = 7});
  for (int t = 0; t < 30; ++t) belief.update(random_vector(random), {1, 2});
  const Matrix<double> expected = 0.9 * belief.precision() + 0.1 * prior;
  BeliefScratch<double> scratch;
  belief.forget(0.9, scratch);
  EXPECT_LT((belief.precision() - expected).norm(), 1e-12 * expected.norm());
}

TEST(LowRank, FloatAgreesWithDoubleTo1PercentAfter20000Updates) {
  const Index dim = 40, rank = 5;
  LowRank<float> single(dim, 1, rank);
  LowRank<double> reference(dim, 1, rank);
  Random random({.seed = 8});
  Vector<float> g(dim), scratch;
  Vector<double> scratch_double;
  for (int t = 0; t < 20000; ++t) {
    random.fill_normal(g);
    g.head(rank) *= 10;  // directions that are worth keeping
    single.update(g, {0.1f, 1});
    reference.update(g.cast<double>(), {static_cast<double>(0.1f), 1});
  }
  for (int i = 0; i < 50; ++i) {
    random.fill_normal(g);
    const double expected = reference.variance(g.cast<double>(), scratch_double);
    EXPECT_NEAR(static_cast<double>(single.variance(g, scratch)) / expected, 1, 0.01);
  }
}

TEST(LowRank, BytesGrowWithTheRankAndNotWithTheSquareOfTheDimension) {
  // μ, Υ, Υ^{-1/2}: d each; W: d × 2L; C: 2L × 2L.
  EXPECT_EQ(LowRank<float>(1000, 1, 10).bytes(), (3 * 1000 + 20 * 1000 + 400) * sizeof(float));
}

TEST(LowRank, RankIsAtMostTheDimensionAndAtLeastOne) {
  EXPECT_EQ(make_belief(100).rank(), kDim);
  EXPECT_THROW(make_belief(0), Error);
}

}  // namespace
}  // namespace bandolier::low_rank_test
