#include "bandolier/linalg/jacobi.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bandolier/core/random.h"
#include "testing/dense.h"

namespace bandolier::jacobi_test {
namespace {

using Eigen::MatrixXd;

// A random Gram matrix whose columns grow in size up to `spread`.
MatrixXd gram(Index n, double spread) {
  Random random({.seed = 1});
  MatrixXd x(2 * n, n);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  for (Index j = 0; j < n; ++j) {
    x.col(j) *= std::pow(spread, static_cast<double>(j) / static_cast<double>(n));
  }
  return x.transpose() * x;
}

TEST(JacobiEigen, DecomposesGramMatricesTo1e12) {
  for (const Index n : {1, 2, 3, 11, 51}) {
    for (const double spread : {1.0, 1e6}) {
      const MatrixXd original = gram(n, spread);
      MatrixXd a = original, v;
      jacobi_eigen(a, v);
      const double scale = original.norm();
      EXPECT_LT((v.transpose() * v - MatrixXd::Identity(n, n)).norm(), 1e-12);
      EXPECT_LT((v * a.diagonal().asDiagonal() * v.transpose() - original).norm(), 1e-12 * scale);
      Eigen::VectorXd values = a.diagonal();
      std::sort(values.begin(), values.end());
      const Eigen::VectorXd reference = testing::symmetric_eigen(original).values;
      EXPECT_LT((values - reference).norm(), 1e-12 * scale);
    }
  }
}

TEST(JacobiEigen, HandlesRepeatedAndZeroEigenvalues) {
  // Rank 1 of 3: eigenvalues 0, 0 and 3.
  MatrixXd a = MatrixXd::Ones(3, 3), v;
  jacobi_eigen(a, v);
  Eigen::VectorXd values = a.diagonal();
  std::sort(values.begin(), values.end());
  EXPECT_NEAR(values[0], 0, 1e-15);
  EXPECT_NEAR(values[1], 0, 1e-15);
  EXPECT_NEAR(values[2], 3, 1e-14);
}

TEST(JacobiEigen, LeavesDiagonalMatricesAsTheyAre) {
  const MatrixXd diagonal = Eigen::VectorXd::LinSpaced(4, 0, 3).asDiagonal();
  MatrixXd a = diagonal, v;
  jacobi_eigen(a, v);
  EXPECT_EQ(a, diagonal);
  EXPECT_EQ(v, (MatrixXd::Identity(4, 4)));
}

}  // namespace
}  // namespace bandolier::jacobi_test
