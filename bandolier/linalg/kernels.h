// Products with the rows of a row-major matrix, each written so that the matrix is read once, for
// matrices too large for the cache or vectors too short for a general product. Every kernel exists
// in plain C++ and for AVX2 + FMA + F16C, those for many vectors for AVX-512 too; kernels<T>() is
// the best that this processor runs.
//
// All pointers are to contiguous rows of `cols` elements; outputs do not overlap inputs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bandolier/linalg/half.h"

namespace bandolier {

// Of one call of downdate_many.
inline constexpr std::ptrdiff_t kMostVectors = 32;

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

  // The same two for many vectors, a read once for every few of them. Null for Half.
  // y_r = Σ_i x_r[i] a_i, r < count: 2 flops per element and vector.
  void (*combine_many)(const T* a, std::ptrdiff_t rows, std::ptrdiff_t cols, const R* const* x,
                       R* const* y, std::ptrdiff_t count);

  // k_ij = a_i · f_j, g_i = Σ_j k_ij b_j, then a_i −= Σ_j k_ij w_j, j < count <= kMostVectors: 4
  // flops per element and j, each row of a read and written once. w: count × cols; ft holds f_j as
  // its column j, cols × kMostVectors, and 0 beyond.
  void (*downdate_many)(T* a, std::ptrdiff_t rows, std::ptrdiff_t cols, const R* ft, const R* w,
                        const R* b, std::ptrdiff_t count, R* g);
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

// The same, those for many vectors by AVX-512. Null where there is none.
template <class T>
const KernelsFor<T>* avx512_kernels();

// The choice is made once, at the first call.
template <class T>
const KernelsFor<T>& kernels();

}  // namespace bandolier
