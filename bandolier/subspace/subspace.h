// A network's rewards as functions of a few coordinates: θ(z) = θ* + A z, with the offset θ* and
// the basis A: D × d of basis.h. Immutable once made.
#pragma once

#include <memory>
#include <span>

#include "bandolier/core/types.h"
#include "bandolier/model/encoding.h"
#include "bandolier/subspace/basis.h"

namespace bandolier {

// Memory and partial results for one model bound to one context; owned by the caller.
class BoundScratch {
 public:
  virtual ~BoundScratch() = default;
};

// A network behind an encoding, seen through a subspace: all that a filter needs to know about
// networks. Implementations differ in how they exploit the basis (context contracted with a dense
// basis, rank-one, or forming θ(z)), not in what they compute. After the first use of a scratch
// with a context of a given size nothing allocates.
//
// The network may be a body without its last layer: then features() and pull_back() serve a head
// that somebody else keeps.
template <class T>
class SubspaceModel {
 public:
  virtual ~SubspaceModel() = default;

  virtual Index dim() const = 0;         // d
  virtual Index parameters() const = 0;  // D
  virtual const Network& network() const = 0;
  virtual const Encoder& encoder() const = 0;
  virtual const Vector<T>& offset() const = 0;
  virtual const Basis<T>& basis() const = 0;
  virtual std::unique_ptr<BoundScratch> make_scratch() const = 0;

  // Everything about a context that does not depend on z, once per decision.
  virtual void bind(const Context& context, BoundScratch& work) const = 0;

  // After bind: rewards of all actions at θ(z) into `rewards` (context.actions values).
  virtual void predict(const ConstVectorRef<T>& z, BoundScratch& work,
                       VectorRef<T> rewards) const = 0;

  // After bind: the reward of one action at θ(z), and its gradient with respect to z.
  virtual T linearise(const ConstVectorRef<T>& z, Index action, BoundScratch& work,
                      VectorRef<T> gradient) const = 0;

  // Rewards of many contexts by matrix products, for models and encodings that can. bind_batch does
  // once what does not depend on z (every context has the same actions). predict_batch then writes
  // row i of `rewards` (contexts × actions) at θ(z_i), any number of times; z may be one row for
  // all. A null scratch says that the model gains nothing over one context after the other.
  virtual std::unique_ptr<BoundScratch> make_batch_scratch() const { return nullptr; }
  virtual void bind_batch(std::span<const Context> contexts, BoundScratch& work) const;
  virtual void predict_batch(const ConstMatrixRef<T>& z, BoundScratch& work,
                             MatrixRef<T> rewards) const;

  // After bind: features of all inputs at θ(z), a row per input (one row for multi-head, else one
  // per action): the network's stages (Network::stages) from the `first_stage`-th on, side by side.
  // `out` has that shape.
  virtual void features(const ConstVectorRef<T>& z, std::size_t first_stage, BoundScratch& work,
                        MatrixRef<T> out) const = 0;

  // After bind: features φ of one input at θ(z), into `features` unless it is null, and for weights
  // w the gradient of wᵀφ with respect to z. Returns wᵀφ.
  virtual T pull_back(const ConstVectorRef<T>& z, Index input, std::size_t first_stage,
                      const ConstVectorRef<T>& weights, BoundScratch& work, VectorRef<T> gradient,
                      T* features = nullptr) const = 0;

  // After bind: the context's inputs, for a head that is fed from them too.
  virtual const EncodedInputs& inputs(const BoundScratch& work) const = 0;

  virtual std::size_t bytes() const = 0;  // of offset and basis (never written by learning)
};

// The implementation that suits network and basis: contracted (dense basis, dense layers),
// rank-one, or forming θ(z). Throws Error where sizes do not fit.
template <class T>
std::shared_ptr<const SubspaceModel<T>> make_subspace_model(const Encoder& encoder,
                                                            const Network& network,
                                                            Vector<T> offset,
                                                            std::shared_ptr<const Basis<T>> basis);

// The same by forming θ(z) whatever the basis: the reference that the others must agree with.
template <class T>
std::shared_ptr<const SubspaceModel<T>> make_formed_model(const Encoder& encoder,
                                                          const Network& network, Vector<T> offset,
                                                          std::shared_ptr<const Basis<T>> basis);

// f(θ(z)) − f(θ*): the same model less what its offset predicts; features are the network's own.
template <class T>
std::shared_ptr<const SubspaceModel<T>> make_centred_model(
    std::shared_ptr<const SubspaceModel<T>> model);

}  // namespace bandolier
