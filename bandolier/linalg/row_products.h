// out = A Bᵀ, for A of few rows: Eigen's product in panels so small that what it packs fits on the
// stack, where whole matrices would make it allocate at every call.
#pragma once

#include <algorithm>

#include "bandolier/core/types.h"

namespace bandolier {

template <class T>
void row_products(const ConstMatrixRef<T>& a, const ConstMatrixRef<T>& b, MatrixRef<T> out) {
  constexpr Index kColumns = 64, kDepth = 128;  // 64 KiB of float or of double at most, each
  out.setZero();
  for (Index c = 0; c < b.rows(); c += kColumns) {
    const Index columns = std::min(kColumns, b.rows() - c);
    for (Index k = 0; k < b.cols(); k += kDepth) {
      const Index depth = std::min(kDepth, b.cols() - k);
      out.middleCols(c, columns).noalias() +=
          a.middleCols(k, depth) * b.block(c, k, columns, depth).transpose();
    }
  }
}

}  // namespace bandolier
