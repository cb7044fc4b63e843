#include "bandolier/linalg/jacobi.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "bandolier/core/random.h"

namespace bandolier {
namespace {

template <class T>
using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// A random Gram matrix whose columns differ in size by `spread` from the first to the last.
template <class T>
Square<T> gram(Index n, double spread) {
  Random random({.seed = 1});
  Square<T> x(2 * n, n);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(random.normal());
  for (Index j = 0; j < n; ++j) {
    x.col(j) *= static_cast<T>(std::pow(spread, static_cast<double>(j) / static_cast<double>(n)));
  }
  return x.transpose() * x;
}

template <class T>
void expect_decomposition(Index n, double spread, double tolerance) {
  const Square<T> original = gram<T>(n, spread);
  Square<T> a = original, v;
  jacobi_eigen(a, v);
  const T scale = original.norm();
  EXPECT_LT((v.transpose() * v - Square<T>::Identity(n, n)).norm(), tolerance);
  EXPECT_LT((v * a.diagonal().asDiagonal() * v.transpose() - original).norm(), tolerance * scale);
  Eigen::Matrix<T, Eigen::Dynamic, 1> values = a.diagonal();
  std::sort(values.begin(), values.end());
  const Eigen::SelfAdjointEigenSolver<Square<T>> reference(original);
  EXPECT_LT((values - reference.eigenvalues()).norm(), tolerance * scale);
}

TEST(JacobiEigen, DecomposesGramMatricesTo1e12InDouble) {
  for (const Index n : {1, 2, 3, 11, 51}) expect_decomposition<double>(n, 1, 1e-12);
  expect_decomposition<double>(11, 1e6, 1e-12);
}

TEST(JacobiEigen, DecomposesGramMatricesTo1e5InFloat) {
  for (const Index n : {1, 2, 3, 11, 51}) expect_decomposition<float>(n, 1, 1e-5);
  expect_decomposition<float>(11, 1e3, 1e-5);
}

TEST(JacobiEigen, LeavesZeroAndDiagonalMatricesAsTheyAre) {
  Square<double> zero = Square<double>::Zero(4, 4), v;
  jacobi_eigen(zero, v);
  EXPECT_EQ(zero, (Square<double>::Zero(4, 4)));
  EXPECT_EQ(v, (Square<double>::Identity(4, 4)));
}

}  // namespace
}  // namespace bandolier
