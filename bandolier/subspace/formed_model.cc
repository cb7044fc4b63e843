// A model that forms θ(z) = θ* + Az: for any network and any basis. It costs one product with A per
// z, the network's own passes, and one product with Aᵀ per gradient.
#include "bandolier/subspace/layered_model.h"

namespace bandolier {
namespace {

template <class T>
class FormedScratch final : public LayeredScratch<T> {
 public:
  Vector<T> theta;     // θ(z)
  Vector<T> gradient;  // ∂/∂θ
  Vector<T> scratch;   // the basis's
};

template <class T>
class FormedModel final : public LayeredModel<T> {
 public:
  using LayeredModel<T>::LayeredModel;
  using Work = LayeredScratch<T>;

  std::unique_ptr<BoundScratch> make_scratch() const override {
    auto work = std::make_unique<FormedScratch<T>>();
    this->make_buffers(*work);
    work->theta.resize(this->parameters());
    work->gradient.resize(this->parameters());
    return work;
  }

 protected:
  void bind_inputs(Work& work) const override { this->write_dense_inputs(work); }

  void prepare(const ConstVectorRef<T>& z, Index /*output*/, Work& work) const override {
    auto& formed = static_cast<FormedScratch<T>&>(work);
    formed.theta = this->offset();
    this->basis().add_image(z, formed.scratch, formed.theta);
  }

  void affine_forward(std::size_t l, const ConstVectorRef<T>& /*z*/, PassRows rows,
                      Index /*output*/, Work& work) const override {
    auto& formed = static_cast<FormedScratch<T>&>(work);
    const Layer& layer = this->layer(l);
    layer_forward<T>(layer, formed.theta.data() + layer.offset, input(l, rows, work), work.buffer,
                     work.activations[l + 1].topRows(rows.count));
  }

  void affine_backward(std::size_t l, const ConstVectorRef<T>& /*z*/, Index input_row, Work& work,
                       VectorRef<T> /*gradient*/) const override {
    auto& formed = static_cast<FormedScratch<T>&>(work);
    const Layer& layer = this->layer(l);
    layer_gradient<T>(layer, input(l, {input_row, 1}, work), work.deltas[l + 1], work.buffer,
                      formed.gradient.data() + layer.offset);
    if (l > 0) {
      layer_backward<T>(layer, formed.theta.data() + layer.offset,
                        work.activations[l + 1].topRows(1), work.deltas[l + 1], work.buffer,
                        work.deltas[l]);
    }
  }

  void finish_gradient(Work& work, VectorRef<T> gradient) const override {
    auto& formed = static_cast<FormedScratch<T>&>(work);
    this->basis().project(formed.gradient, formed.scratch, gradient);
  }

 private:
  // A layer's input: all bound inputs stay in activations[0], later ones begin at row 0.
  auto input(std::size_t l, PassRows rows, Work& work) const {
    return work.activations[l].middleRows(l == 0 ? rows.first : 0, rows.count);
  }
};

}  // namespace

template <class T>
std::shared_ptr<const SubspaceModel<T>> make_formed_model(const Encoder& encoder,
                                                          const Network& network, Vector<T> offset,
                                                          std::shared_ptr<const Basis<T>> basis) {
  return std::make_shared<FormedModel<T>>(encoder, network, std::move(offset), std::move(basis));
}

template std::shared_ptr<const SubspaceModel<float>> make_formed_model(
    const Encoder&, const Network&, Vector<float>, std::shared_ptr<const Basis<float>>);
template std::shared_ptr<const SubspaceModel<double>> make_formed_model(
    const Encoder&, const Network&, Vector<double>, std::shared_ptr<const Basis<double>>);

}  // namespace bandolier
