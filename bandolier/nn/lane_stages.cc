#include "bandolier/nn/lane_stages.h"

#include <algorithm>
#include <cstdint>

#include "bandolier/nn/lane_convolution.h"
#include "bandolier/nn/lane_pooling.h"

namespace bandolier {
namespace {

using Nonlinearity = LaneStage::Nonlinearity;

LaneShape in_shape(const LaneStage& s) { return {s.convolution.in, s.convolution.padding}; }
// Of the convolution's output.
LaneShape out_shape(const LaneStage& s) {
  return {s.convolution.out(), s.pool ? 0 : s.next_padding};
}
LaneShape pooled_shape(const LaneStage& s) {
  return {AveragePool{s.convolution.out()}.out(), s.next_padding};
}
LaneShape last_shape(const LaneStage& s) { return s.pool ? pooled_shape(s) : out_shape(s); }
// Of ∂L/∂(the convolution's output): padded for the convolution that goes back.
LaneShape delta_shape(const LaneStage& s) {
  const Convolution& c = s.convolution;
  return {c.out(), s.first ? 0 : c.kernel - 1 - c.padding};
}

// Behind ReLU and pooling, a byte per pooled value is all that backward needs of the output.
bool signs_only(const LaneStage& s) { return s.pool && s.nonlinearity == Nonlinearity::kRelu; }

// Values kept of the convolution's output, of all that follows the input, and of a group.
template <class T>
Index kept_output(const LaneStage& s) {
  if (!signs_only(s)) return out_shape(s).size<T>();
  const Index bytes = pooled_shape(s).image.size() * kLanes<T>;
  return (bytes + kLaneBytes - 1) / kLaneBytes * kLanes<T>;
}
template <class T>
Index kept_values(const LaneStage& s) {
  return kept_output<T>(s) + (s.pool ? pooled_shape(s).size<T>() : 0);
}
template <class T>
Index group_values(const std::vector<LaneStage>& stages) {
  Index values = in_shape(stages[0]).size<T>();
  for (const LaneStage& stage : stages) values += kept_values<T>(stage);
  return values;
}

// The first `size` values of a buffer that begin where a vector register may: Eigen's own memory is
// aligned to less.
template <class T>
T* aligned(Vector<T>& buffer, Index size) {
  constexpr Index kL = kLanes<T>;
  if (buffer.size() < size + kL) buffer.resize(size + kL);
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.data());
  const auto past = static_cast<Index>(address % static_cast<std::uintptr_t>(kLaneBytes)) /
                    static_cast<Index>(sizeof(T));
  return buffer.data() + (past == 0 ? 0 : kL - past);
}

// Bytes may lie where values do.
template <class T>
std::uint8_t* as_signs(T* values) {
  return reinterpret_cast<std::uint8_t*>(values);
}
template <class T>
const std::uint8_t* as_signs(const T* values) {
  return reinterpret_cast<const std::uint8_t*>(values);
}

template <class T>
void clear_padding(const LaneShape& shape, T* image) {
  const Index side = shape.padding * shape.pixel<T>(), row = shape.row<T>();
  if (side == 0) return;
  for (Index i = 0; i < shape.image.height; ++i, image += row) {
    std::fill_n(image, side, T{0});
    std::fill_n(image + row - side, side, T{0});
  }
}

// Rows of values become lanes; those without a row are zero.
template <class T>
void to_lanes(const ConstMatrixRef<T>& rows, const LaneShape& shape, T* lanes) {
  constexpr Index kL = kLanes<T>;
  const Index line = shape.image.width * shape.image.channels, count = rows.rows();
  for (Index i = 0; i < shape.image.height; ++i) {
    T* to = lanes + i * shape.row<T>() + shape.padding * shape.pixel<T>();
    const T* from = rows.data() + i * line;
    if (count == kL) {
      const Index stride = rows.outerStride();
      for (Index v = 0; v < line; ++v, to += kL) {
        for (Index n = 0; n < kL; ++n) to[n] = from[n * stride + v];
      }
    } else {
      for (Index v = 0; v < line; ++v, to += kL) {
        for (Index n = 0; n < kL; ++n) to[n] = n < count ? from[n * rows.outerStride() + v] : T{0};
      }
    }
  }
}

// The other way; `shape` has no padding.
template <class T>
void to_rows(const LaneShape& shape, const T* lanes, MatrixRef<T> rows) {
  for (Index n = 0; n < rows.rows(); ++n) {
    T* to = rows.row(n).data();
    for (Index v = 0; v < shape.image.size(); ++v) to[v] = lanes[v * kLanes<T> + n];
  }
}

// Kernel (filters × (dy, dx, c)) as taps × filters.
template <class T>
void forward_weights(const Convolution& c, const T* kernel, T* weights) {
  MatrixMap<T>(weights, c.patch(), c.filters) =
      ConstMatrixMap<T>(kernel, c.filters, c.patch()).transpose();
}

// The kernel turned by 180°, rows (dy, dx, filter), a column per channel.
template <class T>
void backward_weights(const Convolution& c, const T* kernel, T* weights) {
  const Index taps = c.kernel * c.kernel, channels = c.in.channels;
  for (Index tap = 0; tap < taps; ++tap) {
    for (Index f = 0; f < c.filters; ++f) {
      std::copy_n(kernel + f * c.patch() + (taps - 1 - tap) * channels, channels,
                  weights + (tap * c.filters + f) * channels);
    }
  }
}

template <class T>
void forward_group(const std::vector<LaneStage>& stages, const T* parameters, const T* weights,
                   T* passing, T* kept) {
  const T* x = kept;
  T* y = kept + in_shape(stages[0]).size<T>();
  for (const LaneStage& stage : stages) {
    const Convolution& c = stage.convolution;
    const LaneShape out = out_shape(stage);
    T* const convolved = signs_only(stage) ? passing : y;
    lane_convolve<T>(c, in_shape(stage), x, weights + stage.offset,
                     parameters + stage.offset + c.filters * c.patch(),
                     stage.nonlinearity == Nonlinearity::kRelu, out, convolved);
    clear_padding(out, convolved);
    if (stage.nonlinearity == Nonlinearity::kTanh) {
      VectorMap<T> values(y, out.size<T>());
      values.array() = values.array().tanh();
    }
    x = y;
    y += kept_output<T>(stage);
    if (stage.pool) {
      if (signs_only(stage)) {
        lane_pool_signs<T>(out, convolved, pooled_shape(stage), y,
                           as_signs(y - kept_output<T>(stage)));
      } else {
        lane_pool<T>(out, x, pooled_shape(stage), y);
      }
      clear_padding(pooled_shape(stage), y);
      x = y;
      y += pooled_shape(stage).size<T>();
    }
  }
}

// delta ← delta ∘ nonlinearity'(y).
template <class T>
void scale(const LaneStage& stage, const T* y, const LaneShape& shape, T* delta) {
  if (stage.nonlinearity == Nonlinearity::kNone) return;
  const LaneShape out = out_shape(stage);
  const Index pixel = shape.pixel<T>(), line = out.image.width * pixel;
  for (Index i = 0; i < out.image.height; ++i) {
    const T* from = y + i * out.row<T>() + out.padding * pixel;
    T* to = delta + i * shape.row<T>() + shape.padding * pixel;
    if (stage.nonlinearity == Nonlinearity::kRelu) {
      for (Index k = 0; k < line; ++k) to[k] = from[k] > T{0} ? to[k] : T{0};
    } else {
      for (Index k = 0; k < line; ++k) to[k] *= T{1} - from[k] * from[k];
    }
  }
}

template <class T>
void backward_group(const std::vector<LaneStage>& stages, const T* weights, const T* kept, T* delta,
                    T* delta_in, T* sums) {
  const T* end = kept + group_values<T>(stages);
  for (std::size_t s = stages.size(); s-- > 0;) {
    const LaneStage& stage = stages[s];
    const Convolution& c = stage.convolution;
    const T* y = end - kept_values<T>(stage);
    const T* x = s == 0 ? kept : y - last_shape(stages[s - 1]).size<T>();
    const LaneShape up{last_shape(stage).image, 0}, shape = delta_shape(stage);
    clear_padding(shape, delta);
    if (signs_only(stage)) {
      lane_unpool_signs<T>(up, delta_in, as_signs(y), shape, delta);
    } else {
      lane_unpool<T>(up, delta_in, stage.pool ? 2 : 1, shape, delta);
      scale(stage, y, shape, delta);
    }
    lane_gradient<T>(c, in_shape(stage), x, shape, delta, sums + stage.offset * kLanes<T>);
    if (s == 0) return;
    const Convolution back{c.out(), c.kernel, shape.padding, c.in.channels};
    lane_convolve<T>(back, shape, delta, weights + stage.offset, nullptr, false, {c.in, 0},
                     delta_in);
    end = y;
  }
}

}  // namespace

