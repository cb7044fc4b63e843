// Heads over a body: the reward of action a is w_aᵀφ(x; z), linear in the last layer's weights w_a
// and nonlinear in the coordinates z of everything before it, θ(z) = θ* + Az. The features are
//   φ = (stages of the body, the network's input, 1)
// with skip=true, or (the last stage, 1) without: fed from every stage, nothing is lost on problems
// that are linear or that random features solve. A network of one layer has no body, and
// φ = (input, 1). Made again from a stream's key.
//
// multi-head: one input, one head per action. concat, outer and interact: one input per action, one
// head. Heads may be fed the products of context and action (inputs=interact) over a body that sees
// both without them (concat).
#pragma once

#include "bandolier/filter/predictor.h"

namespace bandolier {

struct HeadPredictorOptions {
  bool skip = true;
  BasisKind basis = BasisKind::kRankOne;  // of the body: a random one
  Index dim = 200;                        // of its subspace, at most its number of parameters
  std::optional<Encoding> inputs = {};    // what feeds the heads; nothing: what feeds the body
};

// Sizes before the predictor is made.
ParameterLayout head_layout(const RewardModel& model, const HeadPredictorOptions& options);

class HeadPredictor final : public Predictor {
 public:
  HeadPredictor(const RewardModel& model, std::shared_ptr<const Preparation> preparation,
                const HeadPredictorOptions& options, const StreamKey& key);

  // φ(x; z) of all inputs. O((in + out)·d) per layer for a rank-one basis.
  void evaluate(const ConstVectorRef<float>& z, PredictorScratch& scratch) const override;
  float linearise_at(const ConstVectorRef<float>& z, const ConstVectorRef<float>& w, Index action,
                     PredictorScratch& scratch, VectorRef<float> gradient,
                     VectorRef<float> phi) const override;

  void save(ArchiveWriter& out) const override;
  static std::shared_ptr<const HeadPredictor> load(const RewardModel& model,
                                                   std::shared_ptr<const Preparation> preparation,
                                                   const HeadPredictorOptions& options,
                                                   const ArchiveReader& in);

 protected:
  std::unique_ptr<BoundScratch> make_network_scratch() const override;
  void bind_prepared(const Context& context, PredictorScratch& scratch) const override;

 private:
  // What feeds the heads.
  const EncodedInputs& inputs(const PredictorScratch& scratch) const;
  // The parts of φ that do not depend on z.
  void write_fixed(const EncodedInputs& encoded, Index input, float* phi) const;

  StreamKey key_;
  Encoder head_encoder_;
  bool own_inputs_ = false;                           // heads are not fed what the body is
  std::shared_ptr<const SubspaceModel<float>> body_;  // null: none
  std::size_t first_stage_ = 0;
  Index stage_features_ = 0;
  bool input_feeds_head_ = true;
};

}  // namespace bandolier
