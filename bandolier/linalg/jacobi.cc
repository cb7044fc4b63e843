#include "bandolier/linalg/jacobi.h"

#include <Eigen/Jacobi>
#include <cmath>
#include <limits>

namespace bandolier {

template <class T>
void jacobi_eigen(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& a,
                  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& vectors) {
  constexpr int kMostSweeps = 30;
  const Index n = a.rows();
  vectors.setIdentity(n, n);
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (Index p = 0; p < n; ++p) {
      for (Index q = p + 1; q < n; ++q) {
        // Relative to its own two diagonal entries: small eigenvalues come out as precise as large.
        const T size = std::sqrt(std::abs(a(p, p))) * std::sqrt(std::abs(a(q, q)));
        if (std::abs(a(p, q)) <= std::numeric_limits<T>::epsilon() * size) continue;
        Eigen::JacobiRotation<T> rotation;
        if (!rotation.makeJacobi(a, p, q)) continue;
        a.applyOnTheLeft(p, q, rotation.adjoint());
        a.applyOnTheRight(p, q, rotation);
        vectors.applyOnTheRight(p, q, rotation);
        rotated = true;
      }
    }
  }
}

template void jacobi_eigen<float>(Eigen::MatrixXf&, Eigen::MatrixXf&);
template void jacobi_eigen<double>(Eigen::MatrixXd&, Eigen::MatrixXd&);

}  // namespace bandolier
