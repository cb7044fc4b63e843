// The kernels of kernels.h, written once on vectors of the width that the including file is
// compiled for. Everything is local to that file: nothing compiled for one instruction set may be
// linked into code for another.
#include <cstring>

#include "bandolier/linalg/kernels.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace bandolier {
namespace {

using Size = std::ptrdiff_t;

#ifdef __AVX2__
constexpr Size kBytes = 32;
#else
constexpr Size kBytes = 16;
#endif

template <class R>
struct LanesOf;
template <>
struct LanesOf<float> {
  typedef float Type __attribute__((vector_size(kBytes)));
};
template <>
struct LanesOf<double> {
  typedef double Type __attribute__((vector_size(kBytes)));
};
template <class R>
using Lanes = typename LanesOf<R>::Type;
template <class R>
constexpr Size kLanes = kBytes / static_cast<Size>(sizeof(R));

template <class R>
inline Lanes<R> load(const R* p) {
  Lanes<R> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline Lanes<float> load(const Half* p) {
#ifdef __F16C__
  return static_cast<Lanes<float>>(
      _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
#else
  Lanes<float> v{};
  for (Size i = 0; i < kLanes<float>; ++i) v[i] = to_float(p[i]);
  return v;
#endif
}

template <class R>
inline void store(R* p, const Lanes<R>& v) {
  std::memcpy(p, &v, sizeof v);
}

template <class R>
inline R sum(const Lanes<R>& v) {
  R total = v[0];
  for (Size i = 1; i < kLanes<R>; ++i) total += v[i];
  return total;
}

inline float value(float x) { return x; }
inline double value(double x) { return x; }
#ifdef __F16C__
inline float value(Half x) { return _cvtsh_ss(static_cast<std::uint16_t>(x)); }
#else
inline float value(Half x) { return to_float(x); }
#endif

// The first n < kLanes elements, then zeros.
template <class T>
inline auto load_part(const T* p, Size n) {
  using R = typename Arithmetic<T>::Type;
  R part[kLanes<R>] = {};
  for (Size i = 0; i < n; ++i) part[i] = value(p[i]);
  return load(part);
}
#ifdef __AVX2__
alignas(32) constexpr std::int32_t kMask[16] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                0,  0,  0,  0,  0,  0,  0,  0};
inline Lanes<float> load_part(const float* p, Size n) {
  return static_cast<Lanes<float>>(
      _mm256_maskload_ps(p, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMask + 8 - n))));
}
inline Lanes<double> load_part(const double* p, Size n) {
  return static_cast<Lanes<double>>(_mm256_maskload_pd(
      p, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMask + 8 - 2 * n))));
}
#endif

// The cache lines of kCount bytes from p on.
template <std::size_t kCount>
inline void prefetch(const void* p) {
  for (std::size_t offset = 0; offset < kCount; offset += 64) {
    __builtin_prefetch(static_cast<const char*>(p) + offset);
  }
}

// a[r]·x for kRows rows at once: x is loaded once for all, and kUnroll sums per row hide the
// latency of the additions.
template <std::size_t kRows, std::size_t kUnroll, class T, class R>
inline void dot_rows(const T* const* a, Size cols, const R* x, R* y) {
  constexpr Size kStep = kLanes<R>;
  Lanes<R> sums[kRows][kUnroll] = {};
  Size j = 0;
  while (j + static_cast<Size>(kUnroll) * kStep <= cols) {
    for (std::size_t u = 0; u < kUnroll; ++u, j += kStep) {
      const Lanes<R> v = load(x + j);
      for (std::size_t r = 0; r < kRows; ++r) sums[r][u] += load(a[r] + j) * v;
    }
  }
  for (; j + kStep <= cols; j += kStep) {
    const Lanes<R> v = load(x + j);
    for (std::size_t r = 0; r < kRows; ++r) sums[r][0] += load(a[r] + j) * v;
  }
  if (j < cols) {
    const Lanes<R> v = load_part(x + j, cols - j);
    for (std::size_t r = 0; r < kRows; ++r) sums[r][0] += load_part(a[r] + j, cols - j) * v;
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t u = 1; u < kUnroll; ++u) sums[r][0] += sums[r][u];
    y[r] = sum<R>(sums[r][0]);
  }
}

// y += Σ_r x[r] a[r] for kRows rows at once: y is loaded and stored once for all. `next`: rows to
// prefetch, needed after these, or null; the processor itself foresees only rows in order.
template <std::size_t kRows, class T, class R>
inline void add_rows(const T* const* a, Size cols, const R* x, R* y,
                     const T* const* next = nullptr) {
  constexpr Size kStep = kLanes<R>;
  R w[kRows];  // copies: for all that the compiler knows, y could overlap x
  const T* p[kRows];
  for (std::size_t r = 0; r < kRows; ++r) {
    w[r] = x[r];
    p[r] = a[r];
  }
  Size j = 0;
  for (; j + 2 * kStep <= cols; j += 2 * kStep) {
    Lanes<R> low = load(y + j), high = load(y + j + kStep);
    if (next != nullptr) {
      for (std::size_t r = 0; r < kRows; ++r) __builtin_prefetch(next[r] + j);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      low += w[r] * load(p[r] + j);
      high += w[r] * load(p[r] + j + kStep);
    }
    store<R>(y + j, low);
    store<R>(y + j + kStep, high);
  }
  for (; j + kStep <= cols; j += kStep) {
    Lanes<R> v = load(y + j);
    for (std::size_t r = 0; r < kRows; ++r) v += w[r] * load(p[r] + j);
    store<R>(y + j, v);
  }
  for (; j < cols; ++j) {
    for (std::size_t r = 0; r < kRows; ++r) y[j] += w[r] * value(p[r][j]);
  }
}

