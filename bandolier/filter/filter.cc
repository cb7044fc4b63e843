#include "bandolier/filter/filter.h"

#include <algorithm>
#include <cmath>

namespace bandolier {

template <class T>
Filter<T>::Filter(ParameterBelief<T> belief, const FilterOptions& options)
    : belief_(std::move(belief)), options_(options), noise_(options.noise) {
  if (noise_) options_.likelihood = Likelihood::gaussian(1);  // in units of σ²
}

template <class T>
typename Filter<T>::Step Filter<T>::weigh(T value, T q, T reward, T weight) const {
  const auto eta = static_cast<double>(value), y = static_cast<double>(reward);
  Step step;
  step.q = static_cast<double>(q);
  step.observation = options_.likelihood.observe(value, reward);
  step.error = y - options_.likelihood.response(eta);
  if (noise_) {
    const double s = 1 / static_cast<double>(weight) + step.q;
    step.variance = noise_->mean() * s;
    step.log_predictive = noise_->log_predictive(step.error, s, options_.degrees);
  } else {
    step.variance = options_.likelihood.reward_variance(eta, step.q);
    step.log_predictive =
        static_cast<double>(weight) * options_.likelihood.log_predictive(eta, step.q, y);
  }
  // A weight w on the log-likelihood: noise of variance σ²/w.
  const double c2 = options_.robust * options_.robust;
  step.weight = static_cast<double>(weight);
  if (c2 > 0) step.weight *= c2 / (c2 + step.error * step.error / std::max(step.variance, 1.0));
  const auto w = static_cast<T>(step.weight);
  step.observation.slope *= w;
  step.observation.curvature *= w;
  step.accepted = std::isfinite(step.log_predictive) && acceptable(step.observation, q);
  return step;
}

template <class T>
void Filter<T>::believe(const Step& step, const Linearised<T>& at, ParameterScratch<T>& scratch) {
  belief_.correct(at, step.observation, scratch);
  if (noise_) noise_->update(step.error, step.q, step.weight);
}

template <class T>
bool Filter<T>::learns_batches() const {
  return belief_.learns_batches() && options_.forgetting == 1 && options_.process_noise == 0;
}

template <class T>
void Filter<T>::believe(const Step& step, BatchUpdate<T>& batch, Index row, Index end) {
  batch.learn(row, end, step.observation);
  if (noise_) noise_->update(step.error, step.q, step.weight);
}

template <class T>
void Filter<T>::advance(ParameterScratch<T>& scratch) {
  if (options_.forgetting < 1) {
    belief_.forget(static_cast<T>(options_.forgetting), scratch);
    if (noise_) noise_->forget(options_.forgetting, *options_.noise);
  }
  if (options_.process_noise > 0) {
    belief_.add_process_noise(static_cast<T>(options_.process_noise / unit_variance()));
  }
}

template <class T>
void Filter<T>::restart(const ConstMatrixRef<T>& prior_means, const Filter& other) {
  if (noise_) noise_ = other.noise_;
  belief_.reset(prior_means);
}

// What was learnt of the noise is in the old unit, its prior is not.
template <class T>
void Filter<T>::rescale(double factor) {
  belief_.scale_rewards(static_cast<T>(factor));
  if (noise_) {
    const double b0 = options_.noise->b;
    noise_->b = b0 + (noise_->b - b0) * factor * factor;
  }
}

template <class T>
void Filter<T>::save(ArchiveWriter& out) const {
  belief_.save(out);
  if (noise_) noise_->save(out);
}

template <class T>
void Filter<T>::load(const ArchiveReader& in) {
  belief_.load(in);
  if (noise_) noise_->load(in);
}

template class Filter<float>;
template class Filter<double>;

}  // namespace bandolier
