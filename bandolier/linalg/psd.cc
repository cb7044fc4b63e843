#include "bandolier/linalg/psd.h"

#include "bandolier/core/error.h"
#include "bandolier/linalg/symmetric_eigen.h"

namespace bandolier {

void project_psd(Matrix<double>& a, double floor) {
  if (a.rows() != a.cols()) {
    fail("projection on the PSD cone of a {} x {} matrix: expected a square one", a.rows(),
         a.cols());
  }
  if (!(floor >= 0)) fail("floor of the eigenvalues is {}: expected at least 0", floor);
  if (!a.allFinite())
    fail("projection on the PSD cone of a matrix with values that are not finite");
  a = (0.5 * (a + a.transpose())).eval();
  const auto [values, q] = symmetric_eigen(a);
  if (values[0] >= floor) return;
  a.noalias() = q * values.cwiseMax(floor).asDiagonal() * q.transpose();
}

}  // namespace bandolier
