#include "bandolier/agent/ekf_filter.h"

#include <cmath>

namespace bandolier {

template <class T>
EkfFilter<T>::EkfFilter(std::unique_ptr<Belief<T>> belief, const Likelihood& likelihood,
                        const FilterDynamics& dynamics)
    : belief_(std::move(belief)), likelihood_(likelihood), dynamics_(dynamics) {}

template <class T>
EkfFilter<T>::EkfFilter(std::unique_ptr<Belief<T>> belief, const InverseGamma& noise,
                        const FilterDynamics& dynamics)
    : belief_(std::move(belief)),
      likelihood_(Likelihood::gaussian(1)),
      noise_(noise),
      b0_(noise.b),
      dynamics_(dynamics) {}

template <class T>
EkfFilter<T>::EkfFilter(const EkfFilter& other)
    : belief_(other.belief_->clone()),
      likelihood_(other.likelihood_),
      noise_(other.noise_),
      b0_(other.b0_),
      dynamics_(other.dynamics_) {}

template <class T>
EkfFilter<T>& EkfFilter<T>::operator=(const EkfFilter& other) {
  return *this = EkfFilter(other);
}

template <class T>
typename EkfFilter<T>::Step EkfFilter<T>::update(T eta, const ConstVectorRef<T>& g, T y) {
  if (dynamics_.process_noise > 0) {
    const double unit = noise_ ? noise_->mean() : 1;
    belief_->add_process_noise(static_cast<T>(dynamics_.process_noise / unit));
  }
  if (dynamics_.forgetting < 1) belief_->forget(static_cast<T>(dynamics_.forgetting));

  const Observation<T> observation = likelihood_.observe(eta, y);
  const Innovation<T> innovation = belief_->update(g, observation);
  Step step;
  step.accepted = innovation.accepted;
  // With V = 1/R (gaussian) this is R + q; in general V(1 + Vq) is the variance of y.
  const bool gaussian = likelihood_.family() == Likelihood::Family::kGaussian;
  const T v = observation.curvature;
  step.error = y - static_cast<T>(likelihood_.response(static_cast<double>(eta)));
  step.variance = gaussian ? 1 / v + innovation.variance : v * (1 + v * innovation.variance);
  if (noise_ && step.accepted) {
    noise_->update(static_cast<double>(step.error), static_cast<double>(step.variance));
  }
  return step;
}

template <class T>
double EkfFilter<T>::log_predictive(T eta, T q, T y) const {
  const auto mean = static_cast<double>(eta), variance = static_cast<double>(q);
  const auto reward = static_cast<double>(y);
  if (noise_) return noise_->log_predictive(reward - mean, 1 + variance);
  return likelihood_.log_predictive(mean, variance, reward);
}

template <class T>
void EkfFilter<T>::sample(Random& random, T temperature, Vector<T>& noise, VectorRef<T> z) const {
  const double sigma = noise_ ? std::sqrt(noise_->sample(random)) : 1;
  belief_->sample(random, static_cast<T>(sigma) * temperature, noise, z);
}

template <class T>
void EkfFilter<T>::sample_batch(std::span<Random> random, std::span<T> scale, Matrix<T>& noise,
                                MatrixRef<T> z) const {
  for (std::size_t i = 0; noise_ && i < random.size(); ++i) {
    scale[i] *= static_cast<T>(std::sqrt(noise_->sample(random[i])));
  }
  belief_->sample_batch(random, scale, noise, z);
}

template <class T>
T EkfFilter<T>::deviation(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  const double unit = noise_ ? noise_->mean() : 1;
  return static_cast<T>(std::sqrt(unit)) * std::sqrt(belief_->variance(g, scratch));
}

template <class T>
void EkfFilter<T>::rescale(T factor) {
  belief_->scale_mean(factor);
  if (noise_) {
    noise_->b = b0_ + (noise_->b - b0_) * static_cast<double>(factor) * static_cast<double>(factor);
  }
}

template <class T>
std::size_t EkfFilter<T>::bytes() const {
  return belief_->bytes() + (noise_ ? 2 * sizeof(double) : 0);
}

template <class T>
void EkfFilter<T>::save(ArchiveWriter& out) const {
  belief_->save(out);
  if (noise_) noise_->save(out);
}

template <class T>
void EkfFilter<T>::load(ArchiveReader& in) {
  belief_->load(in);
  if (noise_) noise_->load(in);
}

template class EkfFilter<float>;
template class EkfFilter<double>;

}  // namespace bandolier
