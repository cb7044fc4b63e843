// Cholesky's factor of a symmetric positive definite matrix, in its own memory.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

// A = LLᵀ: reads the lower triangle of `a` and writes L over it; what is above the diagonal stays.
// False, with `a` spoilt, where A is not positive definite. O(d³/3).
template <class T>
bool factor_cholesky(Matrix<T>& a);

}  // namespace bandolier
