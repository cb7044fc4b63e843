#include "bandolier/nn/lane_convolution.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bandolier {
namespace {

// Tiles of sums that stay in registers: 32 of them with AVX-512 and on ARM, else 16.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr std::size_t kPixels = 4, kFilters = 6, kTaps = 5, kTapFilters = 4;
#else
constexpr std::size_t kPixels = 2, kFilters = 6, kTaps = 3, kTapFilters = 3;
#endif

// What the sums over taps (dy, dx, c) of one tile need to know: dy in [top, bottom), and of each
// row of the kernel the taps [left, right), (dx, c) counted as one. `weight` and `in` point to tap
// (0, 0) of the tile's first filter and pixel.
template <class T>
struct Window {
  Index top, bottom, left, right;
  const T* weights;
  Index filters, kernel_row;  // values from tap to tap and from dy to dy
  const T* in;
  Index in_pixel, in_row;
  const T* bias;
  bool relu;
  T* out;
  Index out_pixel;
};

// A tile of kP neighbouring pixels × kF filters: kP + kF loads for kP·kF multiply-adds.
template <class T, std::size_t kP, std::size_t kF>
void convolve_tile(const Window<T>& w) {
  constexpr Index kL = kLanes<T>;
  Lanes<T> sums[kF][kP];
  for (std::size_t f = 0; f < kF; ++f) {
    const Lanes<T> start = Lanes<T>{} + (w.bias ? w.bias[f] : T{0});
    for (std::size_t p = 0; p < kP; ++p) sums[f][p] = start;
  }
  for (Index dy = w.top; dy < w.bottom; ++dy) {
    const T* weight = w.weights + dy * w.kernel_row + w.left * w.filters;
    const T* in = w.in + dy * w.in_row + w.left * kL;
    for (Index tap = w.left; tap < w.right; ++tap, weight += w.filters, in += kL) {
      Lanes<T> x[kP];
      for (std::size_t p = 0; p < kP; ++p) x[p] = load(in + static_cast<Index>(p) * w.in_pixel);
      for (std::size_t f = 0; f < kF; ++f) {
        for (std::size_t p = 0; p < kP; ++p) sums[f][p] += weight[f] * x[p];
      }
    }
  }
  for (std::size_t p = 0; p < kP; ++p) {
    T* out = w.out + static_cast<Index>(p) * w.out_pixel;
    for (std::size_t f = 0; f < kF; ++f, out += kL) {
      const Lanes<T> y = sums[f][p];
      store<T>(out, w.relu ? (y < Lanes<T>{} ? Lanes<T>{} : y) : y);  // NaN stays
    }
  }
}

// The sums of kF filters × kK neighbouring taps over rows × columns of pixels.
template <class T>
struct Taps {
  Index rows, columns;
  const T* in;
  Index in_pixel, in_row;
  const T* delta;
  Index delta_pixel, delta_row;
  T* sums;
  Index sums_filter;
};

template <class T, std::size_t kF, std::size_t kK>
void gradient_tile(const Taps<T>& t) {
  constexpr Index kL = kLanes<T>;
  Lanes<T> sums[kF][kK];
  const auto at = [&](std::size_t f, std::size_t k) {
    return t.sums + static_cast<Index>(f) * t.sums_filter + static_cast<Index>(k) * kL;
  };
  for (std::size_t f = 0; f < kF; ++f) {
    for (std::size_t k = 0; k < kK; ++k) sums[f][k] = load<T>(at(f, k));
  }
  for (Index i = 0; i < t.rows; ++i) {
    const T* in = t.in + i * t.in_row;
    const T* delta = t.delta + i * t.delta_row;
    for (Index j = 0; j < t.columns; ++j, in += t.in_pixel, delta += t.delta_pixel) {
      Lanes<T> d[kF];
      for (std::size_t f = 0; f < kF; ++f) d[f] = load(delta + static_cast<Index>(f) * kL);
      for (std::size_t k = 0; k < kK; ++k) {
        const Lanes<T> x = load(in + static_cast<Index>(k) * kL);
        for (std::size_t f = 0; f < kF; ++f) sums[f][k] += d[f] * x;
      }
    }
  }
  for (std::size_t f = 0; f < kF; ++f) {
    for (std::size_t k = 0; k < kK; ++k) store<T>(at(f, k), sums[f][k]);
  }
}

// The deltas of kF filters, rows × columns pixels, put side by side; `bias` += their sums.
template <class T, std::size_t kF>
void pack_tile(const T* delta, Index delta_pixel, Index delta_row, Index rows, Index columns,
               T* packed, T* bias) {
  constexpr Index kL = kLanes<T>;
  Lanes<T> sums[kF];
  for (std::size_t f = 0; f < kF; ++f) sums[f] = load(bias + static_cast<Index>(f) * kL);
  for (Index i = 0; i < rows; ++i, delta += delta_row) {
    const T* from = delta;
    for (Index j = 0; j < columns; ++j, from += delta_pixel) {
      for (std::size_t f = 0; f < kF; ++f, packed += kL) {
        const Lanes<T> d = load(from + static_cast<Index>(f) * kL);
        sums[f] += d;
        store<T>(packed, d);
      }
    }
  }
  for (std::size_t f = 0; f < kF; ++f) store<T>(bias + static_cast<Index>(f) * kL, sums[f]);
}

// Tiles of all sizes up to kA × kB: entry (a − 1)·kB + b − 1 is Tile<a, b>.
template <class T, std::size_t kB, std::size_t... kI>
constexpr auto convolve_tiles(std::index_sequence<kI...>) {
  return std::array{convolve_tile<T, kI / kB + 1, kI % kB + 1>...};
}
template <class T, std::size_t kB, std::size_t... kI>
constexpr auto gradient_tiles(std::index_sequence<kI...>) {
  return std::array{gradient_tile<T, kI / kB + 1, kI % kB + 1>...};
}
template <class T, std::size_t... kI>
constexpr auto pack_tiles(std::index_sequence<kI...>) {
  return std::array{pack_tile<T, kI + 1>...};
}

// Calls visit(first, count) for parts of [0, total), as equal as can be, of at most `most`.
template <class Visit>
void in_parts(Index total, std::size_t most, const Visit& visit) {
  const Index limit = static_cast<Index>(most), parts = (total + limit - 1) / limit;
  for (Index part = 0, first = 0; part < parts; ++part) {
    const Index count = (total - first + parts - part - 1) / (parts - part);
    visit(first, count);
    first += count;
  }
}

}  // namespace

