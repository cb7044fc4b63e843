// Products with the rows of a row-major matrix, each written so that the matrix is read once, for
// matrices too large for the cache or vectors too short for a general product. Every kernel exists
// in plain C++ and for AVX2 + FMA + F16C; kernels<T>() is the best that this processor runs.
//
// All pointers are to contiguous rows of `cols` elements; outputs do not overlap inputs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bandolier/linalg/half.h"

namespace bandolier {

// T: what is stored (float, double or Half); R: what is computed with.
template <class T, class R = T>
struct Kernels {
  // y_i = a_i · x for all rows: 2 flops per element.
  void (*dots)(const T* a, std::ptrdiff_t rows, std::ptrdiff_t cols, const R* x, R* y);

  // y = Σ_i x_i a_i: 2 flops per element.
  void (*combine)(const T* a, std::ptrdiff_t rows, std::ptrdiff_t cols, const R* x, R* y);

  // y += Σ_k x_k a_{index_k}, k < count.
  void (*gather)(const T* a, std::ptrdiff_t cols, const std::int32_t* index, const R* x,
                 std::ptrdiff_t count, R* y);

  // k_i = a_i · f, then a_i −= c k_i f: 4 flops per element, each row read and written once.
  // Null for Half.
  void (*downdate)(T* a, std::ptrdiff_t rows, std::ptrdiff_t cols, const R* f, R c, R* k);
};

template <class T>
struct Arithmetic {
  using Type = T;
};
template <>
struct Arithmetic<Half> {
  using Type = float;
};
template <class T>
using KernelsFor = Kernels<T, typename Arithmetic<T>::Type>;

template <class T>
const KernelsFor<T>& plain_kernels();

// Null where the build or the processor has no AVX2, FMA and F16C.
template <class T>
const KernelsFor<T>* avx2_kernels();

// The choice is made once, at the first call.
template <class T>
const KernelsFor<T>& kernels();

}  // namespace bandolier
