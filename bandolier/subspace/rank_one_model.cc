// A model in a rank-one basis (rank_one_basis.h): dense layers cost O((in + out)·d) beside their
// own product with W*; a convolution's small kernel is formed, W(z) = W* + Σ z_k u_k v_kᵀ, and kept
// for as long as z stays the same.
//
// The first layer, if dense, is bound to the context once: Vᵀ(x, 1) and W*x + b* over the non-zeros
// of x, from W* kept transposed.
#include <algorithm>

#include "bandolier/subspace/layered_model.h"
#include "bandolier/subspace/rank_one_basis.h"
#include "bandolier/subspace/rank_one_batch.h"

namespace bandolier {
namespace {

// The first layer for one part of an input.
template <class T>
struct BoundPart {
  Vector<T> loading;  // Vᵀ(x, 1): d
  Vector<T> base;     // W*x + b*: outputs
};

template <class T>
class RankOneScratch final : public LayeredScratch<T> {
 public:
  BoundPart<T> shared;  // with the biases
  std::vector<BoundPart<T>> own;
  std::vector<Vector<T>> loading;   // per layer: Vᵀ(h, 1) of the last input gone through
  std::vector<Vector<T>> kernel;    // per convolution: θ_l(z)
  std::vector<Vector<T>> gradient;  // per convolution: ∂/∂θ_l
  Vector<T> kernels_at;             // the z of `kernel`
  Matrix<T> scaled_u;               // U ∘ z of a convolution: filters × d
  Vector<T> column;         // of a kernel or of U·(…): as long as the largest layer is wide
  Vector<T> scaled;         // z ∘ Vᵀ(h, 1), z ∘ Uᵀδ
  Vector<T> back;           // Uᵀδ
  ActiveEntries<T> active;  // of a layer's inputs or deltas
};

template <class T>
class RankOneModel final : public LayeredModel<T> {
 public:
  using Work = LayeredScratch<T>;
  using Bound = RankOneScratch<T>;
  using Factors = typename RankOneBasis<T>::Factors;

  RankOneModel(const Encoder& encoder, const Network& network, Vector<T> offset,
               std::shared_ptr<const Basis<T>> basis)
      : LayeredModel<T>(encoder, network, std::move(offset), std::move(basis)),
        factors_(network.layers().size(), nullptr) {
    for (const Factors& f : own_basis().layers()) {
      const auto place = static_cast<std::size_t>(f.shape.layer);
      factors_[place] = &f;
      has_convolutions_ = has_convolutions_ || !dense(place);
    }
    if (dense(0)) first_weights_ = weights(0).transpose();
  }

  std::unique_ptr<BoundScratch> make_scratch() const override {
    auto work = std::make_unique<Bound>();
    this->make_buffers(*work);
    const std::size_t layers = factors_.size();
    work->loading.resize(layers);
    work->kernel.resize(layers);
    work->gradient.resize(layers);
    for (std::size_t l = 0; l < layers; ++l) {
      if (factors_[l] == nullptr) continue;
      if (dense(l)) {
        work->loading[l].setZero(this->dim());
      } else {
        work->kernel[l].setZero(this->layer(l).parameters);
        work->gradient[l].setZero(this->layer(l).parameters);
        const Index filters = std::max(work->scaled_u.rows(), factors_[l]->u.rows());
        work->scaled_u.resize(filters, this->dim());
      }
    }
    make(work->shared);
    work->scaled.resize(this->dim());
    work->back.resize(this->dim());
    Index widest = 0;
    for (const Factors& f : own_basis().layers()) widest = std::max(widest, f.shape.out);
    work->column.resize(widest);
    return work;
  }

  // Only for dense layers with one input per context: convolutions, and inputs of the actions' own,
  // take as long in a batch.
  std::unique_ptr<BoundScratch> make_batch_scratch() const override {
    if (this->has_own() || has_convolutions_) return nullptr;
    return std::make_unique<RankOneBatch<T>>();
  }
  void bind_batch(std::span<const Context> contexts, BoundScratch& work) const override {
    bind_rank_one_batch<T>(this->encoder(), first_weights_, this->offset(), own_basis(), contexts,
                           static_cast<RankOneBatch<T>&>(work));
  }
  void predict_batch(const ConstMatrixRef<T>& z, BoundScratch& work,
                     MatrixRef<T> rewards) const override {
    predict_rank_one_batch<T>(this->network(), this->offset(), own_basis(), z,
                              static_cast<RankOneBatch<T>&>(work), rewards);
  }

