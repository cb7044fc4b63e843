// A head over a body: the reward of action a is w_aᵀφ(x; z), linear in the last layer's weights w_a
// and nonlinear in the coordinates z of everything before it, θ(z) = θ* + Az. The features are
//   φ = (stages of the body, the network's input, 1)
// with skip=true, or (the last stage, 1) without: fed from every stage, nothing is lost on problems
// that are linear or that random features solve. Immutable; made again from a stream's key.
//
// multi-head: one input, one head an action. concat and outer: one input an action, one head.
#pragma once

#include <memory>
#include <string>

#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {

struct HeadModelOptions {
  bool skip = true;
  BasisKind basis = BasisKind::kRankOne;  // of the body: one of random_basis_kinds()
  Index dim = 200;  // of the body's subspace, at most its number of parameters
};

// The caller's memory for one bound context.
struct HeadWork {
  std::unique_ptr<BoundScratch> body;  // null where there is no body
  EncodedInputs encoded;               // used where there is no body
  Matrix<float> phi;                   // inputs × features, of the last features()
};

// Sizes of a model before it is made.
struct HeadSize {
  Index dim = 0;       // d, of the body's subspace
  Index features = 0;  // h
  Index heads = 0;
};
HeadSize head_size(const RewardModel& model, const HeadModelOptions& options);

class HeadModel {
 public:
  HeadModel(const RewardModel& model, const HeadModelOptions& options, const StreamKey& key);

  Index dim() const { return body_ ? body_->dim() : 0; }  // d
  Index features() const { return features_; }            // h
  Index heads() const { return encoder_.outputs(); }
  Index head_of(Index action) const { return encoder_.output_of(action); }
  Index input_of(Index action) const { return encoder_.input_of(action); }
  const Matrix<float>& head_offset() const { return head_offset_; }  // prior means: heads × h
  const StreamKey& key() const { return key_; }
  const Encoder& encoder() const { return encoder_; }

  HeadWork make_work() const;
  void bind(const Context& context, HeadWork& work) const;

  // After bind: φ(x; z) of all inputs into work.phi. O((in + out)·d) a layer for a rank-one basis.
  void features(const ConstVectorRef<float>& z, HeadWork& work) const;

  // After bind: φ of one action's input, and the gradient of wᵀφ with respect to z. Returns wᵀφ.
  float linearise(const ConstVectorRef<float>& z, Index action, const ConstVectorRef<float>& w,
                  HeadWork& work, VectorRef<float> phi, VectorRef<float> gradient) const;

 private:
  const EncodedInputs& inputs(const HeadWork& work) const;
  // The parts of φ that do not depend on z.
  void write_fixed(const EncodedInputs& encoded, Index input, float* phi) const;

  Encoder encoder_;
  StreamKey key_;
  std::shared_ptr<const SubspaceModel<float>> body_;
  std::size_t first_stage_ = 0;
  Index stage_features_ = 0;
  bool input_feeds_head_ = true;
  Index features_ = 0;
  Matrix<float> head_offset_;
};

}  // namespace bandolier
