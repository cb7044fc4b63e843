#include "bandolier/filter/network_predictor.h"

namespace bandolier {

NetworkPredictor::NetworkPredictor(const RewardModel& model,
                                   std::shared_ptr<const Preparation> preparation, Offset offset,
                                   std::shared_ptr<const Basis<float>> basis, bool centred)
    : Predictor(model, std::move(preparation)), offset_key_(offset.key), centred_(centred) {
  model_ = make_subspace_model<float>(model.encoder(), model.network(),
                                      std::move(offset.parameters), std::move(basis));
  if (centred) model_ = make_centred_model<float>(std::move(model_));
  layout_.body = model_->dim();
}

std::unique_ptr<BoundScratch> NetworkPredictor::make_network_scratch() const {
  return model_->make_scratch();
}

void NetworkPredictor::bind_prepared(const Context& context, PredictorScratch& scratch) const {
  model_->bind(context, *scratch.network);
  if (scratch.rewards.size() < context.actions) scratch.rewards.resize(context.actions);
}

void NetworkPredictor::evaluate(const ConstVectorRef<float>& z, PredictorScratch& scratch) const {
  model_->predict(z, *scratch.network, scratch.rewards.head(scratch.actions));
}

float NetworkPredictor::linearise_at(const ConstVectorRef<float>& z, const ConstVectorRef<float>&,
                                     Index action, PredictorScratch& scratch,
                                     VectorRef<float> gradient, VectorRef<float>) const {
  return model_->linearise(z, action, *scratch.network, gradient);
}

void NetworkPredictor::save(ArchiveWriter& out) const {
  {
    const auto section = out.section("offset");
    save_offset(model_->offset(), offset_key_, out);
  }
  {
    const auto section = out.section("basis");
    save_basis(model_->basis(), out);
  }
  out.write("centred", centred_);
}

std::shared_ptr<const NetworkPredictor> NetworkPredictor::load(
    const RewardModel& model, std::shared_ptr<const Preparation> preparation,
    const ArchiveReader& in) {
  return std::make_shared<NetworkPredictor>(
      model, std::move(preparation), load_offset(model.network(), in.section("offset")),
      load_basis<float>(model.network(), in.section("basis")), in.read_bool("centred"));
}

}  // namespace bandolier
