// Vectors and matrices in Bandolier's one layout: Eigen, dynamic, matrices row by row.
#pragma once

#include <Eigen/Core>

namespace bandolier {

using Index = Eigen::Index;

template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

// Row-major: a row is one sample, one action or one parameter, and is contiguous.
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
using VectorRef = Eigen::Ref<Vector<T>>;
template <class T>
using ConstVectorRef = Eigen::Ref<const Vector<T>>;
template <class T>
using MatrixRef = Eigen::Ref<Matrix<T>>;
template <class T>
using ConstMatrixRef = Eigen::Ref<const Matrix<T>>;

template <class T>
using VectorMap = Eigen::Map<Vector<T>>;
template <class T>
using ConstVectorMap = Eigen::Map<const Vector<T>>;
template <class T>
using MatrixMap = Eigen::Map<Matrix<T>>;
template <class T>
using ConstMatrixMap = Eigen::Map<const Matrix<T>>;

}  // namespace bandolier
