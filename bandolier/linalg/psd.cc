#include "bandolier/linalg/psd.h"

#include <Eigen/Eigenvalues>

#include "bandolier/core/error.h"

namespace bandolier {

template <class T>
void project_psd(Matrix<T>& a, T floor) {
  if (a.rows() != a.cols()) {
    fail("projection on the PSD cone of a {} x {} matrix: expected a square one", a.rows(),
         a.cols());
  }
  if (!(floor >= 0)) fail("floor of the eigenvalues is {}: expected at least 0", floor);
  if (!a.allFinite())
    fail("projection on the PSD cone of a matrix with values that are not finite");
  a = (T(0.5) * (a + a.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Matrix<T>> eigen(a);
  if (eigen.eigenvalues()[0] >= floor) return;
  const auto& q = eigen.eigenvectors();
  a.noalias() = q * eigen.eigenvalues().cwiseMax(floor).asDiagonal() * q.transpose();
}

template void project_psd(Matrix<float>&, float);
template void project_psd(Matrix<double>&, double);

}  // namespace bandolier
