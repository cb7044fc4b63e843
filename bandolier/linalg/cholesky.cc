#include "bandolier/linalg/cholesky.h"

#include <Eigen/Cholesky>

namespace bandolier {

template <class T>
bool factor_cholesky(Matrix<T>& a) {
  const Eigen::LLT<Eigen::Ref<Matrix<T>>> llt(a);
  return llt.info() == Eigen::Success;
}

template bool factor_cholesky(Matrix<float>&);
template bool factor_cholesky(Matrix<double>&);

}  // namespace bandolier
