// Projection on the cone of positive definite matrices.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

// The nearest symmetric matrix (in Frobenius norm) whose eigenvalues are all at least `floor`:
// (A + Aᵀ)/2 = QΛQᵀ becomes Q max(Λ, floor) Qᵀ. O(d³). Throws Error unless A is square and finite
// and floor ≥ 0.
void project_psd(Matrix<double>& a, double floor);

}  // namespace bandolier
