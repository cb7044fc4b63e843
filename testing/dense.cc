#include "testing/dense.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace bandolier::testing {

Eigen::MatrixXd inverse(const Eigen::MatrixXd& a) { return a.inverse(); }

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(a);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

}  // namespace bandolier::testing
