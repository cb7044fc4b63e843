#include "bandolier/nn/layers.h"

#include <algorithm>

namespace bandolier {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// im2col: row (i, j) of `patches` is the k × k × channels window under output pixel (i, j), zeros
// outside the image.
template <class T>
MatrixMap<T> unroll(const Convolution& c, const T* image, Vector<T>& buffer) {
  const ImageShape out = c.out();
  const Index channels = c.in.channels;
  MatrixMap<T> patches = as_matrix(buffer, out.height * out.width, c.patch());
  for (Index i = 0; i < out.height; ++i) {
    for (Index j = 0; j < out.width; ++j) {
      T* window = patches.row(i * out.width + j).data();
      const Index left = std::max<Index>(0, c.padding - j);
      const Index right = std::min(c.kernel, c.in.width + c.padding - j);
      for (Index dy = 0; dy < c.kernel; ++dy, window += c.kernel * channels) {
        const Index y = i + dy - c.padding;
        if (y < 0 || y >= c.in.height) {
          std::fill_n(window, c.kernel * channels, T{0});
          continue;
        }
        std::fill_n(window, left * channels, T{0});
        std::copy_n(image + (y * c.in.width + j + left - c.padding) * channels,
                    (right - left) * channels, window + left * channels);
        std::fill_n(window + right * channels, (c.kernel - right) * channels, T{0});
      }
    }
  }
  return patches;
}

// The adjoint of unroll: adds every window back to where it came from.
template <class T>
void roll(const Convolution& c, const MatrixMap<T>& patches, T* image) {
  const ImageShape out = c.out();
  const Index channels = c.in.channels;
  std::fill_n(image, c.in.size(), T{0});
  for (Index i = 0; i < out.height; ++i) {
    for (Index j = 0; j < out.width; ++j) {
      const T* window = patches.row(i * out.width + j).data();
      const Index left = std::max<Index>(0, c.padding - j);
      const Index right = std::min(c.kernel, c.in.width + c.padding - j);
      for (Index dy = 0; dy < c.kernel; ++dy, window += c.kernel * channels) {
        const Index y = i + dy - c.padding;
        if (y < 0 || y >= c.in.height) continue;
        const Index count = (right - left) * channels;
        VectorMap<T>(image + (y * c.in.width + j + left - c.padding) * channels, count) +=
            ConstVectorMap<T>(window + left * channels, count);
      }
    }
  }
}

template <class T>
void forward(const Dense& dense, const T* parameters, const ConstMatrixRef<T>& x, MatrixRef<T> y) {
  const ConstMatrixMap<T> weights(parameters, dense.out, dense.in);
  const ConstVectorMap<T> bias(parameters + weights.size(), dense.out);
  if (x.rows() == 1) {
    VectorMap<T> out(y.data(), dense.out);
    out = bias;
    out.noalias() += weights * ConstVectorMap<T>(x.data(), dense.in);
  } else {
    y.rowwise() = bias.transpose();
    y.noalias() += x * weights.transpose();
  }
}

template <class T>
void forward(const Convolution& c, const T* parameters, const ConstMatrixRef<T>& x,
             Vector<T>& buffer, MatrixRef<T> y) {
  const ConstMatrixMap<T> kernel(parameters, c.filters, c.patch());
  const ConstVectorMap<T> bias(parameters + kernel.size(), c.filters);
  for (Index row = 0; row < x.rows(); ++row) {
    const MatrixMap<T> patches = unroll(c, x.row(row).data(), buffer);
    MatrixMap<T> out(y.row(row).data(), patches.rows(), c.filters);
    out.rowwise() = bias.transpose();
    out.noalias() += patches * kernel.transpose();
  }
}

template <class T>
void forward(const AveragePool& pool, const ConstMatrixRef<T>& x, MatrixRef<T> y) {
  const ImageShape out = pool.out();
  const Index channels = out.channels, line = pool.in.width * channels;
  for (Index row = 0; row < x.rows(); ++row) {
    T* to = y.row(row).data();
    for (Index i = 0; i < out.height; ++i) {
      const T* from = x.row(row).data() + 2 * i * line;
      for (Index j = 0; j < out.width; ++j, to += channels, from += 2 * channels) {
        for (Index k = 0; k < channels; ++k) {
          to[k] = (from[k] + from[k + channels] + from[k + line] + from[k + line + channels]) / 4;
        }
      }
    }
  }
}

template <class T>
void backward(const AveragePool& pool, const ConstMatrixRef<T>& delta, MatrixRef<T> delta_in) {
  const ImageShape out = pool.out();
  const Index channels = out.channels, line = pool.in.width * channels;
  delta_in.setZero();
  for (Index row = 0; row < delta.rows(); ++row) {
    const T* from = delta.row(row).data();
    for (Index i = 0; i < out.height; ++i) {
      T* to = delta_in.row(row).data() + 2 * i * line;
      for (Index j = 0; j < out.width; ++j, from += channels, to += 2 * channels) {
        for (Index k = 0; k < channels; ++k) {
          to[k] = to[k + channels] = to[k + line] = to[k + line + channels] = from[k] / 4;
        }
      }
    }
  }
}

// delta_in = through(delta, y) value by value, y's only row serving all rows of delta where it has
// one.
template <class T, class Through>
void each_value(const ConstMatrixRef<T>& y, const ConstMatrixRef<T>& delta, Through through,
                MatrixRef<T> delta_in) {
  for (Index row = 0; row < delta.rows(); ++row) {
    const T* out = y.row(y.rows() == 1 ? 0 : row).data();
    const T* from = delta.row(row).data();
    T* to = delta_in.row(row).data();
    for (Index k = 0; k < delta.cols(); ++k) to[k] = through(from[k], out[k]);
  }
}

}  // namespace

