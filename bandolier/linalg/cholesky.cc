#include "bandolier/linalg/cholesky.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace bandolier {

template <class T>
bool factor_cholesky(Matrix<T>& a) {
  const Eigen::LLT<Eigen::Ref<Matrix<T>>> llt(a);
  return llt.info() == Eigen::Success;
}

template bool factor_cholesky(Matrix<float>&);
template bool factor_cholesky(Matrix<double>&);

void factor_above_identity(Eigen::MatrixXd& a, Index size) {
  for (Index j = 0; j < size; ++j) {
    a(j, j) = std::sqrt(std::max(1.0, a(j, j) - a.row(j).head(j).squaredNorm()));
    for (Index i = j + 1; i < size; ++i) {
      a(i, j) = (a(i, j) - a.row(i).head(j).dot(a.row(j).head(j))) / a(j, j);
    }
  }
}

}  // namespace bandolier
