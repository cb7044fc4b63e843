// Eigen's decompositions of matrices of doubles, as references for tests: compiled once, since
// each of them takes a compiler seconds.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier::testing {

// A⁻¹, by LU with partial pivoting.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& a);

// A = V diag(λ) Vᵀ of a symmetric matrix, λ ascending; the lower triangle is read.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& a);

}  // namespace bandolier::testing
