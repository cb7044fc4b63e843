// Eigenvalues and eigenvectors of a small symmetric matrix in the caller's memory: nothing is
// allocated, so that it may stand in a filter's step.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

// A = V diag(λ) Vᵀ, V orthogonal, by cyclic Jacobi rotations (Golub and Van Loan 2013, section
// 8.5). On return the diagonal of `a` is λ, in no particular order, and the columns of `vectors`
// (of a's size) are V. O(n³) per sweep, about six sweeps.
void jacobi_eigen(Eigen::MatrixXd& a, Eigen::MatrixXd& vectors);

}  // namespace bandolier
