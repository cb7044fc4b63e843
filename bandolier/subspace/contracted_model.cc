// Dense layers in a dense basis. The first layer sees the input x only through
//   C = Σ_i x_i A[(·, i)] + A[bias]   (hidden × d),
// made once per context from the basis rows where x_i ≠ 0: O(non-zeros · hidden · d), the only pass
// over the first layer's rows. For any z its values are then W*x + b* + C z and its part of the
// gradient is Cᵀδ. Later layers, being small, are formed: θ_l(z) = θ*_l + A_l z, of the last layer
// only the row that is asked for. Their part of the gradient, A_lᵀ vec(δhᵀ), skips units at 0.
//
// An input that is shared + own (concat, outer) has the contraction of each part kept apart. The
// basis may be stored in half precision: its rows are read by the kernels alone.
#include "bandolier/subspace/dense_basis.h"
#include "bandolier/subspace/half_basis.h"
#include "bandolier/subspace/layered_model.h"

namespace bandolier {
namespace {

// The first layer for one part of an input.
template <class T>
struct Contraction {
  Matrix<T> basis;  // C: hidden × d
  Vector<T> base;   // W*x (+ b*): hidden
};

template <class T>
class ContractedScratch final : public LayeredScratch<T> {
 public:
  Contraction<T> shared;            // with the biases
  std::vector<Contraction<T>> own;  // one per input
  Vector<T> shared_values;          // the shared part at z
  Vector<T> theta;                  // θ(z) of the layers after the first
  ActiveEntries<T> active;          // of a layer's deltas or inputs, while going back
};

// T: what is computed with; Stored: what the basis is kept in.
template <class T, class Stored>
class ContractedModel final : public LayeredModel<T> {
 public:
  using Work = LayeredScratch<T>;
  using Bound = ContractedScratch<T>;

  ContractedModel(const Encoder& encoder, const Network& network, Vector<T> offset,
                  std::shared_ptr<const Basis<T>> basis, const Stored* rows)
      : LayeredModel<T>(encoder, network, std::move(offset), std::move(basis)),
        rows_(rows),
        hidden_(this->layer(0).outputs),
        first_weights_(
            ConstMatrixMap<T>(this->offset().data(), hidden_, this->layer(0).inputs).transpose()) {}

  std::unique_ptr<BoundScratch> make_scratch() const override {
    auto work = std::make_unique<Bound>();
    this->make_buffers(*work);
    make(work->shared);
    work->shared_values.resize(hidden_);
    work->theta.setZero(this->parameters() - this->layer(0).parameters);
    return work;
  }

 protected:
  void bind_inputs(Work& work) const override {
    auto& bound = static_cast<Bound&>(work);
    const Layer& first = this->layer(0);
    const Index biases = hidden_ * first.inputs;
    constexpr T kOne = 1;
    for (Index o = 0; o < hidden_; ++o) {
      kernels<Stored>().combine(row(biases + o), 1, this->dim(), &kOne,
                                bound.shared.basis.row(o).data());
    }
    bound.shared.base = this->offset().segment(biases, hidden_);
    contract(work.encoded.shared, bound.shared);
    if (!this->has_own()) return;
    const auto count = static_cast<std::size_t>(work.encoded.count);
    while (bound.own.size() < count) make(bound.own.emplace_back());
    for (std::size_t i = 0; i < count; ++i) {
      bound.own[i].basis.setZero();
      bound.own[i].base.setZero();
      contract(work.encoded.own[i], bound.own[i]);
    }
  }

  void prepare(const ConstVectorRef<T>& z, Index output, Work& work) const override {
    auto& bound = static_cast<Bound&>(work);
    kernels<T>().dots(bound.shared.basis.data(), hidden_, this->dim(), z.data(),
                      bound.shared_values.data());
    bound.shared_values += bound.shared.base;
    for (std::size_t l = 1; l <= this->last_layer(); ++l) {
      const Layer& layer = this->layer(l);
      if (l == this->last_layer() && output != kAllOutputs) {
        form(layer.offset + output * layer.inputs, layer.inputs, z, bound);
        form(layer.offset + layer.outputs * layer.inputs + output, 1, z, bound);
      } else if (layer.parameters > 0) {
        form(layer.offset, layer.parameters, z, bound);
      }
    }
  }

