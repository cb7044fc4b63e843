#include "bandolier/linalg/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::cholesky_test {
namespace {

TEST(Cholesky, FactorsTheLowerTriangleAndLeavesTheUpper) {
  // (2 0 0; 6 1 0; −8 5 3) times its transpose; 7s stand where nothing is read.
  Matrix<double> a(3, 3), expected(3, 3);
  a << 4, 7, 7, 12, 37, 7, -16, -43, 98;
  expected << 2, 7, 7, 6, 1, 7, -8, 5, 3;
  ASSERT_TRUE(factor_cholesky(a));
  EXPECT_LT((a - expected).norm(), 1e-13);
}

TEST(Cholesky, SaysThatAMatrixIsNotPositiveDefinite) {
  Matrix<float> a(2, 2);
  a << 1, 2, 2, 1;  // eigenvalues 3 and −1
  EXPECT_FALSE(factor_cholesky(a));
}

TEST(Cholesky, AboveIdentityIsTheSameFactorAndHasNoPivotBelowOne) {
  Eigen::MatrixXd a(3, 3);
  a << 4, 7, 7, 12, 38, 7, 7, 7, 7;
  factor_above_identity(a, 2);
  EXPECT_NEAR(a(0, 0), 2, 1e-13);
  EXPECT_NEAR(a(1, 0), 6, 1e-13);
  EXPECT_NEAR(a(1, 1), std::sqrt(2.0), 1e-13);
  EXPECT_EQ(a(2, 2), 7);
  // Two equal directions of 1e20 beside the identity, which double precision loses.
  a.topLeftCorner(2, 2).setConstant(1e20);
  factor_above_identity(a, 2);
  EXPECT_EQ(a(1, 1), 1);
}

}  // namespace
}  // namespace bandolier::cholesky_test
