#include "bandolier/replay/likelihood_matching.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/core/random.h"
#include "testing/dense.h"

namespace bandolier::likelihood_matching_test {
namespace {

constexpr Index kRows = 20, kDim = 5;

Matrix<double> normals(Index rows, Index columns, std::uint64_t seed) {
  Random random({.seed = seed});
  Vector<double> values(rows * columns);
  random.fill_normal(values);
  return ConstMatrixMap<double>(values.data(), rows, columns);
}

Matrix<double> some_covariance() {
  const Matrix<double> root = normals(kDim, kDim, 1);
  return root * root.transpose() + 0.1 * Matrix<double>::Identity(kDim, kDim);
}

Vector<double> variances(const Matrix<double>& A, const Matrix<double>& features) {
  Vector<double> out(features.rows());
  for (Index i = 0; i < features.rows(); ++i) {
    out[i] = features.row(i).dot(A * features.row(i).transpose());
  }
  return out;
}

double objective(const Matrix<double>& A, const Vector<double>& target,
                 const Matrix<double>& features) {
  return (variances(A, features) - target).squaredNorm() / static_cast<double>(features.rows());
}

// Without a clip and with a floor that does not show.
MatchingOptions plain(double rate, Index steps = 1) {
  return {.steps = steps, .rate = rate, .clip = 1e9, .floor = 1e-15};
}

TEST(LikelihoodMatching, VariancesAreTheQuadraticForms) {
  const Matrix<double> A = some_covariance(), features = normals(kRows, kDim, 2);
  Vector<double> out(kRows);
  LikelihoodMatching matching;
  matching.variances(A, features, out);
  EXPECT_LT((out - variances(A, features)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(LikelihoodMatching, ASmallStepFollowsTheGradientAndLowersTheObjective) {
  const Matrix<double> old = normals(kRows, kDim, 2),
                       features = old + 0.2 * normals(kRows, kDim, 3);
  const Matrix<double> start = some_covariance();
  const Vector<double> target = variances(start, old);
  Matrix<double> A = start;
  LikelihoodMatching matching;
  matching.match(plain(1e-5), target, features, A);
  EXPECT_LT(objective(A, target, features), objective(start, target, features));
  // ∂L/∂A by central differences, entry by entry.
  for (Index i = 0; i < kDim; ++i) {
    for (Index j = 0; j < kDim; ++j) {
      Matrix<double> above = start, below = start;
      above(i, j) += 1e-4;
      below(i, j) -= 1e-4;
      const double slope =
          (objective(above, target, features) - objective(below, target, features)) / 2e-4;
      EXPECT_NEAR((start(i, j) - A(i, j)) / 1e-5, slope, 1e-4 * (1 + std::abs(slope)));
    }
  }
}

TEST(LikelihoodMatching, ManySmallStepsMatchTheOldVariances) {
  const Matrix<double> old = normals(8, kDim, 2), features = old + 0.1 * normals(8, kDim, 3);
  Matrix<double> A = some_covariance();
  const Vector<double> target = variances(A, old);
  const double start = objective(A, target, features);
  LikelihoodMatching matching;
  matching.match(plain(8e-3, 2000), target, features, A);
  EXPECT_LT(objective(A, target, features), 0.05 * start);
}

TEST(LikelihoodMatching, WhereFeaturesDoNotChangeAddsTheFloorAlone) {
  const Matrix<double> features = normals(kRows, kDim, 2), start = some_covariance();
  Matrix<double> A = start;
  LikelihoodMatching matching;
  matching.match({.steps = 50, .rate = 0.001, .floor = 0.25}, variances(start, features), features,
                 A);
  EXPECT_LT((A - start - 0.25 * Matrix<double>::Identity(kDim, kDim)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(LikelihoodMatching, AStepIsNeverLongerThanRateTimesClip) {
  const Matrix<double> old = normals(kRows, kDim, 2), start = some_covariance();
  for (const double scale : {1.1, 1e3, 1e30}) {
    Matrix<double> A = start;
    LikelihoodMatching matching;
    matching.match({.rate = 0.001, .clip = 0.5, .floor = 1e-15}, variances(start, old), scale * old,
                   A);
    EXPECT_NEAR((A - start).norm(), 0.0005, 1e-9) << scale;
  }
}

TEST(LikelihoodMatching, FeaturesTooLargeForAGradientLeaveTheCovariance) {
  const Matrix<double> old = normals(kRows, kDim, 2), start = some_covariance();
  Matrix<double> A = start;
  LikelihoodMatching matching;
  matching.match({}, variances(start, old), 1e150 * old, A);
  EXPECT_EQ(A, start);
}

TEST(LikelihoodMatching, ProjectionRaisesNegativeEigenvaluesToZeroAndLeavesTheOthers) {
  const Eigen::MatrixXd basis = testing::symmetric_eigen(some_covariance()).vectors;
  Vector<double> values(kDim), expected(kDim);
  values << -2, -1e-9, 1e-7, 0.5, 3;
  expected << 0, 0, 1e-7, 0.5, 3;
  Matrix<double> A = basis * values.asDiagonal() * basis.transpose();
  const Matrix<double> projected = basis * expected.asDiagonal() * basis.transpose();
  LikelihoodMatching matching;
  matching.project(A);
  EXPECT_LT((A - projected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(LikelihoodMatching, ALongStepLeavesEigenvaluesOfAtLeastTheFloor) {
  const Matrix<double> old = normals(kRows, kDim, 2);
  Matrix<double> A = some_covariance();
  LikelihoodMatching matching;
  matching.match({.rate = 1, .clip = 100}, variances(A, old), 3 * old, A);
  EXPECT_NEAR(testing::symmetric_eigen(A).values.minCoeff(), 1e-5, 1e-9);
}

}  // namespace
}  // namespace bandolier::likelihood_matching_test
