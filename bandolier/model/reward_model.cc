#include "bandolier/model/reward_model.h"

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

Network make_network(std::string_view model, const Encoder& encoder) {
  const bool image = encoder.encoding() == Encoding::kMultiHead;
  if (model == "lenet5" && !image) {
    fail("model=lenet5 reads an image and cannot serve encoding={}: use encoding=multi-head",
         to_word(encoder.encoding()));
  }
  return Network::parse(model, encoder.inputs(), encoder.outputs(),
                        image ? encoder.shape().image : ImageShape{});
}

// y += W x by x's non-zeros: a slice of W where they are neighbours (a whole dense context, or its
// block in an outer product), single entries of each row otherwise.
template <class T>
void add_product(const ConstMatrixMap<T>& weights, const SparseVector& x, Vector<T>& values,
                 VectorMap<T> y) {
  const Index count = x.nonzeros();
  if (count == 0) return;
  if (values.size() < weights.cols()) values.resize(weights.cols());
  values.head(count) = ConstVectorMap<float>(x.values.data(), count).template cast<T>();
  const Index first = x.indices.front();
  if (x.indices.back() - first + 1 == count) {
    y.noalias() += weights.middleCols(first, count) * values.head(count);
    return;
  }
  for (Index unit = 0; unit < weights.rows(); ++unit) {
    const T* row = weights.row(unit).data();
    T sum = 0;
    for (Index i = 0; i < count; ++i)
      sum += row[x.indices[static_cast<std::size_t>(i)]] * values[i];
    y[unit] += sum;
  }
}

}  // namespace

RewardModel::RewardModel(std::string_view model, Encoding encoding, const ProblemShape& shape)
    : encoder_(encoding, shape), network_(make_network(model, encoder_)) {}

template <class T>
void RewardModel::first_layer(const Dense& dense, const T* parameters,
                              ModelScratch<T>& work) const {
  const ConstMatrixMap<T> weights(parameters, dense.out, dense.in);
  const ConstVectorMap<T> bias(parameters + weights.size(), dense.out);
  const EncodedInputs& encoded = work.encoded;
  work.network.activations.resize(network_.layers().size() + 1);
  Matrix<T>& y = work.network.activations[1];
  y.resize(encoded.count, dense.out);
  y.row(0) = bias.transpose();
  add_product<T>(weights, encoded.shared, work.values, VectorMap<T>(y.data(), dense.out));
  for (Index i = encoded.count; i-- > 0;) {
    if (i > 0) y.row(i) = y.row(0);
    if (encoder_.encoding() != Encoding::kMultiHead) {
      add_product<T>(weights, encoded.own[static_cast<std::size_t>(i)], work.values,
                     VectorMap<T>(y.row(i).data(), dense.out));
    }
  }
}

template <class T>
const Vector<T>& RewardModel::predict(const ConstVectorRef<T>& parameters, const Context& context,
                                      ModelScratch<T>& work) const {
  const Matrix<T>* outputs = nullptr;
  const auto* dense = std::get_if<Dense>(&network_.layers().front().kind);
  const bool multi_head = encoder_.encoding() == Encoding::kMultiHead;
  if (dense != nullptr && (!multi_head || context.features.sparse())) {
    encoder_.encode(context, work.encoded);
    first_layer<T>(*dense, parameters.data(), work);
    outputs = &network_.forward_from<T>(1, parameters, work.network);
  } else {
    work.network.activations.resize(network_.layers().size() + 1);
    Matrix<T>& inputs = work.network.activations[0];
    inputs.resize(1, encoder_.inputs());
    work.input.resize(encoder_.inputs());
    encoder_.encode_dense(context, 0, work.input);
    inputs.row(0) = work.input.transpose().template cast<T>();
    outputs = &network_.forward_from<T>(0, parameters, work.network);
  }
  // One row of all actions' rewards, or one column.
  work.rewards = ConstVectorMap<T>(outputs->data(), context.actions);
  return work.rewards;
}

