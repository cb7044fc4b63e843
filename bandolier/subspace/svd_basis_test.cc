#include "bandolier/subspace/svd_basis.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"

namespace bandolier::svd_basis_test {
namespace {

constexpr StreamKey kKey{31, Purpose::kTest, 0, 0};

// n iterates about a mean, along `rank` orthogonal directions of falling spread.
struct Iterates {
  Iterates(Index n, Index parameters, Index rank)
      : rows(n, parameters), directions(parameters, rank) {
    Random random(kKey);
    Matrix<float> coefficients(n, rank);
    random.fill_normal(VectorMap<float>(coefficients.data(), coefficients.size()));
    directions.setZero();
    for (Index k = 0; k < rank; ++k) {
      directions(3 * k, k) = 0.6f;
      directions(3 * k + 1, k) = -0.8f;
      coefficients.col(k) *= std::pow(0.5f, static_cast<float>(k));
    }
    rows = coefficients * directions.transpose();
    rows.rowwise() += Eigen::RowVectorXf::LinSpaced(parameters, 1, 2);
  }
  Matrix<float> rows;
  Matrix<float> directions;  // of norm 1
};

// How far the span of b's columns (orthonormal) is from holding a's (of norm 1).
float outside(const Matrix<float>& a, const Matrix<float>& b) {
  return (a - b * (b.transpose() * a)).colwise().norm().maxCoeff();
}

TEST(SvdBasis, FindsTheDirectionsOfTheIteratesTo1em3) {
  Iterates iterates(40, 60, 4);
  const SvdBasis svd = svd_basis(iterates.rows, {4, 0}, kKey);
  EXPECT_EQ(svd.found, 4);
  EXPECT_NEAR(svd.variance_share, 1, 1e-5);
  EXPECT_LT(outside(iterates.directions, svd.basis->columns()), 1e-3);
}

TEST(SvdBasis, HasOrthonormalColumns) {
  Iterates iterates(40, 60, 8);
  const Matrix<float> columns = svd_basis(iterates.rows, {8, 0}, kKey).basis->columns();
  EXPECT_LT((columns.transpose() * columns - Matrix<float>::Identity(8, 8)).cwiseAbs().maxCoeff(),
            1e-3);
}

TEST(SvdBasis, FillsMissingRankWithGaussianDirectionsOfNormOneAndCountsTheOthers) {
  Iterates iterates(40, 60, 4);
  const SvdBasis svd = svd_basis(iterates.rows, {10, 0}, kKey);
  EXPECT_EQ(svd.found, 4);
  EXPECT_EQ(svd.basis->dim(), 10);
  for (Index k = 0; k < 10; ++k) EXPECT_NEAR(svd.basis->columns().col(k).norm(), 1, 1e-5);
}

TEST(SvdBasis, TakesTheFewestDirectionsThatExplainAShareOfTheVariance) {
  // Spreads fall by 2, so that variances fall by 4: about 0.75, 0.19, 0.047, 0.012 of the whole.
  Iterates all(2000, 60, 4);
  Matrix<float> copy = all.rows;
  EXPECT_EQ(svd_basis(copy, {0, 0.5}, kKey).basis->dim(), 1);
  copy = all.rows;
  EXPECT_EQ(svd_basis(copy, {0, 0.9}, kKey).basis->dim(), 2);
  copy = all.rows;
  EXPECT_EQ(svd_basis(copy, {0, 0.97}, kKey).basis->dim(), 3);
}

TEST(SvdBasis, NeedsTwoIterates) {
  Matrix<float> one = Matrix<float>::Ones(1, 5);
  EXPECT_THROW(svd_basis(one, {1, 0}, kKey), Error);
}

TEST(SvdBasis, OfIteratesThatNeverMovedIsGaussian) {
  Matrix<float> still = Matrix<float>::Ones(5, 9);
  const SvdBasis svd = svd_basis(still, {3, 0}, kKey);
  EXPECT_EQ(svd.found, 0);
  EXPECT_TRUE(svd.basis->columns().allFinite());
}

}  // namespace
}  // namespace bandolier::svd_basis_test
