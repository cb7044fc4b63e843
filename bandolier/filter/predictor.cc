#include "bandolier/filter/predictor.h"

namespace bandolier {

PredictorScratch Predictor::make_scratch() const {
  PredictorScratch scratch;
  scratch.network = make_network_scratch();
  return scratch;
}

void Predictor::bind(const Context& context, PredictorScratch& scratch) const {
  bind_prepared(prepare(context, scratch.prepared), scratch);
}

void Predictor::linearise(const ParameterBelief<float>& belief, Index action,
                          PredictorScratch& scratch, Tangent& out) const {
  out.head = head_of(action);
  out.body.resize(layout_.body);
  out.phi.resize(layout_.features);
  out.value = linearise_at(belief.body_mean(), belief.head_mean(out.head), action, scratch,
                           out.body, out.phi);
}

}  // namespace bandolier
