#include "bandolier/nn/network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/nn/layers.h"

namespace bandolier {
namespace {

// The widest hidden layer that is accepted: beyond it a typing error is likelier.
constexpr std::int64_t kMaxWidth = 1 << 16;

// Weights of a layer: far beyond any memory, and far from an Index's end.
constexpr double kMostWeights = 1e15;

constexpr std::string_view kLenet5 = "lenet5";

// "50" or "200x200", and "relu" or "tanh".
std::vector<LayerKind> parse_mlp(std::string_view text, std::string_view widths,
                                 std::string_view nonlinearity, Index inputs, Index outputs) {
  if (nonlinearity != "relu" && nonlinearity != "tanh") {
    fail("model '{}': '{}' is no nonlinearity: expected relu or tanh, as in mlp:50:tanh", text,
         nonlinearity);
  }
  std::vector<LayerKind> layers;
  Index last = inputs;
  for (const std::string& word : split(widths, 'x')) {
    const auto width = parse_integer(word);
    if (!width || *width < 1 || *width > kMaxWidth) {
      fail("model '{}': '{}' is no width of a layer: expected 1 to {}, as in mlp:50 or mlp:200x200",
           text, word, kMaxWidth);
    }
    layers.push_back(Dense{last, *width});
    if (nonlinearity == "relu") {
      layers.push_back(Relu{});
    } else {
      layers.push_back(Tanh{});
    }
    last = *width;
  }
  layers.push_back(Dense{last, outputs});
  return layers;
}

// LeCun et al. 1998 with ReLU: 5 × 5 convolutions of 6 (padded) and 16 filters, each followed by
// ReLU and 2 × 2 average pooling; then 120, 84 and the outputs.
std::vector<LayerKind> lenet5(Index inputs, Index outputs, const ImageShape& image) {
  if (image.size() == 0 || image.size() != inputs) {
    fail(
        "model 'lenet5' needs an image as its input: found {} inputs and an image of {} x {} x {}; "
        "use a problem with images and encoding=multi-head, or mlp:50",
        inputs, image.height, image.width, image.channels);
  }
  // The smallest side that leaves a pixel: (12 / 2 − 4) / 2 = 1.
  if (image.height < 12 || image.width < 12) {
    fail("model 'lenet5': the image is {} x {}: expected at least 12 x 12", image.height,
         image.width);
  }
  const Convolution first{image, 5, 2, 6};
  const AveragePool first_pool{first.out()};
  const Convolution second{first_pool.out(), 5, 0, 16};
  const AveragePool second_pool{second.out()};
  const Index features = second_pool.out().size();
  return {first,          Relu{},      first_pool,           second,
          Relu{},         second_pool, Dense{features, 120}, Relu{},
          Dense{120, 84}, Relu{},      Dense{84, outputs}};
}

bool has_parameters(const LayerKind& kind) {
  return std::holds_alternative<Dense>(kind) || std::holds_alternative<Convolution>(kind);
}

}  // namespace

Network Network::parse(std::string_view text, Index inputs, Index outputs, ImageShape image) {
  if (inputs < 1 || outputs < 1) {
    fail("model '{}' with {} inputs and {} outputs: expected at least one of each", text, inputs,
         outputs);
  }
  if (text == "linear") return Network({Dense{inputs, outputs}}, inputs);
  if (text == kLenet5) return Network(lenet5(inputs, outputs, image), inputs);
  const auto parts = split(text, ':');
  if (parts[0] == "mlp" && (parts.size() == 2 || parts.size() == 3)) {
    const std::string_view nonlinearity = parts.size() == 3 ? std::string_view(parts[2]) : "relu";
    return Network(parse_mlp(text, parts[1], nonlinearity, inputs, outputs), inputs);
  }
  fail("model '{}' is not known: expected linear, mlp:50, mlp:200x200, mlp:50:tanh or lenet5",
       text);
}

void Network::check(const std::string& text) {
  if (text != kLenet5) parse(text, 1, 1);
}

Network::Network(std::vector<LayerKind> layers, Index inputs) : inputs_(inputs) {
  Index values = inputs;
  for (const LayerKind& kind : layers) {
    Layer layer{kind, values, values, parameters_, 0};
    Index expected = values;
    if (const auto* dense = std::get_if<Dense>(&kind)) {
      expected = dense->in;
      if (static_cast<double>(dense->in) * static_cast<double>(dense->out) > kMostWeights) {
        fail("layer {} of the network is {} x {}: expected at most {:g} weights", layers_.size(),
             dense->in, dense->out, kMostWeights);
      }
      layer.outputs = dense->out;
      layer.parameters = dense->parameters();
    } else if (const auto* convolution = std::get_if<Convolution>(&kind)) {
      expected = convolution->in.size();
      layer.outputs = convolution->out().size();
      layer.parameters = convolution->parameters();
    } else if (const auto* pool = std::get_if<AveragePool>(&kind)) {
      expected = pool->in.size();
      layer.outputs = pool->out().size();
    }
    if (expected != values) {
      fail("layer {} of the network takes {} values: expected {}, what comes before it gives",
           layers_.size(), expected, values);
    }
    if (layer.outputs < 1) fail("layer {} of the network has no outputs", layers_.size());
    if (has_parameters(kind) && !layers_.empty()) {
      stages_.push_back(static_cast<Index>(layers_.size()));
    }
    parameters_ += layer.parameters;
    values = layer.outputs;
    layers_.push_back(layer);
  }
  lanes_ = LaneStages(layers_);
  // A body ends in its last stage.
  if (!layers_.empty() && !has_parameters(layers_.back().kind)) {
    stages_.push_back(static_cast<Index>(layers_.size()));
  }
}

Index Network::stage_values(std::size_t first) const {
  Index count = 0;
  for (std::size_t s = first; s < stages_.size(); ++s) {
    count += layers_[static_cast<std::size_t>(stages_[s] - 1)].outputs;
  }
  return count;
}

bool Network::has_convolution() const {
  return std::any_of(layers_.begin(), layers_.end(), [](const Layer& layer) {
    return std::holds_alternative<Convolution>(layer.kind);
  });
}

double Network::amplification(const ConstVectorRef<float>& parameters) const {
  double most = 1;
  for (const Layer& layer : layers_) {
    if (layer.parameters == 0) continue;
    const auto* convolution = std::get_if<Convolution>(&layer.kind);
    const Index rows = convolution != nullptr ? convolution->filters : layer.outputs;
    const Index columns = layer.parameters / rows - 1;
    const ConstMatrixMap<float> weights(parameters.data() + layer.offset, rows, columns);
    const auto biases = parameters.segment(layer.offset + rows * columns, rows);
    const Vector<double> sums =
        weights.cast<double>().cwiseAbs().rowwise().sum() + biases.cast<double>().cwiseAbs();
    most = std::max(1.0, most * sums.maxCoeff());
  }
  return most;
}

void Network::read_weights(const ArchiveReader& in, std::string_view tag,
                           VectorRef<float> parameters) const {
  in.read_into(tag, parameters);
  // Squares of 10¹⁵ are floats. Deep networks seldom come near their bound.
  const double most = std::max(1e15, std::pow(1e3, static_cast<double>(stages_.size() + 1)));
  if (const double found = amplification(parameters); !(found <= most)) {
    fail("{} make up to {:g} of an input of 1: expected at most {:g}", in.where(tag), found, most);
  }
}

template <class T>
Vector<T> Network::initial_parameters(Random& random) const {
  Vector<float> drawn = Vector<float>::Zero(parameters_);
  for (const Layer& layer : layers_) {
    if (layer.parameters == 0) continue;
    const auto* convolution = std::get_if<Convolution>(&layer.kind);
    const Index fan_in = convolution ? convolution->patch() : layer.inputs;
    const Index units = convolution ? convolution->filters : layer.outputs;
    auto weights = drawn.segment(layer.offset, units * fan_in);
    random.fill_normal(weights);
    weights /= std::sqrt(static_cast<float>(fan_in));
  }
  return drawn.cast<T>();
}

template <class T>
const Matrix<T>& Network::forward(const ConstVectorRef<T>& parameters, const ConstMatrixRef<T>& X,
                                  NetworkScratch<T>& work) const {
  work.activations.resize(layers_.size() + 1);
  if (X.data() != work.activations[0].data()) work.activations[0] = X;
  return forward_from<T>(0, parameters, work);
}

template <class T>
const Matrix<T>& Network::forward_from(std::size_t first, const ConstVectorRef<T>& parameters,
                                       NetworkScratch<T>& work) const {
  work.rows = work.activations[first].rows();
  std::size_t begin = first;
  work.lanes.rows = 0;
  if (first == 0 && lanes_.serve<T>(work.rows)) {
    begin = lanes_.layers();
    work.activations[begin].resize(work.rows, layers_[begin - 1].outputs);
    lanes_.forward<T>(parameters.data(), work.activations[0], work.lanes, work.activations[begin]);
  }
  for (std::size_t l = begin; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    work.activations[l + 1].resize(work.rows, layer.outputs);
    layer_forward<T>(layer, parameters.data() + layer.offset, work.activations[l], work.patches,
                     work.activations[l + 1]);
  }
  return work.activations.back();
}

template <class T, class AtLayer>
void Network::go_back(std::size_t first, const ConstVectorRef<T>& parameters, Index rows,
                      NetworkScratch<T>& work, const AtLayer& at_layer) const {
  const std::size_t end = work.lanes.rows > 0 ? std::max(first, lanes_.layers()) : first;
  for (std::size_t l = layers_.size(); l-- > end;) {
    const Layer& layer = layers_[l];
    const MatrixMap<T> delta(work.delta.data(), rows, layer.outputs);
    if (layer.parameters > 0) {
      at_layer(layer, work.activations[l], delta);
      if (layer.offset == 0) return;  // nothing to learn below
    }
    layer_backward<T>(layer, parameters.data() + layer.offset, work.activations[l + 1], delta,
                      work.patches, as_matrix(work.delta_next, rows, layer.inputs));
    work.delta.swap(work.delta_next);
  }
}

template <class T>
MatrixMap<T> Network::backward_to(std::size_t first, const ConstVectorRef<T>& parameters,
                                  const ConstMatrixRef<T>& dY, NetworkScratch<T>& work,
                                  VectorRef<T> gradient) const {
  as_matrix(work.delta, dY.rows(), outputs()) = dY;
  go_back<T>(first, parameters, dY.rows(), work,
             [&](const Layer& layer, const Matrix<T>& x, const MatrixMap<T>& delta) {
               layer_gradient<T>(layer, x, delta, work.patches, gradient.data() + layer.offset);
             });
  if (first == 0 && work.lanes.rows > 0) {
    const MatrixMap<T> delta(work.delta.data(), dY.rows(), layers_[lanes_.layers() - 1].outputs);
    lanes_.backward<T>(parameters.data(), delta, work.lanes, gradient.data());
  }
  return MatrixMap<T>(work.delta.data(), dY.rows(), layers_[first].inputs);
}

template <class T>
void Network::backward(const ConstVectorRef<T>& parameters, const ConstMatrixRef<T>& dY,
                       NetworkScratch<T>& work, VectorRef<T> gradient) const {
  backward_to<T>(0, parameters, dY, work, gradient);
}

template <class T>
void Network::gradient(const ConstVectorRef<T>& parameters, Index output, NetworkScratch<T>& work,
                       VectorRef<T> gradient) const {
  work.unit.setZero(1, outputs());
  work.unit(0, output) = T{1};
  backward_to<T>(0, parameters, work.unit, work, gradient);
}

template <class T>
void Network::jacobian(const ConstVectorRef<T>& parameters, NetworkScratch<T>& work,
                       MatrixRef<T> jacobian) const {
  as_matrix(work.delta, outputs(), outputs()).setIdentity();
  go_back<T>(0, parameters, outputs(), work,
             [&](const Layer& layer, const Matrix<T>& x, const MatrixMap<T>& delta) {
               for (Index k = 0; k < outputs(); ++k) {
                 layer_gradient<T>(layer, x, delta.row(k), work.patches,
                                   jacobian.row(k).data() + layer.offset);
               }
             });
}

#define BANDOLIER_INSTANTIATE(T)                                                                 \
  template Vector<T> Network::initial_parameters<T>(Random&) const;                              \
  template const Matrix<T>& Network::forward<T>(                                                 \
      const ConstVectorRef<T>&, const ConstMatrixRef<T>&, NetworkScratch<T>&) const;             \
  template const Matrix<T>& Network::forward_from<T>(std::size_t, const ConstVectorRef<T>&,      \
                                                     NetworkScratch<T>&) const;                  \
  template void Network::backward<T>(const ConstVectorRef<T>&, const ConstMatrixRef<T>&,         \
                                     NetworkScratch<T>&, VectorRef<T>) const;                    \
  template MatrixMap<T> Network::backward_to<T>(std::size_t, const ConstVectorRef<T>&,           \
                                                const ConstMatrixRef<T>&, NetworkScratch<T>&,    \
                                                VectorRef<T>) const;                             \
  template void Network::gradient<T>(const ConstVectorRef<T>&, Index, NetworkScratch<T>&,        \
                                     VectorRef<T>) const;                                        \
  template void Network::jacobian<T>(const ConstVectorRef<T>&, NetworkScratch<T>&, MatrixRef<T>) \
      const;
BANDOLIER_INSTANTIATE(float)
BANDOLIER_INSTANTIATE(double)
#undef BANDOLIER_INSTANTIATE

}  // namespace bandolier
