// Heads over a body: the reward of action a is w_aᵀφ(x; z), linear in the last layer's weights w_a
// and nonlinear in the coordinates z of everything before it:
//   none              θ*: fixed, and φ does not depend on anything learnt
//   subspace          θ* + Az
//   diag, low-rank    θ* + z: all weights, with such a covariance
// The features are
//   φ = (stages of the body, the network's input, 1)
// with skip=true, or (the last stage, 1) without: fed from every stage, nothing is lost on problems
// that are linear or that random features solve. A network of one layer has no body, and
// φ = (input, 1). Made again from a stream's key and, where units are sparse, their weights.
//
// multi-head: one input, one head per action. concat, outer and interact: one input per action, one
// head. Heads may be fed the products of context and action (interact) over a body that sees both
// without them (concat).
#pragma once

#include "bandolier/filter/fixed_body.h"
#include "bandolier/filter/hidden_units.h"
#include "bandolier/filter/predictor.h"

namespace bandolier {

// What is learnt of the layers before the last.
enum class BodyKind { kNone, kSubspace, kDiagonal, kLowRank };
Words words_of(BodyKind);

struct HeadPredictorOptions {
  bool skip = true;
  BasisKind basis = BasisKind::kRankOne;  // of the body's subspace: a random one
  Index dim = 200;                        // of its subspace, at most its number of parameters
  BodyKind body = BodyKind::kSubspace;
  UnitKind units = UnitKind::kDense;
  std::optional<Encoding> head_encoding = {};  // what feeds the heads; nothing: what feeds the body
};

// Sizes before the predictor is made.
ParameterLayout head_layout(const RewardModel& model, const HeadPredictorOptions& options);

class HeadPredictor final : public Predictor {
 public:
  // `pulls`: contexts for sparse units to be made for.
  HeadPredictor(const RewardModel& model, std::shared_ptr<const Preparation> preparation,
                const HeadPredictorOptions& options, const StreamKey& key,
                std::span<const Experience> pulls = {});

  // φ(x; z) of all inputs. O((in + out)·d) per layer for a rank-one basis; nothing for a body that
  // is fixed: bind has found them.
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
  HeadPredictor(const RewardModel& model, std::shared_ptr<const Preparation> preparation,
                const HeadPredictorOptions& options, const StreamKey& key, Vector<float> units);

  // What feeds the heads.
  const EncodedInputs& inputs(const PredictorScratch& scratch) const;
  // The parts of φ that do not depend on z.
  void write_fixed(const EncodedInputs& encoded, Index input, float* phi) const;

  StreamKey key_;
  Encoder head_encoder_;
  bool own_inputs_ = false;                           // heads are not fed what the body is
  Vector<float> units_;                               // sparse ones: θ*; else from the key
  std::shared_ptr<const SubspaceModel<float>> body_;  // null: none that is learnt
  std::shared_ptr<const FixedBody> fixed_;            // null: none that is fixed
  std::size_t first_stage_ = 0;
  Index stage_features_ = 0;
  bool input_feeds_head_ = true;
};

}  // namespace bandolier
