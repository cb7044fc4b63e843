// Eigenvalues and eigenvectors of a symmetric matrix of any size.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

struct SymmetricEigen {
  Vector<double> values;   // λ: ascending
  Matrix<double> vectors;  // V: orthonormal columns
};

// A = V diag(λ) Vᵀ by Householder's tridiagonal form and QR steps: O(d³). Reads the lower triangle
// alone. jacobi_eigen (jacobi.h) is for small matrices in a filter's step.
SymmetricEigen symmetric_eigen(const Matrix<double>& a);

}  // namespace bandolier
