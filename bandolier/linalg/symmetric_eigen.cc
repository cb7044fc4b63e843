#include "bandolier/linalg/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace bandolier {

SymmetricEigen symmetric_eigen(const Matrix<double>& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> eigen(a);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace bandolier