// Rows shorter than a page of a matrix beyond the near caches are read one after the other: read
// side by side they are streams that the processor does not foresee (7 against 18 GB/s).
template <class T>
inline bool in_order(Size rows, Size cols) {
  constexpr Size kPage = 4096, kNear = Size{1} << 22;
  const Size row = cols * static_cast<Size>(sizeof(T));
  return row < kPage && rows * row > kNear;
}

template <class T, class R>
void dots(const T* a, Size rows, Size cols, const R* x, R* y) {
  Size i = 0;
  const Size together = in_order<T>(rows, cols) ? 0 : rows;
  for (; i + 4 <= together; i += 4) {
    const T* const four[] = {a + i * cols, a + (i + 1) * cols, a + (i + 2) * cols,
                             a + (i + 3) * cols};
    dot_rows<4, 2>(four, cols, x, y + i);
  }
  for (; i < rows; ++i) {
    const T* const one[] = {a + i * cols};
    dot_rows<1, 4>(one, cols, x, y + i);
  }
}

// Rows one after the other as row(i), with coefficients x.
template <class T, class R, class Row>
inline void add_all(Row row, Size count, Size cols, const R* x, R* y) {
  Size i = 0;
  for (; i + 8 <= count; i += 8) {
    const T* const eight[] = {row(i),     row(i + 1), row(i + 2), row(i + 3),
                              row(i + 4), row(i + 5), row(i + 6), row(i + 7)};
    if (i + 16 <= count) {
      const T* const next[] = {row(i + 8),  row(i + 9),  row(i + 10), row(i + 11),
                               row(i + 12), row(i + 13), row(i + 14), row(i + 15)};
      add_rows<8>(eight, cols, x + i, y, next);
    } else {
      add_rows<8>(eight, cols, x + i, y);
    }
  }
  if (i + 4 <= count) {
    const T* const four[] = {row(i), row(i + 1), row(i + 2), row(i + 3)};
    add_rows<4>(four, cols, x + i, y);
    i += 4;
  }
  for (; i < count; ++i) {
    const T* const one[] = {row(i)};
    add_rows<1>(one, cols, x + i, y);
  }
}

template <class T, class R>
void combine(const T* a, Size rows, Size cols, const R* x, R* y) {
  for (Size j = 0; j < cols; ++j) y[j] = 0;
  if (in_order<T>(rows, cols)) {
    for (Size i = 0; i < rows; ++i) {
      const T* const one[] = {a + i * cols};
      add_rows<1>(one, cols, x + i, y);
    }
    return;
  }
  add_all<T, R>([a, cols](Size i) { return a + i * cols; }, rows, cols, x, y);
}

template <class T, class R>
void gather(const T* a, Size cols, const std::int32_t* index, const R* x, Size count, R* y) {
  add_all<T, R>([a, cols, index](Size i) { return a + index[i] * cols; }, count, cols, x, y);
}

template <class T>
void downdate(T* a, Size rows, Size cols, const T* f, T c, T* k) {
  constexpr Size kStep = kLanes<T>;
  constexpr std::size_t kRows = 4;
  Size i = 0;
  for (; i + 4 <= rows; i += 4) {
    T* const four[] = {a + i * cols, a + (i + 1) * cols, a + (i + 2) * cols, a + (i + 3) * cols};
    const Size ahead = i + 8 <= rows ? 4 * cols : 0;
    dot_rows<kRows, 2>(four, cols, f, k + i);
    T scale[kRows];
    for (std::size_t r = 0; r < kRows; ++r) scale[r] = c * k[i + static_cast<Size>(r)];
    Size j = 0;
    for (; j + 2 * kStep <= cols; j += 2 * kStep) {
      const Lanes<T> low = load(f + j), high = load(f + j + kStep);
      for (std::size_t r = 0; r < kRows; ++r) {
        T* const p = four[r] + j;
        prefetch<2 * kBytes>(p + ahead);
        store<T>(p, load(p) - scale[r] * low);
        store<T>(p + kStep, load(p + kStep) - scale[r] * high);
      }
    }
    for (; j + kStep <= cols; j += kStep) {
      const Lanes<T> v = load(f + j);
      for (std::size_t r = 0; r < kRows; ++r) {
        store<T>(four[r] + j, load(four[r] + j) - scale[r] * v);
      }
    }
    for (; j < cols; ++j) {
      for (std::size_t r = 0; r < kRows; ++r) four[r][j] -= scale[r] * f[j];
    }
  }
  for (; i < rows; ++i) {
    T* const row = a + i * cols;
    const T* const one[] = {row};
    dot_rows<1, 4>(one, cols, f, k + i);
    const T scale = -c * k[i];
    const T* const direction[] = {f};
    add_rows<1>(direction, cols, &scale, row);
  }
}

template <class T>
KernelsFor<T> all_kernels() {
  using R = typename Arithmetic<T>::Type;
  return {dots<T, R>, combine<T, R>, gather<T, R>, downdate<T>};
}
template <>
KernelsFor<Half> all_kernels<Half>() {
  return {dots<Half, float>, combine<Half, float>, gather<Half, float>, nullptr};
}

}  // namespace
}  // namespace bandolier