LaneStages::LaneStages(const std::vector<Layer>& layers) {
  std::size_t l = 0;
  while (l < layers.size()) {
    const auto* c = std::get_if<Convolution>(&layers[l].kind);
    if (c == nullptr || c->padding >= c->kernel) break;
    LaneStage stage;
    stage.first = stages_.empty();
    stage.convolution = *c;
    stage.offset = layers[l].offset;
    parameters_ += layers[l].parameters;
    ++l;
    if (l < layers.size() && std::holds_alternative<Relu>(layers[l].kind)) {
      stage.nonlinearity = Nonlinearity::kRelu;
      ++l;
    } else if (l < layers.size() && std::holds_alternative<Tanh>(layers[l].kind)) {
      stage.nonlinearity = Nonlinearity::kTanh;
      ++l;
    }
    if (l < layers.size() && std::holds_alternative<AveragePool>(layers[l].kind)) {
      stage.pool = std::get<AveragePool>(layers[l].kind).in == c->out();
      if (stage.pool) ++l;
    }
    if (!stages_.empty()) stages_.back().next_padding = c->padding;
    stages_.push_back(stage);
  }
  layers_ = l;
}

template <class T>
bool LaneStages::serve(Index rows) const {
  return layers_ > 0 && 4 * rows >= kLanes<T> && rows > 1;
}

