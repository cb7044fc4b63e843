#include "bandolier/linalg/svd.h"

#include <Eigen/QR>
#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"
#include "bandolier/linalg/symmetric_eigen.h"

namespace bandolier {
namespace {

void check_rank(Index rank) {
  if (rank < 1) fail("the rank of a decomposition is {}: expected at least 1", rank);
}

// AAᵀ in double, by blocks of columns that fit the cache.
template <class T>
Matrix<double> row_gram(const ConstMatrixRef<T>& a) {
  constexpr Index kBlock = 512;
  Matrix<double> gram = Matrix<double>::Zero(a.rows(), a.rows());
  Matrix<double> block;
  for (Index start = 0; start < a.cols(); start += kBlock) {
    throw_if_stopped();
    block = a.middleCols(start, std::min(kBlock, a.cols() - start)).template cast<double>();
    gram.selfadjointView<Eigen::Lower>().rankUpdate(block);
  }
  return gram;
}

// AᵀA likewise.
template <class T>
Matrix<double> column_gram(const ConstMatrixRef<T>& a) {
  constexpr Index kBlock = 512;
  Matrix<double> gram = Matrix<double>::Zero(a.cols(), a.cols());
  Matrix<double> block;
  for (Index start = 0; start < a.rows(); start += kBlock) {
    throw_if_stopped();
    block = a.middleRows(start, std::min(kBlock, a.rows() - start)).template cast<double>();
    gram.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
  }
  return gram;
}

// An orthonormal basis of the columns' span: Q of Householder's QR.
template <class T>
Matrix<T> orthonormal(const Matrix<T>& columns) {
  const Eigen::HouseholderQR<Matrix<T>> qr(columns);
  return qr.householderQ() * Matrix<T>::Identity(columns.rows(), columns.cols());
}

}  // namespace

template <class T>
Svd<T> gram_svd(const ConstMatrixRef<T>& a, Index rank) {
  check_rank(rank);
  const bool wide = a.rows() <= a.cols();
  // Only the lower triangle of the Gram matrix is filled, and only it is read.
  const SymmetricEigen eigen = symmetric_eigen(wide ? row_gram<T>(a) : column_gram<T>(a));
  const Vector<double>& squares = eigen.values;
  const Index side = squares.size();
  const double floor = 1e-14 * std::max(squares[side - 1], 0.0);
  Index found = 0;
  while (found < std::min(rank, side) && squares[side - 1 - found] > floor) ++found;

  Svd<T> svd;
  svd.values = squares.tail(found).reverse().cwiseSqrt().template cast<T>();
  const Matrix<T> vectors = eigen.vectors.rightCols(found).rowwise().reverse().template cast<T>();
  Matrix<T> others(wide ? a.cols() : a.rows(), found);
  if (wide) {
    others.noalias() = a.transpose() * vectors;
  } else {
    others.noalias() = a * vectors;
  }
  for (Index k = 0; k < found; ++k) others.col(k).normalize();
  svd.left = wide ? vectors : others;
  svd.right = wide ? others : vectors;
  return svd;
}

template <class T>
Svd<T> randomised_svd(const ConstMatrixRef<T>& a, Index rank, Random& random,
                      const RandomisedSvdOptions& options) {
  check_rank(rank);
  const Index width = std::min(rank + options.oversampling, std::min(a.rows(), a.cols()));
  Matrix<T> directions(a.cols(), width);
  random.fill_normal(VectorMap<T>(directions.data(), directions.size()));
  Matrix<T> range = a * directions;
  range = orthonormal(range);
  for (int p = 0; p < options.power_iterations; ++p) {
    throw_if_stopped();
    directions.noalias() = a.transpose() * range;
    directions = orthonormal(directions);
    range.noalias() = a * directions;
    range = orthonormal(range);
  }
  Matrix<T> small(width, a.cols());
  small.noalias() = range.transpose() * a;
  Svd<T> svd = gram_svd<T>(small, rank);
  svd.left = (range * svd.left).eval();
  return svd;
}

template Svd<float> gram_svd(const ConstMatrixRef<float>&, Index);
template Svd<double> gram_svd(const ConstMatrixRef<double>&, Index);
template Svd<float> randomised_svd(const ConstMatrixRef<float>&, Index, Random&,
                                   const RandomisedSvdOptions&);
template Svd<double> randomised_svd(const ConstMatrixRef<double>&, Index, Random&,
                                    const RandomisedSvdOptions&);

}  // namespace bandolier
