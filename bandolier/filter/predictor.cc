#include "bandolier/filter/predictor.h"

namespace bandolier {

PredictorScratch Predictor::make_scratch() const {
  PredictorScratch scratch;
  scratch.network = make_network_scratch();
  return scratch;
}

void Predictor::bind(const Context& context, PredictorScratch& scratch) const {
  scratch.actions = context.actions;
  bind_prepared(prepare(context, scratch.prepared), scratch);
  if (encoder_.shape().fixed_actions) return;
  scratch.action_ids.resize(static_cast<std::size_t>(context.actions));
  for (Index a = 0; a < context.actions; ++a) {
    scratch.action_ids[static_cast<std::size_t>(a)] = context.action_id(a);
  }
}

void Predictor::linearise(const ParameterBelief<float>& belief, Index action,
                          PredictorScratch& scratch, Tangent& out) const {
  out.head = head_of(action);
  out.body.resize(layout_.body);
  out.phi.resize(layout_.features);
  out.value = linearise_at(belief.body_mean(), belief.head_mean(out.head), action, scratch,
                           out.body, out.phi);
  if (!belief.has_effects()) return;
  out.action_id = scratch.action_ids[static_cast<std::size_t>(action)];
  out.value += belief.effect(out.action_id).mean;
}

}  // namespace bandolier