template <class T>
void layer_forward(const Layer& layer, const T* parameters, const ConstMatrixRef<T>& x,
                   Vector<T>& buffer, MatrixRef<T> y) {
  std::visit(Overloaded{[&](const Dense& dense) { forward<T>(dense, parameters, x, y); },
                        [&](const Convolution& c) { forward<T>(c, parameters, x, buffer, y); },
                        [&](const AveragePool& pool) { forward<T>(pool, x, y); },
                        [&](const Relu&) { y = x.cwiseMax(T{0}); },
                        [&](const Tanh&) { y.array() = x.array().tanh(); }},
             layer.kind);
}

template <class T>
void layer_gradient(const Layer& layer, const ConstMatrixRef<T>& x, const ConstMatrixRef<T>& delta,
                    Vector<T>& buffer, T* gradient) {
  if (const auto* dense = std::get_if<Dense>(&layer.kind)) {
    MatrixMap<T> weights(gradient, dense->out, dense->in);
    VectorMap<T> bias(gradient + weights.size(), dense->out);
    if (x.rows() == 1) {
      // Row by row, so that units with delta = 0 (dead or of another action) cost a fill.
      const ConstVectorMap<T> input(x.data(), dense->in);
      for (Index unit = 0; unit < dense->out; ++unit) {
        weights.row(unit) = delta(0, unit) * input.transpose();
      }
      bias = delta.row(0).transpose();
    } else {
      weights.noalias() = delta.transpose() * x;
      bias = delta.colwise().sum().transpose();
    }
  } else if (const auto* c = std::get_if<Convolution>(&layer.kind)) {
    MatrixMap<T> kernel(gradient, c->filters, c->patch());
    VectorMap<T> bias(gradient + kernel.size(), c->filters);
    kernel.setZero();
    bias.setZero();
    for (Index row = 0; row < x.rows(); ++row) {
      const MatrixMap<T> patches = unroll(*c, x.row(row).data(), buffer);
      const ConstMatrixMap<T> out(delta.row(row).data(), patches.rows(), c->filters);
      kernel.noalias() += out.transpose() * patches;
      bias += out.colwise().sum().transpose();
    }
  }
}

template <class T>
void layer_backward(const Layer& layer, const T* parameters, const ConstMatrixRef<T>& y,
                    const ConstMatrixRef<T>& delta, Vector<T>& buffer, MatrixRef<T> delta_in) {
  std::visit(
      Overloaded{[&](const Dense& dense) {
                   const ConstMatrixMap<T> weights(parameters, dense.out, dense.in);
                   if (delta.rows() == 1) {
                     VectorMap<T>(delta_in.data(), dense.in).noalias() =
                         weights.transpose() * ConstVectorMap<T>(delta.data(), dense.out);
                   } else {
                     delta_in.noalias() = delta * weights;
                   }
                 },
                 [&](const Convolution& c) {
                   const ConstMatrixMap<T> kernel(parameters, c.filters, c.patch());
                   const Index pixels = c.out().height * c.out().width;
                   MatrixMap<T> patches = as_matrix(buffer, pixels, c.patch());
                   for (Index row = 0; row < delta.rows(); ++row) {
                     patches.noalias() =
                         ConstMatrixMap<T>(delta.row(row).data(), pixels, c.filters) * kernel;
                     roll<T>(c, patches, delta_in.row(row).data());
                   }
                 },
                 [&](const AveragePool& pool) { backward<T>(pool, delta, delta_in); },
                 [&](const Relu&) {
                   each_value<T>(
                       y, delta, [](T d, T out) { return out > T{0} ? d : T{0}; }, delta_in);
                 },
                 [&](const Tanh&) {
                   each_value<T>(
                       y, delta, [](T d, T out) { return d * (T{1} - out * out); }, delta_in);
                 }},
      layer.kind);
}

#define BANDOLIER_INSTANTIATE(T)                                                               \
  template void layer_forward<T>(const Layer&, const T*, const ConstMatrixRef<T>&, Vector<T>&, \
                                 MatrixRef<T>);                                                \
  template void layer_gradient<T>(const Layer&, const ConstMatrixRef<T>&,                      \
                                  const ConstMatrixRef<T>&, Vector<T>&, T*);                   \
  template void layer_backward<T>(const Layer&, const T*, const ConstMatrixRef<T>&,            \
                                  const ConstMatrixRef<T>&, Vector<T>&, MatrixRef<T>);
BANDOLIER_INSTANTIATE(float)
BANDOLIER_INSTANTIATE(double)
#undef BANDOLIER_INSTANTIATE

}  // namespace bandolier
