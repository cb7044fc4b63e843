// Scratch memory that only grows: one vector that serves matrices of many sizes in turn.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

// The first rows × columns values of the buffer. Their old values are lost.
template <class T>
MatrixMap<T> as_matrix(Vector<T>& buffer, Index rows, Index columns) {
  if (buffer.size() < rows * columns) buffer.resize(rows * columns);
  return MatrixMap<T>(buffer.data(), rows, columns);
}

}  // namespace bandolier
