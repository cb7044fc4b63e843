// The reward of an action as a function of a few parameters: the coordinates z of a body, and the
// weights w_1 … w_H of heads over it. It is all that a filter needs to know of networks. Two kinds:
//   network_predictor.h   f_a(x; z), a network in a subspace; no heads
//   head_predictor.h      w_aᵀφ(x; z), linear heads over the features of a body
// Immutable once warm-up is over, and shared by filters and snapshots.
#pragma once

#include <memory>
#include <span>

#include "bandolier/filter/parameter_belief.h"
#include "bandolier/model/preparation.h"
#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {

// A caller's memory for one predictor bound to one context.
struct PredictorScratch {
  PreparedContext prepared;
  std::unique_ptr<BoundScratch> network;  // null where there is none
  EncodedInputs encoded;                  // what feeds heads, where that is not the network's
  Index actions = 0;                      // of the bound context
  // Of the last evaluate, and room for as many actions as there ever were.
  Vector<float> rewards;                 // per action: without heads
  Matrix<float> phi;                     // inputs × h: with heads
  std::vector<std::int64_t> action_ids;  // where actions change
};

// A predictor at a belief's mean, in memory of its own.
struct Tangent {
  float value = 0;
  Index head = 0;
  Vector<float> body, phi;
  std::int64_t action_id = 0;

  Linearised<float> view() const {
    return {value, head, {body.data(), body.size()}, {phi.data(), phi.size()}, action_id};
  }
};

class Predictor {
 public:
  Predictor(const RewardModel& model, std::shared_ptr<const Preparation> preparation)
      : encoder_(model.encoder()),
        convolutional_(model.network().has_convolution()),
        preparation_(std::move(preparation)) {}
  virtual ~Predictor() = default;

  const ParameterLayout& layout() const { return layout_; }
  // Prior means of the heads' weights: H × h.
  const Matrix<float>& head_means() const { return head_means_; }
  Index head_of(Index action) const { return encoder_.output_of(action); }
  Index input_of(Index action) const { return encoder_.input_of(action); }
  const Encoder& encoder() const { return encoder_; }

  PredictorScratch make_scratch() const;

  // Everything about a context that does not depend on the parameters, once per decision.
  void bind(const Context& context, PredictorScratch& scratch) const;

  // After bind: at z, the rewards of all actions, or the features of all inputs.
  virtual void evaluate(const ConstVectorRef<float>& z, PredictorScratch& scratch) const = 0;

  // After bind: the reward of one action at (z, w), w the weights of its head; its gradient with
  // respect to z and, where there are heads, to w: the features φ.
  virtual float linearise_at(const ConstVectorRef<float>& z, const ConstVectorRef<float>& w,
                             Index action, PredictorScratch& scratch, VectorRef<float> gradient,
                             VectorRef<float> phi) const = 0;

  // The same at the belief's mean.
  void linearise(const ParameterBelief<float>& belief, Index action, PredictorScratch& scratch,
                 Tangent& out) const;

  // The network that rewards of many contexts at once can be had from, where it gains anything.
  virtual const SubspaceModel<float>* batch_model() const { return nullptr; }
  // The context as the network sees it.
  Context prepare(const Context& context, PreparedContext& memory) const {
    return preparation_->apply(context, convolutional_, memory);
  }

  virtual void save(ArchiveWriter& out) const = 0;

 protected:
  virtual std::unique_ptr<BoundScratch> make_network_scratch() const = 0;
  virtual void bind_prepared(const Context& context, PredictorScratch& scratch) const = 0;

  Encoder encoder_;
  ParameterLayout layout_;
  Matrix<float> head_means_;

 private:
  bool convolutional_;
  std::shared_ptr<const Preparation> preparation_;
};

}  // namespace bandolier
