// Cholesky's factor of a symmetric positive definite matrix, in its own memory.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

// A = LLᵀ: reads the lower triangle of `a` and writes L over it; what is above the diagonal stays.
// False, with `a` spoilt, where A is not positive definite. O(d³/3).
template <class T>
bool factor_cholesky(Matrix<T>& a);

// The same of the first `size` rows and columns of a small matrix I + G, G positive semi-definite:
// its pivots are at least 1, whatever the round-off in G, and so it always has a factor.
void factor_above_identity(Eigen::MatrixXd& a, Index size);

}  // namespace bandolier