template <class T>
void LaneStages::forward(const T* parameters, const ConstMatrixRef<T>& x, LaneScratch<T>& work,
                         MatrixRef<T> y) const {
  constexpr Index kL = kLanes<T>;
  work.rows = x.rows();
  T* const weights = aligned(work.weights, parameters_);
  Index largest = 0;
  for (const LaneStage& stage : stages_) {
    forward_weights(stage.convolution, parameters + stage.offset, weights + stage.offset);
    largest = std::max(largest, out_shape(stage).size<T>());
  }
  T* const passing = aligned(work.delta, largest);
  const Index size = group_values<T>(stages_);
  const LaneShape in = in_shape(stages_.front()), last = last_shape(stages_.back());
  T* kept = aligned(work.kept, (work.rows + kL - 1) / kL * size);
  for (Index row = 0; row < work.rows; row += kL, kept += size) {
    const Index count = std::min(kL, work.rows - row);
    to_lanes<T>(x.middleRows(row, count), in, kept);
    clear_padding(in, kept);
    forward_group(stages_, parameters, weights, passing, kept);
    to_rows<T>(last, kept + size - last.size<T>(), y.middleRows(row, count));
  }
}

template <class T>
void LaneStages::backward(const T* parameters, const ConstMatrixRef<T>& delta, LaneScratch<T>& work,
                          T* gradient) const {
  constexpr Index kL = kLanes<T>;
  T* const weights = aligned(work.weights, parameters_);
  Index largest = 0, largest_in = 0;
  for (const LaneStage& stage : stages_) {
    backward_weights(stage.convolution, parameters + stage.offset, weights + stage.offset);
    largest = std::max(largest, delta_shape(stage).size<T>());
    largest_in = std::max(largest_in, last_shape(stage).image.size() * kL);
  }
  T* const group_delta = aligned(work.delta, largest);
  T* const group_delta_in = aligned(work.delta_in, largest_in);
  T* const sums = aligned(work.sums, parameters_ * kL);
  std::fill_n(sums, parameters_ * kL, T{0});
  const Index size = group_values<T>(stages_);
  const T* kept = aligned(work.kept, (work.rows + kL - 1) / kL * size);
  for (Index row = 0; row < work.rows; row += kL, kept += size) {
    const Index count = std::min(kL, work.rows - row);
    to_lanes<T>(delta.middleRows(row, count), last_shape(stages_.back()), group_delta_in);
    backward_group(stages_, weights, kept, group_delta, group_delta_in, sums);
  }
  VectorMap<T>(gradient, parameters_) = ConstMatrixMap<T>(sums, parameters_, kL).rowwise().sum();
}

#define BANDOLIER_INSTANTIATE(T)                                                                 \
  template bool LaneStages::serve<T>(Index) const;                                               \
  template void LaneStages::forward<T>(const T*, const ConstMatrixRef<T>&, LaneScratch<T>&,      \
                                       MatrixRef<T>) const;                                      \
  template void LaneStages::backward<T>(const T*, const ConstMatrixRef<T>&, LaneScratch<T>&, T*) \
      const;
BANDOLIER_INSTANTIATE(float)
BANDOLIER_INSTANTIATE(double)
#undef BANDOLIER_INSTANTIATE

}  // namespace bandolier
