#include "bandolier/replay/carried_posterior.h"

#include <gtest/gtest.h>

#include <limits>

#include "testing/dense.h"

namespace bandolier::carried_posterior_test {
namespace {

constexpr Index kDim = 4;

Matrix<double> normals(Index rows, Index columns, std::uint64_t seed) {
  Random random({.seed = seed});
  Vector<double> values(rows * columns);
  random.fill_normal(values);
  return ConstMatrixMap<double>(values.data(), rows, columns);
}

struct Problem {
  Matrix<double> X = normals(9, kDim, 1), prior;
  Vector<double> y = normals(9, 1, 2).col(0), mean = normals(kDim, 1, 3).col(0);
  RegressionStatistics rows;
  Problem() {
    const Matrix<double> root = normals(kDim, kDim, 4);
    prior = root * root.transpose();
    rows.clear(kDim);
    rows.add(X, y);
  }
};

// Plain formulas with inverses.
TEST(CarriedPosterior, EqualsTheBatchFormulas) {
  const Problem p;
  CarriedPosterior posterior;
  ASSERT_TRUE(posterior.compute_covariance(p.prior, p.rows));
  ASSERT_TRUE(posterior.compute_mean(p.mean, p.rows));
  const Matrix<double> prior_precision = testing::inverse(p.prior);
  const Matrix<double> precision = prior_precision + p.X.transpose() * p.X;
  const Matrix<double> covariance = testing::inverse(precision);
  const Vector<double> mean = covariance * (prior_precision * p.mean + p.X.transpose() * p.y);
  EXPECT_LT((posterior.covariance() - covariance).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((posterior.root() * posterior.root().transpose() - covariance).cwiseAbs().maxCoeff(),
            1e-10);
  EXPECT_LT((posterior.mean() - mean).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(posterior.spread(),
              p.y.squaredNorm() + p.mean.dot(prior_precision * p.mean) - mean.dot(precision * mean),
              1e-9);
}

TEST(CarriedPosterior, WithoutRowsIsThePrior) {
  Problem p;
  p.rows.clear(kDim);
  CarriedPosterior posterior;
  ASSERT_TRUE(posterior.compute_covariance(p.prior, p.rows));
  ASSERT_TRUE(posterior.compute_mean(p.mean, p.rows));
  EXPECT_LT((posterior.covariance() - p.prior).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(posterior.mean(), p.mean);
  EXPECT_EQ(posterior.spread(), 0);
}

// Σ₀ = 1e-14 I: its inverse against the evidence is 1 : 1e-14, and the spread is that of μ₀.
TEST(CarriedPosterior, OfAPriorThatKnowsAllKeepsItsDigits) {
  const Problem p;
  CarriedPosterior posterior;
  ASSERT_TRUE(posterior.compute_covariance(1e-14 * Matrix<double>::Identity(kDim, kDim), p.rows));
  ASSERT_TRUE(posterior.compute_mean(p.mean, p.rows));
  EXPECT_LT((posterior.mean() - p.mean).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(posterior.spread(), (p.y - p.X * p.mean).squaredNorm(), 1e-10);
}

TEST(CarriedPosterior, SaysWhereThereIsNoFiniteAnswer) {
  Problem p;
  CarriedPosterior posterior;
  EXPECT_FALSE(posterior.compute_covariance(-p.prior, p.rows));
  p.rows.gram(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(posterior.compute_covariance(p.prior, p.rows));
}

}  // namespace
}  // namespace bandolier::carried_posterior_test
