#include "bandolier/subspace/layered_model.h"

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/subspace/dense_basis.h"
#include "bandolier/subspace/half_basis.h"
#include "bandolier/subspace/rank_one_basis.h"

namespace bandolier {

template <class T>
void SubspaceModel<T>::bind_batch(std::span<const Context>, BoundScratch&) const {
  fail("this model takes one context at a time: make_batch_scratch() is null");
}

template <class T>
void SubspaceModel<T>::predict_batch(const ConstMatrixRef<T>&, BoundScratch&, MatrixRef<T>) const {
  fail("this model takes one context at a time: make_batch_scratch() is null");
}

template <class T>
LayeredModel<T>::LayeredModel(const Encoder& encoder, const Network& network, Vector<T> offset,
                              std::shared_ptr<const Basis<T>> basis)
    : encoder_(encoder), network_(network), offset_(std::move(offset)), basis_(std::move(basis)) {
  if (network_.inputs() != encoder_.inputs()) {
    fail("a network of {} inputs behind an encoding of {}: expected the same number",
         network_.inputs(), encoder_.inputs());
  }
  if (offset_.size() != parameters() || basis_->parameters() != parameters()) {
    fail("an offset of {} and a basis of {} parameters for a network of {}: expected the same",
         offset_.size(), basis_->parameters(), parameters());
  }
}

template <class T>
void LayeredModel<T>::make_buffers(Work& work) const {
  const std::size_t places = network_.layers().size() + 1;
  work.activations.resize(places);
  work.deltas.resize(places);
  work.deltas[0].resize(1, network_.inputs());
  for (std::size_t l = 0; l + 1 < places; ++l) work.deltas[l + 1].resize(1, layer(l).outputs);
}

template <class T>
void LayeredModel<T>::bind(const Context& context, BoundScratch& bound) const {
  Work& work = static_cast<Work&>(bound);
  encoder_.encode(context, work.encoded);
  work.actions = context.actions;
  const Index rows = work.encoded.count;
  for (std::size_t l = 0; l < network_.layers().size(); ++l) {
    auto& activation = work.activations[l + 1];
    if (activation.rows() < rows) activation.setZero(rows, layer(l).outputs);
  }
  bind_inputs(work);
}

template <class T>
void LayeredModel<T>::write_dense_inputs(Work& work) const {
  auto& dense = work.activations[0];
  const Index rows = work.encoded.count;
  if (dense.rows() < rows) dense.resize(rows, network_.inputs());
  const auto scatter = [&](const SparseVector& from, Index row) {
    for (std::size_t i = 0; i < from.indices.size(); ++i) {
      dense(row, from.indices[i]) += static_cast<T>(from.values[i]);
    }
  };
  dense.topRows(rows).setZero();
  for (Index r = 0; r < rows; ++r) {
    scatter(work.encoded.shared, r);
    if (has_own()) scatter(work.encoded.own[static_cast<std::size_t>(r)], r);
  }
}

template <class T>
void LayeredModel<T>::forward(const ConstVectorRef<T>& z, PassRows rows, Index output,
                              Work& work) const {
  prepare(z, output, work);
  for (std::size_t l = 0; l < network_.layers().size(); ++l) {
    if (layer(l).parameters > 0) {
      affine_forward(l, z, rows, output, work);
    } else {
      layer_forward<T>(layer(l), nullptr, work.activations[l].topRows(rows.count), work.buffer,
                       work.activations[l + 1].topRows(rows.count));
    }
  }
}

template <class T>
void LayeredModel<T>::backward(const ConstVectorRef<T>& z, Index input, const T* seeds,
                               std::size_t first_stage, Work& work, VectorRef<T> gradient) const {
  gradient.setZero();
  const auto& stages = network_.stages();
  std::size_t next_stage = stages.size();  // one past the stage whose seed is to be added next
  const T* end = seeds == nullptr ? nullptr : seeds + network_.stage_values(first_stage);
  const auto add_seed = [&](std::size_t place) {
    if (end == nullptr || next_stage <= first_stage ||
        stages[next_stage - 1] != static_cast<Index>(place)) {
      return;
    }
    --next_stage;
    auto& delta = work.deltas[place];
    end -= delta.cols();
    delta += ConstMatrixMap<T>(end, 1, delta.cols());
  };
  add_seed(network_.layers().size());
  for (std::size_t l = network_.layers().size(); l-- > 0;) {
    if (layer(l).parameters > 0) {
      affine_backward(l, z, input, work, gradient);
    } else {
      layer_backward<T>(layer(l), nullptr, work.activations[l + 1].topRows(1), work.deltas[l + 1],
                        work.buffer, work.deltas[l]);
    }
    add_seed(l);
  }
  finish_gradient(work, gradient);
}

template <class T>
void LayeredModel<T>::predict(const ConstVectorRef<T>& z, BoundScratch& bound,
                              VectorRef<T> rewards) const {
  Work& work = static_cast<Work&>(bound);
  forward(z, {0, work.encoded.count}, kAllOutputs, work);
  const auto& outputs = work.activations.back();
  if (encoder_.encoding() == Encoding::kMultiHead) {
    rewards = outputs.row(0).transpose();
  } else {
    rewards = outputs.col(0).head(work.actions);
  }
}

template <class T>
T LayeredModel<T>::linearise(const ConstVectorRef<T>& z, Index action, BoundScratch& bound,
                             VectorRef<T> gradient) const {
  Work& work = static_cast<Work&>(bound);
  const Index input = encoder_.input_of(action), output = encoder_.output_of(action);
  forward(z, {input, 1}, output, work);
  work.deltas.back().setZero();
  work.deltas.back()(0, output) = 1;
  backward(z, input, nullptr, 0, work, gradient);
  return work.activations.back()(0, output);
}

template <class T>
void LayeredModel<T>::features(const ConstVectorRef<T>& z, std::size_t first_stage,
                               BoundScratch& bound, MatrixRef<T> out) const {
  Work& work = static_cast<Work&>(bound);
  forward(z, {0, work.encoded.count}, kAllOutputs, work);
  Index column = 0;
  for (std::size_t s = first_stage; s < network_.stages().size(); ++s) {
    const auto& stage = work.activations[static_cast<std::size_t>(network_.stages()[s])];
    out.middleCols(column, stage.cols()) = stage.topRows(out.rows());
    column += stage.cols();
  }
}

template <class T>
T LayeredModel<T>::pull_back(const ConstVectorRef<T>& z, Index input, std::size_t first_stage,
                             const ConstVectorRef<T>& weights, BoundScratch& bound,
                             VectorRef<T> gradient, T* features) const {
  Work& work = static_cast<Work&>(bound);
  forward(z, {input, 1}, kAllOutputs, work);
  T value = 0;
  Index at = 0;
  for (std::size_t s = first_stage; s < network_.stages().size(); ++s) {
    const auto& stage = work.activations[static_cast<std::size_t>(network_.stages()[s])];
    value += weights.segment(at, stage.cols()).dot(stage.row(0));
    if (features != nullptr) VectorMap<T>(features + at, stage.cols()) = stage.row(0).transpose();
    at += stage.cols();
  }
  work.deltas.back().setZero();
  backward(z, input, weights.data(), first_stage, work, gradient);
  return value;
}

template <class T>
const EncodedInputs& LayeredModel<T>::inputs(const BoundScratch& work) const {
  return static_cast<const Work&>(work).encoded;
}

template <class T>
std::size_t LayeredModel<T>::bytes() const {
  return sizeof(T) * static_cast<std::size_t>(offset_.size()) + basis_->bytes();
}

template <class T>
std::shared_ptr<const SubspaceModel<T>> make_subspace_model(const Encoder& encoder,
                                                            const Network& network,
                                                            Vector<T> offset,
                                                            std::shared_ptr<const Basis<T>> basis) {
  bool all_dense = true;
  for (const AffineLayer& affine : affine_layers(network)) {
    const auto& kind = network.layers()[static_cast<std::size_t>(affine.layer)].kind;
    all_dense = all_dense && std::holds_alternative<Dense>(kind);
  }
  if (dynamic_cast<const RankOneBasis<T>*>(basis.get()) != nullptr) {
    return make_rank_one_model<T>(encoder, network, std::move(offset), std::move(basis));
  }
  if (all_dense && (dynamic_cast<const DenseBasis<T>*>(basis.get()) != nullptr ||
                    dynamic_cast<const HalfBasis*>(basis.get()) != nullptr)) {
    return make_contracted_model<T>(encoder, network, std::move(offset), std::move(basis));
  }
  return make_formed_model<T>(encoder, network, std::move(offset), std::move(basis));
}

template class SubspaceModel<float>;
template class SubspaceModel<double>;
template class LayeredModel<float>;
template class LayeredModel<double>;
template std::shared_ptr<const SubspaceModel<float>> make_subspace_model(
    const Encoder&, const Network&, Vector<float>, std::shared_ptr<const Basis<float>>);
template std::shared_ptr<const SubspaceModel<double>> make_subspace_model(
    const Encoder&, const Network&, Vector<double>, std::shared_ptr<const Basis<double>>);

}  // namespace bandolier
