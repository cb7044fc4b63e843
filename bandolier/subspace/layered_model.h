// What all models in a subspace share: going through the layers, forwards for all inputs of a
// context or for one, backwards for one. How an affine layer acts at θ(z) is left to the
// implementations; layers without parameters are nn's own.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "bandolier/linalg/kernels.h"
#include "bandolier/nn/layers.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {

// Which inputs of the bound context a pass is for; row r of the activations is input first + r.
struct PassRows {
  Index first = 0;
  Index count = 0;
};

// All outputs of the last layer, or one.
inline constexpr Index kAllOutputs = -1;

template <class T>
class LayeredScratch : public BoundScratch {
 public:
  EncodedInputs encoded;
  Index actions = 0;
  std::vector<Matrix<T>> activations;  // [0]: inputs where needed; [l + 1]: outputs of layer l
  std::vector<Matrix<T>> deltas;       // 1 × size: ∂/∂activation of one input
  Vector<T> buffer;                    // scratch of convolutions
};

template <class T>
class LayeredModel : public SubspaceModel<T> {
 public:
  using Work = LayeredScratch<T>;

  LayeredModel(const Encoder& encoder, const Network& network, Vector<T> offset,
               std::shared_ptr<const Basis<T>> basis);

  Index dim() const final { return basis_->dim(); }
  Index parameters() const final { return network_.parameters(); }
  const Network& network() const final { return network_; }
  const Encoder& encoder() const final { return encoder_; }
  const Vector<T>& offset() const final { return offset_; }
  const Basis<T>& basis() const final { return *basis_; }

  void bind(const Context& context, BoundScratch& work) const final;
  void predict(const ConstVectorRef<T>& z, BoundScratch& work, VectorRef<T> rewards) const final;
  T linearise(const ConstVectorRef<T>& z, Index action, BoundScratch& work,
              VectorRef<T> gradient) const final;
  void features(const ConstVectorRef<T>& z, std::size_t first_stage, BoundScratch& work,
                MatrixRef<T> out) const final;
  T pull_back(const ConstVectorRef<T>& z, Index input, std::size_t first_stage,
              const ConstVectorRef<T>& weights, BoundScratch& work, VectorRef<T> gradient,
              T* features) const final;
  const EncodedInputs& inputs(const BoundScratch& work) const final;
  std::size_t bytes() const override;

 protected:
  // What does not depend on z, for work.encoded.
  virtual void bind_inputs(Work& work) const = 0;
  // What depends on z alone; `output` is the one of the last layer that is asked for.
  virtual void prepare(const ConstVectorRef<T>& z, Index output, Work& work) const = 0;
  // activations[layer + 1] from activations[layer] (or the bound inputs, for the first layer).
  virtual void affine_forward(std::size_t layer, const ConstVectorRef<T>& z, PassRows rows,
                              Index output, Work& work) const = 0;
  // gradient += ∂/∂z by way of this layer, from deltas[layer + 1]; then deltas[layer], unless this
  // is the first layer. The pass was for one input, row 0.
  virtual void affine_backward(std::size_t layer, const ConstVectorRef<T>& z, Index input,
                               Work& work, VectorRef<T> gradient) const = 0;
  // Once after all layers, for those that gather ∂/∂θ first.
  virtual void finish_gradient(Work& /*work*/, VectorRef<T> /*gradient*/) const {}

  void make_buffers(Work& work) const;
  // Writes all inputs as rows of activations[0], where they stay while the context is bound.
  void write_dense_inputs(Work& work) const;
  // Inputs are shared + own, rather than shared alone.
  bool has_own() const { return encoder_.encoding() != Encoding::kMultiHead; }
  const Layer& layer(std::size_t l) const { return network_.layers()[l]; }
  std::size_t last_layer() const { return network_.layers().size() - 1; }
  // A layer's input is a ReLU's output: entries that are 0 have no gradient.
  bool follows_relu(std::size_t l) const {
    return l > 0 && std::holds_alternative<Relu>(layer(l - 1).kind);
  }

 private:
  void forward(const ConstVectorRef<T>& z, PassRows rows, Index output, Work& work) const;
  // From deltas[last]; `seeds` adds to the deltas of earlier stages.
  void backward(const ConstVectorRef<T>& z, Index input, const T* seeds, std::size_t first_stage,
                Work& work, VectorRef<T> gradient) const;

  Encoder encoder_;
  Network network_;
  Vector<T> offset_;
  std::shared_ptr<const Basis<T>> basis_;
};

// The implementations.
template <class T>
std::shared_ptr<const SubspaceModel<T>> make_contracted_model(
    const Encoder& encoder, const Network& network, Vector<T> offset,
    std::shared_ptr<const Basis<T>> basis);
template <class T>
std::shared_ptr<const SubspaceModel<T>> make_rank_one_model(const Encoder& encoder,
                                                            const Network& network,
                                                            Vector<T> offset,
                                                            std::shared_ptr<const Basis<T>> basis);

// The entries of a vector that are not 0: the rows that a product with it must read. Allocates for
// the longest vector that it has held.
template <class T>
struct ActiveEntries {
  std::vector<std::int32_t> indices;
  std::vector<T> values;
  Index count = 0;

  // Of factor·x.
  void collect(const T* x, Index size, T factor = 1) {
    const auto room = static_cast<std::size_t>(size);
    if (indices.size() < room) {
      indices.resize(room);
      values.resize(room);
    }
    count = 0;
    for (Index i = 0; i < size; ++i) {  // no branch: whether a unit is active is hard to predict
      const auto place = static_cast<std::size_t>(count);
      indices[place] = static_cast<std::int32_t>(i);
      values[place] = factor * x[i];
      count += x[i] != 0;
    }
  }
};

// out += Σ_i x_i rows_i over the non-zeros of x; rows of `width` values, stored as they may be.
template <class Stored, class T>
void add_rows(const Stored* rows, Index width, const ActiveEntries<T>& x, T* out) {
  kernels<Stored>().gather(rows, width, x.indices.data(), x.values.data(), x.count, out);
}
template <class Stored, class T>
void add_rows(const Stored* rows, Index width, const SparseVector& x, T* out) {
  if constexpr (std::is_same_v<T, float>) {
    kernels<Stored>().gather(rows, width, x.indices.data(), x.values.data(), x.nonzeros(), out);
  } else {
    for (std::size_t i = 0; i < x.indices.size(); ++i) {
      VectorMap<T>(out, width) +=
          static_cast<T>(x.values[i]) * ConstVectorMap<T>(rows + x.indices[i] * width, width);
    }
  }
}

}  // namespace bandolier
