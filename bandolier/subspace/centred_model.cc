// A model less what its offset predicts: f(θ(z)) − f(θ*). It is 0 at z = 0 for every context, so
// that nothing of what random initial weights happen to say has to be unlearnt, and its gradient is
// the model's own. One more evaluation, at z = 0, per context.
#include "bandolier/subspace/subspace.h"

namespace bandolier {
namespace {

template <class T>
struct Centred final : BoundScratch {
  std::unique_ptr<BoundScratch> inner;
  Vector<T> base;  // f(θ*), one per action and room for as many as there ever were
};

template <class T>
struct CentredBatch final : BoundScratch {
  std::unique_ptr<BoundScratch> inner;
  Matrix<T> base;  // f(θ*), a row per context
};

template <class T>
class CentredModel final : public SubspaceModel<T> {
 public:
  explicit CentredModel(std::shared_ptr<const SubspaceModel<T>> inner)
      : inner_(std::move(inner)), zero_(Vector<T>::Zero(inner_->dim())) {}

  Index dim() const override { return inner_->dim(); }
  Index parameters() const override { return inner_->parameters(); }
  const Network& network() const override { return inner_->network(); }
  const Encoder& encoder() const override { return inner_->encoder(); }
  const Vector<T>& offset() const override { return inner_->offset(); }
  const Basis<T>& basis() const override { return inner_->basis(); }
  std::size_t bytes() const override { return inner_->bytes(); }

  std::unique_ptr<BoundScratch> make_scratch() const override {
    auto work = std::make_unique<Centred<T>>();
    work->inner = inner_->make_scratch();
    return work;
  }

  void bind(const Context& context, BoundScratch& work) const override {
    auto& centred = static_cast<Centred<T>&>(work);
    inner_->bind(context, *centred.inner);
    if (centred.base.size() < context.actions) centred.base.resize(context.actions);
    inner_->predict(zero_, *centred.inner, centred.base.head(context.actions));
  }

  void predict(const ConstVectorRef<T>& z, BoundScratch& work,
               VectorRef<T> rewards) const override {
    auto& centred = static_cast<Centred<T>&>(work);
    inner_->predict(z, *centred.inner, rewards);
    rewards -= centred.base.head(rewards.size());
  }

  T linearise(const ConstVectorRef<T>& z, Index action, BoundScratch& work,
              VectorRef<T> gradient) const override {
    auto& centred = static_cast<Centred<T>&>(work);
    return inner_->linearise(z, action, *centred.inner, gradient) - centred.base[action];
  }

  std::unique_ptr<BoundScratch> make_batch_scratch() const override {
    auto inner = inner_->make_batch_scratch();
    if (inner == nullptr) return nullptr;
    auto work = std::make_unique<CentredBatch<T>>();
    work->inner = std::move(inner);
    return work;
  }
  void bind_batch(std::span<const Context> contexts, BoundScratch& work) const override {
    auto& centred = static_cast<CentredBatch<T>&>(work);
    inner_->bind_batch(contexts, *centred.inner);
    centred.base.resize(static_cast<Index>(contexts.size()), encoder().outputs());
    inner_->predict_batch(zero_.transpose(), *centred.inner, centred.base);
  }
  void predict_batch(const ConstMatrixRef<T>& z, BoundScratch& work,
                     MatrixRef<T> rewards) const override {
    auto& centred = static_cast<CentredBatch<T>&>(work);
    inner_->predict_batch(z, *centred.inner, rewards);
    rewards -= centred.base;
  }

  // Stages are the network's own.
  void features(const ConstVectorRef<T>& z, std::size_t first_stage, BoundScratch& work,
                MatrixRef<T> out) const override {
    inner_->features(z, first_stage, *static_cast<Centred<T>&>(work).inner, out);
  }
  T pull_back(const ConstVectorRef<T>& z, Index input, std::size_t first_stage,
              const ConstVectorRef<T>& weights, BoundScratch& work, VectorRef<T> gradient,
              T* features) const override {
    return inner_->pull_back(z, input, first_stage, weights, *static_cast<Centred<T>&>(work).inner,
                             gradient, features);
  }
  const EncodedInputs& inputs(const BoundScratch& work) const override {
    return inner_->inputs(*static_cast<const Centred<T>&>(work).inner);
  }

 private:
  std::shared_ptr<const SubspaceModel<T>> inner_;
  Vector<T> zero_;
};

}  // namespace

template <class T>
std::shared_ptr<const SubspaceModel<T>> make_centred_model(
    std::shared_ptr<const SubspaceModel<T>> model) {
  return std::make_shared<CentredModel<T>>(std::move(model));
}

template std::shared_ptr<const SubspaceModel<float>> make_centred_model(
    std::shared_ptr<const SubspaceModel<float>>);
template std::shared_ptr<const SubspaceModel<double>> make_centred_model(
    std::shared_ptr<const SubspaceModel<double>>);

}  // namespace bandolier