  void affine_forward(std::size_t l, const ConstVectorRef<T>& z, PassRows rows, Index output,
                      Work& work) const override {
    auto& bound = static_cast<Bound&>(work);
    const Layer& layer = this->layer(l);
    auto y = work.activations[l + 1].topRows(rows.count);
    if (l == 0) {
      for (Index r = 0; r < rows.count; ++r) {
        VectorMap<T> values(y.row(r).data(), hidden_);
        values = bound.shared_values;
        if (this->has_own()) {
          const auto& own = bound.own[static_cast<std::size_t>(rows.first + r)];
          values += own.base;
          values.noalias() += own.basis * z;
        }
      }
      return;
    }
    const T* parameters = formed(layer, bound);
    const auto x = work.activations[l].topRows(rows.count);
    if (l == this->last_layer() && output != kAllOutputs) {
      const ConstVectorMap<T> weights(parameters + output * layer.inputs, layer.inputs);
      const T bias = parameters[layer.outputs * layer.inputs + output];
      y.col(output).noalias() = x * weights;
      y.col(output).array() += bias;
    } else {
      layer_forward<T>(layer, parameters, x, work.buffer, y);
    }
  }

  void affine_backward(std::size_t l, const ConstVectorRef<T>& /*z*/, Index input, Work& work,
                       VectorRef<T> gradient) const override {
    auto& bound = static_cast<Bound&>(work);
    const Layer& layer = this->layer(l);
    const auto delta = work.deltas[l + 1].row(0);
    if (l == 0) {
      bound.active.collect(delta.data(), hidden_);
      add_rows(bound.shared.basis.data(), this->dim(), bound.active, gradient.data());
      if (this->has_own()) {
        const auto& own = bound.own[static_cast<std::size_t>(input)];
        add_rows(own.basis.data(), this->dim(), bound.active, gradient.data());
      }
      return;
    }
    const auto h = work.activations[l].row(0);
    const ConstMatrixMap<T> weights(formed(layer, bound), layer.outputs, layer.inputs);
    work.deltas[l].setZero();
    for (Index o = 0; o < layer.outputs; ++o) {
      if (delta[o] == 0) continue;
      work.deltas[l] += delta[o] * weights.row(o);
      bound.active.collect(h.data(), layer.inputs, delta[o]);
      add_rows(row(layer.offset + o * layer.inputs), this->dim(), bound.active, gradient.data());
    }
    bound.active.collect(delta.data(), layer.outputs);
    add_rows(row(layer.offset + weights.size()), this->dim(), bound.active, gradient.data());
  }

 private:
  void make(Contraction<T>& part) const {
    part.basis.resize(hidden_, this->dim());
    part.base.resize(hidden_);
  }

  // Adds a part's rows of A and entries of θ*.
  void contract(const SparseVector& x, Contraction<T>& part) const {
    const Index in = this->layer(0).inputs, d = this->dim();
    for (Index o = 0; o < hidden_; ++o) {
      add_rows(row(o * in), d, x, part.basis.row(o).data());
    }
    add_rows(first_weights_.data(), hidden_, x, part.base.data());
  }

  // θ(z) of `count` parameters from `first` on.
  void form(Index first, Index count, const ConstVectorRef<T>& z, Bound& bound) const {
    auto theta = bound.theta.segment(first - this->layer(0).parameters, count);
    kernels<Stored>().dots(row(first), count, this->dim(), z.data(), theta.data());
    theta += this->offset().segment(first, count);
  }

  const T* formed(const Layer& layer, const Bound& bound) const {
    return bound.theta.data() + layer.offset - this->layer(0).parameters;
  }

  const Stored* row(Index parameter) const { return rows_ + parameter * this->dim(); }

  const Stored* rows_;  // A: parameters × dim, the basis's
  Index hidden_;
  Matrix<T> first_weights_;  // W*ᵀ of the first layer: inputs × hidden
};

}  // namespace

template <class T>
std::shared_ptr<const SubspaceModel<T>> make_contracted_model(
    const Encoder& encoder, const Network& network, Vector<T> offset,
    std::shared_ptr<const Basis<T>> basis) {
  if constexpr (std::is_same_v<T, float>) {
    if (const auto* half = dynamic_cast<const HalfBasis*>(basis.get())) {
      return std::make_shared<ContractedModel<float, Half>>(encoder, network, std::move(offset),
                                                            std::move(basis), half->rows());
    }
  }
  const T* rows = dynamic_cast<const DenseBasis<T>&>(*basis).columns().data();
  return std::make_shared<ContractedModel<T, T>>(encoder, network, std::move(offset),
                                                 std::move(basis), rows);
}

template std::shared_ptr<const SubspaceModel<float>> make_contracted_model(
    const Encoder&, const Network&, Vector<float>, std::shared_ptr<const Basis<float>>);
template std::shared_ptr<const SubspaceModel<double>> make_contracted_model(
    const Encoder&, const Network&, Vector<double>, std::shared_ptr<const Basis<double>>);

}  // namespace bandolier
