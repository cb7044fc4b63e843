// Small filters and what tests do with them.
#pragma once

#include <string>

#include "bandolier/filter/filter.h"
#include "bandolier/filter/predictor.h"

namespace bandolier::testing {

inline FilterOptions known(double noise_variance) {
  FilterOptions options;
  options.likelihood = Likelihood::gaussian(noise_variance);
  return options;
}
inline FilterOptions inferred(const InverseGamma& noise) {
  FilterOptions options;
  options.noise = noise;
  return options;
}

// A reward weighed, and believed where it is accepted.
template <class T>
typename Filter<T>::Step learn(Filter<T>& filter, const Linearised<T>& at, T reward,
                               ParameterScratch<T>& scratch) {
  const auto step = filter.weigh(at, reward, scratch);
  if (step.accepted) filter.believe(step, at, scratch);
  return step;
}

// The same by a predictor that is bound.
inline Filter<float>::Step learn(Filter<float>& filter, const Predictor& predictor, Index action,
                                 float reward, PredictorScratch& bound,
                                 ParameterScratch<float>& scratch) {
  Tangent tangent;
  predictor.linearise(filter.belief(), action, bound, tangent);
  return learn(filter, tangent.view(), reward, scratch);
}

// A belief about z alone, N(0, variance·I).
template <class T>
ParameterBelief<T> body_belief(Index dim, T variance, const BeliefOptions& options = {}) {
  return ParameterBelief<T>({dim, 0, 0}, Matrix<T>(0, 0), variance, {options, {}, false});
}

// A belief of zero mean about every parameter.
template <class T>
ParameterBelief<T> zero_belief(const ParameterLayout& layout, T variance,
                               const ParameterBeliefOptions& options = {}) {
  return ParameterBelief<T>(layout, Matrix<T>::Zero(layout.heads, layout.features), variance,
                            options);
}

// All that is believed of (z, w_1 … w_H).
template <class T>
Vector<T> mean_of(const ParameterBelief<T>& belief) {
  const ParameterLayout& layout = belief.layout();
  Vector<T> mean(layout.size());
  mean.head(layout.body) = belief.body_mean();
  for (Index k = 0; k < layout.heads; ++k) {
    mean.segment(layout.body + k * layout.features, layout.features) = belief.head_mean(k);
  }
  return mean;
}

// A predictor that is linear in its parameters, at the belief's mean: the value gᵀμ, where g has
// zeros for the heads other than `head`.
template <class T>
Linearised<T> linear_at(const ParameterBelief<T>& belief, Index head, const Vector<T>& body,
                        const Vector<T>& phi) {
  Linearised<T> at{0, head, {body.data(), body.size()}, {phi.data(), phi.size()}};
  at.value = at.body.dot(belief.body_mean()) + at.phi.dot(belief.head_mean(head));
  return at;
}

template <class Saved>
std::string archive_of(const Saved& saved) {
  ArchiveWriter out;
  saved.save(out);
  return out.finish();
}

}  // namespace bandolier::testing