  std::size_t bytes() const override {
    return LayeredModel<T>::bytes() + sizeof(T) * static_cast<std::size_t>(first_weights_.size());
  }

 protected:
  void bind_inputs(Work& work) const override {
    auto& bound = static_cast<Bound&>(work);
    if (!dense(0)) {
      this->write_dense_inputs(work);
      return;
    }
    bound.shared.loading = factors_[0]->v.row(this->layer(0).inputs).transpose();
    bound.shared.base = this->offset().segment(first_weights_.size(), first_weights_.cols());
    add_part(work.encoded.shared, bound.shared);
    if (!this->has_own()) return;
    const auto count = static_cast<std::size_t>(work.encoded.count);
    while (bound.own.size() < count) make(bound.own.emplace_back());
    for (std::size_t i = 0; i < count; ++i) {
      bound.own[i].loading.setZero();
      bound.own[i].base.setZero();
      add_part(work.encoded.own[i], bound.own[i]);
    }
  }

  // Kernels of convolutions: θ_l(z), O(filters · patch · d). V is read once: column j of the kernel
  // is (U ∘ z) v_j, and U ∘ z stays in the cache.
  void prepare(const ConstVectorRef<T>& z, Index /*output*/, Work& work) const override {
    auto& bound = static_cast<Bound&>(work);
    const bool formed = bound.kernels_at.size() == z.size() && bound.kernels_at == z;
    if (formed || !has_convolutions_) return;
    bound.kernels_at = z;
    const bool at_offset = (z.array() == 0).all();
    for (std::size_t l = 0; l < factors_.size(); ++l) {
      if (factors_[l] == nullptr || dense(l)) continue;
      const auto& [shape, u, v] = *factors_[l];
      bound.kernel[l] = this->offset().segment(shape.offset, shape.parameters());
      MatrixMap<T> kernel(bound.kernel[l].data(), shape.out, shape.in);
      VectorMap<T> biases(bound.kernel[l].data() + kernel.size(), shape.out);
      MatrixMap<T> scaled_u(bound.scaled_u.data(), shape.out, this->dim());
      scaled_u = u.array().rowwise() * z.transpose().array();
      auto column = bound.column.head(shape.out);
      for (Index j = 0; !at_offset && j <= shape.in; ++j) {
        kernels<T>().dots(scaled_u.data(), shape.out, this->dim(), v.row(j).data(), column.data());
        if (j < shape.in) {
          kernel.col(j) += column;
        } else {
          biases += column;
        }
      }
    }
  }

  void affine_forward(std::size_t l, const ConstVectorRef<T>& z, PassRows rows, Index output,
                      Work& work) const override {
    auto& bound = static_cast<Bound&>(work);
    const Layer& layer = this->layer(l);
    if (!dense(l)) {
      layer_forward<T>(layer, bound.kernel[l].data(), input(l, rows, work), work.buffer,
                       work.activations[l + 1].topRows(rows.count));
      return;
    }
    const Matrix<T>& u = factors_[l]->u;
    Vector<T>& loading = bound.loading[l];
    for (Index r = 0; r < rows.count; ++r) {
      VectorMap<T> y(work.activations[l + 1].row(r).data(), layer.outputs);
      const bool one = l == this->last_layer() && output != kAllOutputs;
      if (l == 0) {
        loading = bound.shared.loading;
        y = bound.shared.base;
        if (this->has_own()) {
          const auto& own = bound.own[static_cast<std::size_t>(rows.first + r)];
          loading += own.loading;
          y += own.base;
        }
      } else {
        const ConstVectorMap<T> h(work.activations[l].row(r).data(), layer.inputs);
        loading = factors_[l]->v.row(layer.inputs).transpose();
        bound.active.collect(h.data(), layer.inputs);
        add_rows(factors_[l]->v.data(), this->dim(), bound.active, loading.data());
        const Index biases = layer.offset + layer.inputs * layer.outputs;
        if (one) {
          y[output] = weights(l).row(output).dot(h) + this->offset()[biases + output];
        } else {
          y = this->offset().segment(biases, layer.outputs);
          y.noalias() += weights(l) * h;
        }
      }
      bound.scaled = z.cwiseProduct(loading);
      if (one) {
        y[output] += u.row(output).dot(bound.scaled);
      } else {
        kernels<T>().dots(u.data(), layer.outputs, this->dim(), bound.scaled.data(),
                          bound.column.data());
        y += bound.column.head(layer.outputs);
      }
    }
  }

