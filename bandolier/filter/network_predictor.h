// A whole network in a subspace, θ(z) = θ* + Az: the paper's predictor. Its only block is z; with
// the identity basis z is all weights.
#pragma once

#include <optional>

#include "bandolier/filter/predictor.h"
#include "bandolier/subspace/offset.h"

namespace bandolier {

class NetworkPredictor final : public Predictor {
 public:
  // centred: f(θ(z)) − f(θ*). What random initial weights happen to say is then no part of it, and
  // nothing has to be unlearnt.
  NetworkPredictor(const RewardModel& model, std::shared_ptr<const Preparation> preparation,
                   Offset offset, std::shared_ptr<const Basis<float>> basis, bool centred);

  void evaluate(const ConstVectorRef<float>& z, PredictorScratch& scratch) const override;
  float linearise_at(const ConstVectorRef<float>& z, const ConstVectorRef<float>& w, Index action,
                     PredictorScratch& scratch, VectorRef<float> gradient,
                     VectorRef<float> phi) const override;
  const SubspaceModel<float>* batch_model() const override { return model_.get(); }

  void save(ArchiveWriter& out) const override;
  static std::shared_ptr<const NetworkPredictor> load(
      const RewardModel& model, std::shared_ptr<const Preparation> preparation,
      const ArchiveReader& in);

 protected:
  std::unique_ptr<BoundScratch> make_network_scratch() const override;
  void bind_prepared(const Context& context, PredictorScratch& scratch) const override;

 private:
  std::optional<StreamKey> offset_key_;  // of a random offset
  bool centred_;
  std::shared_ptr<const SubspaceModel<float>> model_;
};

}  // namespace bandolier
