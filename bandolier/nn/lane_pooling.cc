#include "bandolier/nn/lane_pooling.h"

#include <algorithm>
#include <type_traits>

namespace bandolier {
namespace {

// Integers as wide as the values, and bytes: one per lane.
template <class T>
using Whole = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
template <class T>
struct BitsOf;
template <>
struct BitsOf<float> {
  typedef std::int32_t Wide __attribute__((vector_size(kLaneBytes)));
  typedef std::uint8_t Narrow __attribute__((vector_size(kLanes<float>)));
};
template <>
struct BitsOf<double> {
  typedef std::int64_t Wide __attribute__((vector_size(kLaneBytes)));
  typedef std::uint8_t Narrow __attribute__((vector_size(kLanes<double>)));
};
template <class T>
using Wide = typename BitsOf<T>::Wide;
template <class T>
using Narrow = typename BitsOf<T>::Narrow;

}  // namespace

template <class T>
void lane_pool(const LaneShape& in, const T* x, const LaneShape& out, T* y) {
  const Index pixel = in.pixel<T>(), row = in.row<T>();
  for (Index i = 0; i < out.image.height; ++i) {
    const T* from = x + 2 * i * row + in.padding * pixel;
    T* to = y + i * out.row<T>() + out.padding * pixel;
    for (Index j = 0; j < out.image.width; ++j, from += pixel) {
      for (Index k = 0; k < pixel; k += kLanes<T>, from += kLanes<T>, to += kLanes<T>) {
        store<T>(
            to,
            (load(from) + load(from + pixel) + load(from + row) + load(from + row + pixel)) / T{4});
      }
    }
  }
}

template <class T>
void lane_pool_signs(const LaneShape& in, const T* x, const LaneShape& out, T* y,
                     std::uint8_t* signs) {
  const Index pixel = in.pixel<T>(), row = in.row<T>();
  const Lanes<T> zero{};
  for (Index i = 0; i < out.image.height; ++i) {
    const T* from = x + 2 * i * row + in.padding * pixel;
    T* to = y + i * out.row<T>() + out.padding * pixel;
    for (Index j = 0; j < out.image.width; ++j, from += pixel) {
      for (Index k = 0; k < pixel; k += kLanes<T>) {
        const Lanes<T> a = load(from), b = load(from + pixel), c = load(from + row),
                       d = load(from + row + pixel);
        store<T>(to, (a + b + c + d) / T{4});
        const Wide<T> bits = ((a > zero) & Whole<T>{1}) | ((b > zero) & Whole<T>{2}) |
                             ((c > zero) & Whole<T>{4}) | ((d > zero) & Whole<T>{8});
        const auto narrow = __builtin_convertvector(bits, Narrow<T>);
        std::memcpy(signs, &narrow, sizeof narrow);
        from += kLanes<T>;
        to += kLanes<T>;
        signs += kLanes<T>;
      }
    }
  }
}

template <class T>
void lane_unpool(const LaneShape& up_shape, const T* up, Index scale, const LaneShape& shape,
                 T* delta) {
  const Index pixel = shape.pixel<T>();
  const T share = T{1} / static_cast<T>(scale * scale);
  for (Index i = 0; i < shape.image.height; ++i) {
    T* to = delta + i * shape.row<T>() + shape.padding * pixel;
    const T* from = up + i / scale * up_shape.row<T>() + up_shape.padding * pixel;
    const Index columns = i / scale < up_shape.image.height ? up_shape.image.width * scale : 0;
    for (Index j = 0; j < columns; ++j, to += pixel) {
      const T* above = from + j / scale * pixel;
      for (Index k = 0; k < pixel; ++k) to[k] = above[k] * share;
    }
    std::fill_n(to, (shape.image.width - columns) * pixel, T{0});
  }
}

template <class T>
void lane_unpool_signs(const LaneShape& up_shape, const T* up, const std::uint8_t* signs,
                       const LaneShape& shape, T* delta) {
  const Index pixel = shape.pixel<T>(), row = shape.row<T>();
  const Index left_over = shape.image.width - 2 * up_shape.image.width;
  const Lanes<T> zero{};
  T* to = delta + shape.padding * pixel;
  for (Index i = 0; i < up_shape.image.height; ++i, to += 2 * row) {
    const T* from = up + i * up_shape.row<T>() + up_shape.padding * pixel;
    T* at = to;
    for (Index j = 0; j < up_shape.image.width; ++j, at += pixel) {
      for (Index k = 0; k < pixel; k += kLanes<T>) {
        Narrow<T> narrow;
        std::memcpy(&narrow, signs, sizeof narrow);
        const auto bits = __builtin_convertvector(narrow, Wide<T>);
        const Lanes<T> d = load(from) / T{4};
        store<T>(at, (bits & Whole<T>{1}) != 0 ? d : zero);
        store<T>(at + pixel, (bits & Whole<T>{2}) != 0 ? d : zero);
        store<T>(at + row, (bits & Whole<T>{4}) != 0 ? d : zero);
        store<T>(at + row + pixel, (bits & Whole<T>{8}) != 0 ? d : zero);
        from += kLanes<T>;
        at += kLanes<T>;
        signs += kLanes<T>;
      }
    }
    std::fill_n(at, left_over * pixel, T{0});
    std::fill_n(at + row, left_over * pixel, T{0});
  }
  if (shape.image.height % 2 != 0) std::fill_n(to, shape.image.width * pixel, T{0});
}

#define BANDOLIER_INSTANTIATE(T)                                                         \
  template void lane_pool<T>(const LaneShape&, const T*, const LaneShape&, T*);          \
  template void lane_pool_signs<T>(const LaneShape&, const T*, const LaneShape&, T*,     \
                                   std::uint8_t*);                                       \
  template void lane_unpool<T>(const LaneShape&, const T*, Index, const LaneShape&, T*); \
  template void lane_unpool_signs<T>(const LaneShape&, const T*, const std::uint8_t*,    \
                                     const LaneShape&, T*);
BANDOLIER_INSTANTIATE(float)
BANDOLIER_INSTANTIATE(double)
#undef BANDOLIER_INSTANTIATE

}  // namespace bandolier