  void affine_backward(std::size_t l, const ConstVectorRef<T>& z, Index input_row, Work& work,
                       VectorRef<T> gradient) const override {
    auto& bound = static_cast<Bound&>(work);
    const Layer& layer = this->layer(l);
    const Factors& f = *factors_[l];
    const auto& delta = work.deltas[l + 1];
    if (!dense(l)) {
      layer_gradient<T>(layer, input(l, {input_row, 1}, work), delta, work.buffer,
                        bound.gradient[l].data());
      add_kernel_gradient(f, bound.gradient[l], bound, gradient);
      if (l > 0) {
        layer_backward<T>(layer, bound.kernel[l].data(), work.activations[l + 1].topRows(1), delta,
                          work.buffer, work.deltas[l]);
      }
      return;
    }
    bound.active.collect(delta.data(), layer.outputs);
    bound.back.setZero();
    add_rows(f.u.data(), this->dim(), bound.active, bound.back.data());
    gradient += bound.back.cwiseProduct(bound.loading[l]);
    if (l == 0) return;
    auto& delta_in = work.deltas[l];
    delta_in.setZero();
    add_rows(weights(l).data(), layer.inputs, bound.active, delta_in.data());
    bound.scaled = z.cwiseProduct(bound.back);
    const auto h = work.activations[l].row(0);
    const bool skip = this->follows_relu(l);
    for (Index j = 0; j < layer.inputs; ++j) {
      if (!skip || h[j] != 0) delta_in(0, j) += f.v.row(j).dot(bound.scaled);
    }
  }

 private:
  const RankOneBasis<T>& own_basis() const {
    return static_cast<const RankOneBasis<T>&>(this->basis());
  }

  bool dense(std::size_t l) const { return std::holds_alternative<Dense>(this->layer(l).kind); }

  ConstMatrixMap<T> weights(std::size_t l) const {
    const Layer& layer = this->layer(l);
    return ConstMatrixMap<T>(this->offset().data() + layer.offset, layer.outputs, layer.inputs);
  }

  // A convolution's input: all bound inputs stay in activations[0], later ones begin at row 0.
  auto input(std::size_t l, PassRows rows, Work& work) const {
    return work.activations[l].middleRows(l == 0 ? rows.first : 0, rows.count);
  }

  void make(BoundPart<T>& part) const {
    part.loading.resize(this->dim());
    part.base.resize(this->layer(0).outputs);
  }

  void add_part(const SparseVector& x, BoundPart<T>& part) const {
    add_rows(factors_[0]->v.data(), this->dim(), x, part.loading.data());
    add_rows(first_weights_.data(), first_weights_.cols(), x, part.base.data());
  }

  // ∂f/∂z_k += u_kᵀ G v_k for a kernel's gradient G (with the biases' as its last column): for each
  // column of G, V's row times Uᵀ(column). V is read once, U stays in the cache.
  static void add_kernel_gradient(const Factors& f, const Vector<T>& kernel_gradient, Bound& bound,
                                  VectorRef<T> gradient) {
    const ConstMatrixMap<T> g(kernel_gradient.data(), f.shape.out, f.shape.in);
    const ConstVectorMap<T> biases(kernel_gradient.data() + g.size(), f.shape.out);
    auto column = bound.column.head(f.shape.out);
    for (Index j = 0; j <= f.shape.in; ++j) {
      if (j < f.shape.in) {
        column = g.col(j);
      } else {
        column = biases;
      }
      kernels<T>().combine(f.u.data(), f.shape.out, f.u.cols(), column.data(), bound.scaled.data());
      gradient += bound.scaled.cwiseProduct(f.v.row(j).transpose());
    }
  }

  std::vector<const Factors*> factors_;  // per layer; null where it has no parameters
  Matrix<T> first_weights_;              // W*ᵀ of a dense first layer: inputs × outputs
  bool has_convolutions_ = false;
};

}  // namespace

template <class T>
std::shared_ptr<const SubspaceModel<T>> make_rank_one_model(const Encoder& encoder,
                                                            const Network& network,
                                                            Vector<T> offset,
                                                            std::shared_ptr<const Basis<T>> basis) {
  return std::make_shared<RankOneModel<T>>(encoder, network, std::move(offset), std::move(basis));
}

template std::shared_ptr<const SubspaceModel<float>> make_rank_one_model(
    const Encoder&, const Network&, Vector<float>, std::shared_ptr<const Basis<float>>);
template std::shared_ptr<const SubspaceModel<double>> make_rank_one_model(
    const Encoder&, const Network&, Vector<double>, std::shared_ptr<const Basis<double>>);

}  // namespace bandolier
