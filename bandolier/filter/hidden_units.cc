#include "bandolier/filter/hidden_units.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bandolier {
namespace {

constexpr Index kReads = 6;         // inputs per sparse unit
constexpr float kDenseBias = 0.3f;  // standard deviations of biases
constexpr float kSparseBias = 0.7f;
constexpr Index kFewest = 8;  // contexts that tell how many values an input has

std::vector<Index> distinct_values(const ConstMatrixRef<float>& inputs) {
  std::vector<Index> counts;
  std::vector<float> column(static_cast<std::size_t>(inputs.rows()));
  for (Index j = 0; j < inputs.cols(); ++j) {
    for (Index i = 0; i < inputs.rows(); ++i) column[static_cast<std::size_t>(i)] = inputs(i, j);
    std::sort(column.begin(), column.end());
    counts.push_back(std::unique(column.begin(), column.end()) - column.begin());
  }
  return counts;
}

}  // namespace

Words words_of(UnitKind) {
  static constexpr std::string_view kWords[] = {"auto", "dense", "sparse"};
  return kWords;
}

Matrix<float> inputs_of(const Encoder& encoder, const Preparation& preparation, bool convolutional,
                        std::span<const Experience> pulls) {
  Matrix<float> inputs(static_cast<Index>(pulls.size()), encoder.inputs());
  PreparedContext memory;
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    float* row = inputs.row(static_cast<Index>(i)).data();
    encoder.encode_dense(preparation.apply(pulls[i].context, convolutional, memory),
                         pulls[i].action, VectorMap<float>(row, encoder.inputs()));
  }
  return inputs;
}

bool suits_sparse_units(const ConstMatrixRef<float>& inputs) {
  if (inputs.rows() < kFewest) return false;
  const std::vector<Index> counts = distinct_values(inputs);
  const auto varied = std::count_if(counts.begin(), counts.end(), [](Index n) { return n > 1; });
  return varied > 0 && 4 * std::count(counts.begin(), counts.end(), 2) >= varied;
}

Vector<float> dense_units(const Network& body, bool image, Random random) {
  Vector<float> parameters = body.initial_parameters<float>(random);
  if (image) return parameters;
  for (const AffineLayer& layer : affine_layers(body)) {
    auto biases = parameters.segment(layer.offset + layer.in * layer.out, layer.out);
    random.fill_normal(biases);
    biases *= kDenseBias;
  }
  return parameters;
}

Vector<float> sparse_units(const Network& body, const ConstMatrixRef<float>& inputs,
                           Random random) {
  Vector<float> parameters = dense_units(body, false, random.fork(0));
  const auto& layer = std::get<Dense>(body.layers().front().kind);
  std::vector<double> upto;  // of the inputs' odds
  double sum = 0;
  for (const Index n : distinct_values(inputs)) upto.push_back(sum += static_cast<double>(n - 1));
  MatrixMap<float> weights(parameters.data(), layer.out, layer.in);
  weights.setZero();
  Random draws = random.fork(1);
  for (Index u = 0; u < layer.out; ++u) {
    for (Index k = 0; k < kReads; ++k) {
      const auto input = std::upper_bound(upto.begin(), upto.end(), draws.uniform() * sum);
      const Index j = std::min<Index>(input - upto.begin(), layer.in - 1);
      weights(u, j) += static_cast<float>(draws.normal() / std::sqrt(double{kReads}));
    }
    const float spread = std::sqrt((inputs * weights.row(u).transpose()).squaredNorm() /
                                   static_cast<float>(std::max<Index>(1, inputs.rows())));
    parameters[weights.size() + u] = kSparseBias * spread * static_cast<float>(draws.normal());
  }
  return parameters;
}

}  // namespace bandolier