template <class T>
void lane_convolve(const Convolution& c, const LaneShape& in_shape, const T* in, const T* weights,
                   const T* bias, bool relu, const LaneShape& out_shape, T* out) {
  static constexpr auto kTiles =
      convolve_tiles<T, kFilters>(std::make_index_sequence<kPixels * kFilters>{});
  const ImageShape to = c.out();
  const Index channels = c.in.channels;
  Window<T> w{};
  w.filters = c.filters;
  w.kernel_row = c.kernel * channels * c.filters;
  w.in_pixel = in_shape.pixel<T>();
  w.in_row = in_shape.row<T>();
  w.relu = relu;
  w.out_pixel = out_shape.pixel<T>();
  for (Index i = 0; i < to.height; ++i) {
    w.top = std::max<Index>(0, c.padding - i);
    w.bottom = std::min(c.kernel, c.in.height + c.padding - i);
    in_parts(to.width, kPixels, [&](Index j, Index pixels) {
      const Index left = std::max<Index>(0, c.padding - (j + pixels - 1));
      const Index right = std::min(c.kernel, c.in.width + c.padding - j);
      w.left = left * channels;
      w.right = std::max(left, right) * channels;
      w.in = in + (i - c.padding) * w.in_row + (j + in_shape.padding - c.padding) * w.in_pixel;
      in_parts(c.filters, kFilters, [&](Index f, Index filters) {
        w.weights = weights + f;
        w.bias = bias ? bias + f : nullptr;
        w.out =
            out + i * out_shape.row<T>() + (j + out_shape.padding) * w.out_pixel + f * kLanes<T>;
        kTiles[static_cast<std::size_t>(pixels - 1) * kFilters +
               static_cast<std::size_t>(filters - 1)](w);
      });
    });
  }
}

