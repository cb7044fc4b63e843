#include "bandolier/linalg/jacobi.h"

#include <Eigen/Jacobi>
#include <cmath>
#include <limits>

namespace bandolier {

void jacobi_eigen(Eigen::MatrixXd& a, Eigen::MatrixXd& vectors) {
  constexpr int kMostSweeps = 30;
  constexpr double kSmall = std::numeric_limits<double>::epsilon();
  const Index n = a.rows();
  vectors.setIdentity(n, n);
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (Index p = 0; p < n; ++p) {
      for (Index q = p + 1; q < n; ++q) {
        // Relative to its own two diagonal entries: small eigenvalues come out as precise as large.
        const double size = std::sqrt(std::abs(a(p, p))) * std::sqrt(std::abs(a(q, q)));
        if (std::abs(a(p, q)) <= kSmall * size) continue;
        Eigen::JacobiRotation<double> rotation;
        if (!rotation.makeJacobi(a, p, q)) continue;
        a.applyOnTheLeft(p, q, rotation.adjoint());
        a.applyOnTheRight(p, q, rotation);
        a(p, q) = a(q, p) = 0;
        vectors.applyOnTheRight(p, q, rotation);
        rotated = true;
      }
    }
  }
}

}  // namespace bandolier
