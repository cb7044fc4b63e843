#include "bandolier/linalg/svd.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "bandolier/core/error.h"

namespace bandolier::svd_test {
namespace {

// Singular values 1, 1/2, 1/4, ... of k, then a flat tail.
Matrix<double> with_spectrum(Index rows, Index cols, Index k, double tail, Random& random) {
  Matrix<double> a(rows, rows), b(cols, cols);
  random.fill_normal(VectorMap<double>(a.data(), a.size()));
  random.fill_normal(VectorMap<double>(b.data(), b.size()));
  const Eigen::MatrixXd u = Eigen::MatrixXd(a).householderQr().householderQ();
  const Eigen::MatrixXd v = Eigen::MatrixXd(b).householderQr().householderQ();
  Matrix<double> out = Matrix<double>::Zero(rows, cols);
  for (Index i = 0; i < std::min(rows, cols); ++i) {
    out += (i < k ? std::pow(0.5, double(i)) : tail) * u.col(i) * v.col(i).transpose();
  }
  return out;
}

// What of one orthonormal basis lies outside the span of another: the root of the sum of squares of
// the sines of the angles between them, without the rounding of 1 − cos².
double subspace_distance(const Matrix<double>& a, const Matrix<double>& b) {
  return (b - a * (a.transpose() * b)).norm();
}

TEST(GramSvd, MatchesJacobiOnWideAndTallMatrices) {
  Random random({.seed = 1});
  const Matrix<double> wide = with_spectrum(12, 40, 6, 1e-3, random);
  for (const Matrix<double>& a : {wide, Matrix<double>(wide.transpose())}) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> exact(Eigen::MatrixXd(a),
                                                  Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto svd = gram_svd<double>(a, 6);
    EXPECT_LT((svd.values - exact.singularValues().head(6)).norm(), 1e-12);
    EXPECT_LT(subspace_distance(svd.right, exact.matrixV().leftCols(6)), 1e-9);
    EXPECT_LT(subspace_distance(svd.left, exact.matrixU().leftCols(6)), 1e-9);
    const Matrix<double> rebuilt = svd.left * svd.values.asDiagonal() * svd.right.transpose();
    EXPECT_NEAR((a - rebuilt).norm(), 1e-3 * std::sqrt(6.0), 1e-9);
  }
}

TEST(GramSvd, FloatKeepsValuesDownTo1em5OfTheLargest) {
  Random random({.seed = 2});
  const Matrix<float> a = with_spectrum(20, 300, 18, 0, random).cast<float>();
  const auto svd = gram_svd<float>(a, 18);
  ASSERT_EQ(svd.values.size(), 18);
  for (Index i = 0; i < 18; ++i) EXPECT_NEAR(svd.values[i] * std::pow(2.0, double(i)), 1, 0.02);
  EXPECT_LT((svd.right.transpose() * svd.right - Matrix<float>::Identity(18, 18)).norm(), 0.05);
}

TEST(GramSvd, GivesNoMoreThanTheNumericalRank) {
  Random random({.seed = 3});
  EXPECT_EQ(gram_svd<double>(with_spectrum(10, 25, 4, 0, random), 9).values.size(), 4);
  EXPECT_EQ(gram_svd<double>(Matrix<double>::Zero(5, 7), 3).values.size(), 0);
  EXPECT_THROW(gram_svd<double>(Matrix<double>::Ones(5, 7), 0), Error);
}

TEST(RandomisedSvd, FindsTheExactSubspaceOfAFallingSpectrumTo1em6) {
  Random random({.seed = 4});
  const Matrix<double> a = with_spectrum(80, 200, 8, 1e-4, random);
  const auto exact = gram_svd<double>(a, 8);
  const auto svd = randomised_svd<double>(a, 8, random);
  EXPECT_LT((svd.values - exact.values).norm(), 1e-8);
  EXPECT_LT(subspace_distance(svd.right, exact.right), 1e-6);
  EXPECT_LT(subspace_distance(svd.left, exact.left), 1e-6);
}

TEST(RandomisedSvd, FloatAgreesWithTheExactSubspaceTo1em3) {
  Random random({.seed = 5});
  const Matrix<float> a = with_spectrum(60, 150, 6, 1e-4, random).cast<float>();
  const Matrix<double> exact = gram_svd<float>(a, 6).right.cast<double>();
  const Matrix<double> found = randomised_svd<float>(a, 6, random).right.cast<double>();
  EXPECT_LT(subspace_distance(exact, found), 1e-3);
}

TEST(RandomisedSvd, PowerIterationsSharpenAFlatTail) {
  Random random({.seed = 6});
  const Matrix<double> a = with_spectrum(80, 200, 5, 0.03, random);
  const auto exact = gram_svd<double>(a, 5);
  Random first({.seed = 7}), second({.seed = 7});
  const double none = subspace_distance(
      exact.right, randomised_svd<double>(a, 5, first, {.power_iterations = 0}).right);
  const double three = subspace_distance(
      exact.right, randomised_svd<double>(a, 5, second, {.power_iterations = 3}).right);
  EXPECT_GT(none, 0.1);
  EXPECT_LT(three, 0.02);
}

TEST(RandomisedSvd, SameSeedGivesTheSameBits) {
  Random random({.seed = 8}), first({.seed = 9}), second({.seed = 9});
  const Matrix<double> a = with_spectrum(20, 30, 5, 0.1, random);
  EXPECT_EQ(randomised_svd<double>(a, 4, first).right, randomised_svd<double>(a, 4, second).right);
}

}  // namespace
}  // namespace bandolier::svd_test