template <class T>
void lane_gradient(const Convolution& c, const LaneShape& in_shape, const T* in,
                   const LaneShape& delta_shape, const T* delta, T* sums) {
  static constexpr auto kTiles =
      gradient_tiles<T, kTaps>(std::make_index_sequence<kTapFilters * kTaps>{});
  static constexpr auto kPack = pack_tiles<T>(std::make_index_sequence<kTapFilters>{});
  constexpr Index kL = kLanes<T>;
  const ImageShape to = c.out();
  const Index kernel_row = c.kernel * c.in.channels;
  const Index delta_pixel = delta_shape.pixel<T>(), delta_row = delta_shape.row<T>();
  Taps<T> t{};
  t.in_pixel = in_shape.pixel<T>();
  t.in_row = in_shape.row<T>();
  t.sums_filter = c.patch() * kL;

  // As many rows and columns at a time as stay in the innermost cache with their input. The deltas
  // of a tile's filters are packed: from pixel to pixel they may be a power of two apart, which
  // only a part of the cache could hold.
  constexpr Index kCache = 40 * 1024 / sizeof(T), kPacked = kCache / 2;
  alignas(kLaneBytes) T packed[static_cast<std::size_t>(kPacked)];
  const Index pixel = std::min<Index>(c.filters, kTapFilters) * kL;
  const Index wide = std::min(to.width, kPacked / pixel);
  const Index high = std::clamp<Index>(
      std::min(kPacked / (wide * pixel), kCache / (wide * pixel + t.in_row)), 1, to.height);
  const auto add_block = [&](Index i, Index rows, Index j, Index columns) {
    t.columns = columns;
    in_parts(c.filters, kTapFilters, [&](Index f, Index filters) {
      kPack[static_cast<std::size_t>(filters - 1)](
          delta + i * delta_row + (j + delta_shape.padding) * delta_pixel + f * kL, delta_pixel,
          delta_row, rows, columns, packed, sums + c.filters * t.sums_filter + f * kL);
      t.delta_pixel = filters * kL;
      t.delta_row = columns * t.delta_pixel;
      for (Index dy = 0; dy < c.kernel; ++dy) {
        const Index top = std::max(i, c.padding - dy);
        t.rows = std::min(i + rows, c.in.height + c.padding - dy) - top;
        if (t.rows <= 0) continue;
        t.delta = packed + (top - i) * t.delta_row;
        const T* in_row = in + (top + dy - c.padding) * t.in_row +
                          (j + in_shape.padding - c.padding) * t.in_pixel;
        in_parts(kernel_row, kTaps, [&](Index tap, Index taps) {
          t.in = in_row + tap * kL;
          t.sums = sums + f * t.sums_filter + (dy * kernel_row + tap) * kL;
          kTiles[static_cast<std::size_t>(filters - 1) * kTaps +
                 static_cast<std::size_t>(taps - 1)](t);
        });
      }
    });
  };
  for (Index i = 0; i < to.height; i += high) {
    for (Index j = 0; j < to.width; j += wide) {
      add_block(i, std::min(high, to.height - i), j, std::min(wide, to.width - j));
    }
  }
}

#define BANDOLIER_INSTANTIATE(T)                                                                   \
  template void lane_convolve<T>(const Convolution&, const LaneShape&, const T*, const T*,         \
                                 const T*, bool, const LaneShape&, T*);                            \
  template void lane_gradient<T>(const Convolution&, const LaneShape&, const T*, const LaneShape&, \
                                 const T*, T*);
BANDOLIER_INSTANTIATE(float)
BANDOLIER_INSTANTIATE(double)
#undef BANDOLIER_INSTANTIATE

}  // namespace bandolier
