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

// Bytes of a lane set; and in products with many vectors, how many of these and how many rows go
// side by side: their sums fill the registers.
#if defined(__AVX512F__)
constexpr Size kBytes = 64;
constexpr std::size_t kTogether = 5, kTogetherRows = 8;
#elif defined(__AVX2__)
constexpr Size kBytes = 32;
constexpr std::size_t kTogether = 3, kTogetherRows = 4;
#else
constexpr Size kBytes = 16;
constexpr std::size_t kTogether = 3, kTogetherRows = 4;
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
#if defined(__AVX512F__)
  return static_cast<Lanes<float>>(
      _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))));
#elif defined(__F16C__)
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

// The first n <= kLanes elements, then zeros.
template <class T>
inline auto load_part(const T* p, Size n) {
  using R = typename Arithmetic<T>::Type;
  R part[kLanes<R>] = {};
  for (Size i = 0; i < n; ++i) part[i] = value(p[i]);
  return load(part);
}
#if defined(__AVX512F__)
inline Lanes<float> load_part(const float* p, Size n) {
  return static_cast<Lanes<float>>(_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1), p));
}
inline Lanes<double> load_part(const double* p, Size n) {
  return static_cast<Lanes<double>>(_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1), p));
}
#elif defined(__AVX2__)
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

// The first n <= kLanes elements of v.
template <class R>
inline void store_part(R* p, const Lanes<R>& v, Size n) {
  std::memcpy(p, &v, static_cast<std::size_t>(n) * sizeof(R));
}

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

// kCount sums y_r over columns from `column` on, kWide lanes of them, or `part` columns of one
// lane.
template <std::size_t kCount, std::size_t kWide, class T>
inline void combine_panel(const T* a, Size rows, Size cols, const T* const* x, T* const* y,
                          Size column, Size part) {
  constexpr Size kStep = kLanes<T>;
  Lanes<T> sums[kCount][kWide] = {};
  for (Size i = 0; i < rows; ++i) {
    const T* const p = a + i * cols + column;
    Lanes<T> v[kWide];
    if constexpr (kWide == 1) {
      v[0] = load_part(p, part);
    } else {
      for (std::size_t u = 0; u < kWide; ++u) v[u] = load(p + static_cast<Size>(u) * kStep);
    }
    for (std::size_t r = 0; r < kCount; ++r) {
      for (std::size_t u = 0; u < kWide; ++u) sums[r][u] += x[r][i] * v[u];
    }
  }
  for (std::size_t r = 0; r < kCount; ++r) {
    if constexpr (kWide == 1) {
      store_part<T>(y[r] + column, sums[r][0], part);
    } else {
      for (std::size_t u = 0; u < kWide; ++u) {
        store<T>(y[r] + column + static_cast<Size>(u) * kStep, sums[r][u]);
      }
    }
  }
}

// kTogether vectors at a time.
template <std::size_t kWide, class T>
inline void combine_panels(const T* a, Size rows, Size cols, const T* const* x, T* const* y,
                           Size count, Size column, Size part = 0) {
  constexpr auto kStep = static_cast<Size>(kTogether);
  Size r = 0;
  for (; r + kStep <= count; r += kStep) {
    combine_panel<kTogether, kWide>(a, rows, cols, x + r, y + r, column, part);
  }
  for (; r < count; ++r) combine_panel<1, kWide>(a, rows, cols, x + r, y + r, column, part);
}

template <class T>
void combine_many(const T* a, Size rows, Size cols, const T* const* x, T* const* y, Size count) {
  if (count == 1) return combine<T, T>(a, rows, cols, x[0], y[0]);
  constexpr Size kStep = kLanes<T>;
  Size j = 0;
  for (; j + 4 * kStep <= cols; j += 4 * kStep) combine_panels<4>(a, rows, cols, x, y, count, j);
  for (; j + 2 * kStep <= cols; j += 2 * kStep) combine_panels<2>(a, rows, cols, x, y, count, j);
  for (; j < cols; j += kStep) {
    combine_panels<1>(a, rows, cols, x, y, count, j, cols - j < kStep ? cols - j : kStep);
  }
}

