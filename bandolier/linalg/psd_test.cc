#include "bandolier/linalg/psd.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"
#include "bandolier/core/random.h"
#include "testing/dense.h"

namespace bandolier::psd_test {
namespace {

TEST(ProjectPsd, RaisesEigenvaluesToTheFloorAndKeepsTheRest) {
  // [[1, 2], [2, 1]] has eigenvalues 3 and −1 along (1, 1) and (1, −1): with floor 0.5
  // it becomes 3·½[[1, 1], [1, 1]] + 0.5·½[[1, −1], [−1, 1]].
  Matrix<double> a(2, 2);
  a << 1, 2, 2, 1;
  project_psd(a, 0.5);
  Matrix<double> expected(2, 2);
  expected << 1.75, 1.25, 1.25, 1.75;
  EXPECT_LT((a - expected).norm(), 1e-14);
}

TEST(ProjectPsd, LeavesAPositiveDefiniteMatrixAsItIs) {
  Matrix<double> a(2, 2);
  a << 2, 1, 1, 3;
  const Matrix<double> before = a;
  project_psd(a, 1e-3);
  EXPECT_EQ(a, before);
}

TEST(ProjectPsd, SymmetrisesAndIsNearerThanOtherPsdMatrices) {
  Random random({.seed = 1});
  Matrix<double> a(6, 6), other(6, 6);
  random.fill_normal(VectorMap<double>(a.data(), a.size()));
  Matrix<double> projected = a;
  project_psd(projected, 0.0);
  EXPECT_LT((projected - projected.transpose()).norm(), 1e-13);
  EXPECT_GT(testing::symmetric_eigen(projected).values.minCoeff(), -1e-13);
  const double distance = (projected - a).norm();
  for (int i = 0; i < 100; ++i) {
    random.fill_normal(VectorMap<double>(other.data(), other.size()));
    EXPECT_GE((projected + 0.01 * other * other.transpose() - a).norm(), distance);
  }
}

TEST(ProjectPsd, WrongArgumentsAreErrors) {
  Matrix<double> wide = Matrix<double>::Zero(2, 3), square = Matrix<double>::Zero(2, 2);
  EXPECT_THROW(project_psd(wide, 0.0), Error);
  EXPECT_THROW(project_psd(square, -1.0), Error);
  square(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(project_psd(square, 0.0), Error);
}

}  // namespace
}  // namespace bandolier::psd_test
