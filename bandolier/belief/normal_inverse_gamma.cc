#include "bandolier/belief/normal_inverse_gamma.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bandolier {

template <class T>
NormalInverseGamma<T> NormalInverseGamma<T>::with_known_variance(GaussianFull<T> weights,
                                                                 double noise_variance) {
  NormalInverseGamma belief(std::move(weights), InverseGamma{});
  belief.known_variance_ = noise_variance;
  return belief;
}

template <class T>
LinearPrediction<T> NormalInverseGamma<T>::predict(const ConstVectorRef<T>& x,
                                                   Vector<T>& scratch) const {
  return {x.dot(weights_.mean()), weights_.variance(x, scratch)};
}

template <class T>
void NormalInverseGamma<T>::sample(Random& random, T scale, Vector<T>& noise,
                                   VectorRef<T> out) const {
  const auto deviation = static_cast<T>(std::sqrt(sample_noise_variance(random)));
  weights_.sample(random, scale * deviation, noise, out);
}

template <class T>
Innovation<T> NormalInverseGamma<T>::update(const ConstVectorRef<T>& x, T y,
                                            BeliefScratch<T>& scratch, T weight) {
  const T error = y - x.dot(weights_.mean());
  const Innovation<T> innovation =
      weights_.update(x, {.slope = weight * error, .curvature = weight}, scratch);
  if (innovation.accepted && !known_variance_) {
    noise_.update(static_cast<double>(error), static_cast<double>(innovation.variance),
                  static_cast<double>(weight));
  }
  return innovation;
}

template <class T>
bool NormalInverseGamma<T>::update(BatchUpdate<T>& batch, Index row, Index end, T y) {
  const T error = y - batch.value(row), q = batch.q(row);
  const Observation<T> observation{.slope = error, .curvature = 1};
  if (!acceptable(observation, q)) return false;
  batch.learn(row, end, observation);
  if (!known_variance_) noise_.update(static_cast<double>(error), static_cast<double>(q));
  return true;
}

template <class T>
void NormalInverseGamma<T>::rescale(double factor, const InverseGamma& before,
                                    const InverseGamma& after) {
  weights_.scale_mean(static_cast<T>(factor));
  noise_.b = after.b + factor * factor * std::max(0.0, noise_.b - before.b);  // but for round-off
}

template <class T>
double NormalInverseGamma<T>::log_predictive(const LinearPrediction<T>& prediction, T y) const {
  const double error = static_cast<double>(y) - static_cast<double>(prediction.mean);
  const double s = 1 + static_cast<double>(prediction.q);
  if (!known_variance_) return noise_.log_predictive(error, s);
  const double variance = s * *known_variance_;
  return -0.5 * (std::log(2 * std::numbers::pi * variance) + error * error / variance);
}

template <class T>
std::size_t NormalInverseGamma<T>::bytes() const {
  return weights_.bytes() + (known_variance_ ? 0 : sizeof noise_);
}

template <class T>
void NormalInverseGamma<T>::save(ArchiveWriter& out) const {
  weights_.save(out);
  noise_.save(out);
}

template <class T>
void NormalInverseGamma<T>::load(const ArchiveReader& in) {
  weights_.load(in);
  noise_.load(in);
}

template class NormalInverseGamma<float>;
template class NormalInverseGamma<double>;

}  // namespace bandolier