template <class T>
T RewardModel::gradient(const ConstVectorRef<T>& parameters, const Context& context, Index action,
                        ModelScratch<T>& work, VectorRef<T> gradient) const {
  work.input.resize(encoder_.inputs());
  encoder_.encode_dense(context, action, work.input);
  work.single.activations.resize(network_.layers().size() + 1);
  work.single.activations[0].resize(1, encoder_.inputs());
  work.single.activations[0].row(0) = work.input.transpose().template cast<T>();
  const Index output = encoder_.output_of(action);
  const T reward = network_.forward_from<T>(0, parameters, work.single)(0, output);
  network_.gradient<T>(parameters, output, work.single, gradient);
  return reward;
}

Index RewardModel::block_head() const {
  return encoder_.blocks() == 1 ? 0 : network_.layers()[0].outputs * encoder_.block_size();
}

Index RewardModel::block_tail() const {
  return parameters() - block_head() * (encoder_.blocks() == 1 ? 0 : encoder_.blocks());
}

template <class T>
T RewardModel::block_gradient(const ConstVectorRef<T>& parameters, const Context& context,
                              Index action, ModelScratch<T>& work, VectorRef<T> head,
                              VectorRef<T> tail) const {
  if (encoder_.blocks() == 1) return gradient<T>(parameters, context, action, work, tail);
  const auto& dense = std::get<Dense>(network_.layers()[0].kind);
  const Index size = encoder_.block_size();
  work.input.resize(size);
  encoder_.encode_block(context, action, work.input);
  work.values = work.input.template cast<T>();
  // W x + b with the action's columns of W alone.
  const Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>> weights(
      parameters.data() + encoder_.block_of(context, action) * size, dense.out, size,
      Eigen::OuterStride<>(dense.in));
  work.single.activations.resize(network_.layers().size() + 1);
  Matrix<T>& hidden = work.single.activations[1];
  hidden.resize(1, dense.out);
  VectorMap<T> sums(hidden.data(), dense.out);
  sums = parameters.segment(dense.out * dense.in, dense.out);
  sums.noalias() += weights * work.values;
  const T reward = network_.forward_from<T>(1, parameters, work.single)(0, 0);

  MatrixMap<T> head_matrix(head.data(), dense.out, size);
  if (network_.layers().size() == 1) {
    head_matrix.row(0) = work.values.transpose();
    tail.setOnes();
    return reward;
  }
  work.gradient.resize(network_.parameters());
  work.single.unit.setOnes(1, 1);
  const auto delta =
      network_.backward_to<T>(1, parameters, work.single.unit, work.single, work.gradient);
  head_matrix.noalias() = delta.row(0).transpose() * work.values.transpose();
  tail.head(dense.out) = delta.row(0).transpose();
  tail.tail(tail.size() - dense.out) = work.gradient.tail(tail.size() - dense.out);
  return reward;
}

#define BANDOLIER_INSTANTIATE(T)                                                              \
  template const Vector<T>& RewardModel::predict<T>(const ConstVectorRef<T>&, const Context&, \
                                                    ModelScratch<T>&) const;                  \
  template T RewardModel::gradient<T>(const ConstVectorRef<T>&, const Context&, Index,        \
                                      ModelScratch<T>&, VectorRef<T>) const;                  \
  template T RewardModel::block_gradient<T>(const ConstVectorRef<T>&, const Context&, Index,  \
                                            ModelScratch<T>&, VectorRef<T>, VectorRef<T>) const;
BANDOLIER_INSTANTIATE(float)
BANDOLIER_INSTANTIATE(double)
#undef BANDOLIER_INSTANTIATE

void save_size(const RewardModel& model, ArchiveWriter& out) {
  out.write("parameters", static_cast<std::int64_t>(model.parameters()));
}

void check_size(const RewardModel& model, const ArchiveReader& in) {
  const auto saved = in.read_integer("parameters");
  if (saved != model.parameters()) {
    fail("{} is {}: this problem's network has {}", in.where("parameters"), saved,
         model.parameters());
  }
}

}  // namespace bandolier