// k[r][0 … kWide lanes) = Σ_c a_rc ft_c for kRows rows: no sum goes across lanes.
template <std::size_t kRows, std::size_t kWide, class T>
inline void dot_columns(const T* a, Size cols, const T* ft, T* k) {
  constexpr Size kStep = kLanes<T>;
  Lanes<T> sums[kRows][kWide] = {};
  for (Size c = 0; c < cols; ++c) {
    Lanes<T> v[kWide];
    for (std::size_t u = 0; u < kWide; ++u) {
      v[u] = load(ft + c * kMostVectors + static_cast<Size>(u) * kStep);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const T element = a[static_cast<Size>(r) * cols + c];
      for (std::size_t u = 0; u < kWide; ++u) sums[r][u] += element * v[u];
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t u = 0; u < kWide; ++u) {
      store<T>(k + static_cast<Size>(r) * kMostVectors + static_cast<Size>(u) * kStep, sums[r][u]);
    }
  }
}

// a_r −= Σ_j k[r][j] w_j for kRows rows: each element is loaded and stored once for all j.
template <std::size_t kRows, class T>
inline void subtract_rows(T* a, Size cols, const T* w, Size count, const T* k) {
  constexpr Size kStep = kLanes<T>;
  Size c = 0;
  for (; c + 2 * kStep <= cols; c += 2 * kStep) {
    Lanes<T> low[kRows], high[kRows];
    for (std::size_t r = 0; r < kRows; ++r) {
      const T* const p = a + static_cast<Size>(r) * cols + c;
      low[r] = load(p);
      high[r] = load(p + kStep);
    }
    for (Size j = 0; j < count; ++j) {
      const Lanes<T> w_low = load(w + j * cols + c), w_high = load(w + j * cols + c + kStep);
      for (std::size_t r = 0; r < kRows; ++r) {
        low[r] -= k[static_cast<Size>(r) * kMostVectors + j] * w_low;
        high[r] -= k[static_cast<Size>(r) * kMostVectors + j] * w_high;
      }
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      T* const p = a + static_cast<Size>(r) * cols + c;
      store<T>(p, low[r]);
      store<T>(p + kStep, high[r]);
    }
  }
  for (; c < cols; c += kStep) {
    const Size part = cols - c < kStep ? cols - c : kStep;
    Lanes<T> sums[kRows];
    for (std::size_t r = 0; r < kRows; ++r) {
      sums[r] = load_part(static_cast<const T*>(a) + static_cast<Size>(r) * cols + c, part);
    }
    for (Size j = 0; j < count; ++j) {
      const Lanes<T> v = load_part(w + j * cols + c, part);
      for (std::size_t r = 0; r < kRows; ++r)
        sums[r] -= k[static_cast<Size>(r) * kMostVectors + j] * v;
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      store_part<T>(a + static_cast<Size>(r) * cols + c, sums[r], part);
    }
  }
}

template <std::size_t kRows, class T>
inline void downdate_rows(T* a, Size cols, const T* ft, const T* w, const T* b, Size count, T* g) {
  constexpr Size kStep = kLanes<T>;
  T k[kRows * static_cast<std::size_t>(kMostVectors)];
  Size j = 0;
  for (; j + kStep < count; j += 2 * kStep) dot_columns<kRows, 2>(a, cols, ft + j, k + j);
  if (j < count) dot_columns<kRows, 1>(a, cols, ft + j, k + j);
  for (std::size_t r = 0; r < kRows; ++r) {
    T total = 0;
    for (j = 0; j < count; ++j) total += k[static_cast<Size>(r) * kMostVectors + j] * b[j];
    g[r] = total;
  }
  subtract_rows<kRows>(a, cols, w, count, k);
}

template <class T>
void downdate_many(T* a, Size rows, Size cols, const T* ft, const T* w, const T* b, Size count,
                   T* g) {
  constexpr auto kStep = static_cast<Size>(kTogetherRows);
  Size i = 0;
  for (; i + kStep <= rows; i += kStep) {
    downdate_rows<kTogetherRows>(a + i * cols, cols, ft, w, b, count, g + i);
  }
  for (; i < rows; ++i) downdate_rows<1>(a + i * cols, cols, ft, w, b, count, g + i);
}

template <class T>
KernelsFor<T> all_kernels() {
  return {dots<T, T>, combine<T, T>, gather<T, T>, downdate<T>, combine_many<T>, downdate_many<T>};
}
template <>
[[maybe_unused]] KernelsFor<Half> all_kernels<Half>() {
  return {dots<Half, float>, combine<Half, float>, gather<Half, float>, nullptr, nullptr, nullptr};
}

}  // namespace
}  // namespace bandolier
