// How a reward y arises from a predictor η: exponential families in their natural parameter, where
//   ∂ log p/∂η = (y − A′(η))/φ,   −E ∂² log p/∂η² = A″(η)/φ,
// with mean A′(η) and dispersion φ:
//   gaussian   A = η²/2,        φ = R (the noise variance)
//   bernoulli  A = log(1 + e^η), φ = 1, y ∈ {0, 1}
//   poisson    A = e^η,          φ = 1, y ∈ {0, 1, 2, ...}
// An observation so made is the exponential-family extended Kalman filter's (Ollivier 2018).
#pragma once

#include "bandolier/belief/belief.h"
#include "bandolier/core/words.h"

namespace bandolier {

class Likelihood {
 public:
  enum class Family { kGaussian, kBernoulli, kPoisson };

  // `noise_variance` counts for gaussian alone.
  static Likelihood make(Family family, double noise_variance = 1);
  static Likelihood gaussian(double noise_variance);
  static Likelihood bernoulli() { return Likelihood(Family::kBernoulli, 1); }
  static Likelihood poisson() { return Likelihood(Family::kPoisson, 1); }

  Family family() const { return family_; }

  // Throws Error, naming the reward, if this likelihood gives it no chance.
  void check(double reward) const;

  // A′(η): the expected reward.
  double response(double eta) const;

  // Slope and curvature of log p(y|η) at η.
  template <class T>
  Observation<T> observe(T eta, T reward) const;

  // What the expected reward gains as η grows: A″(η).
  double slope(double eta) const;

  // The variance of a reward whose predictor has mean η and variance q: φ(A″ + A″²q/φ), to first
  // order in q; exact for gaussian.
  double reward_variance(double eta, double q) const;

  double log_density(double eta, double reward) const;

  // log ∫ p(y|η) N(η; mean, q) dη: what the belief gave to a reward before seeing it. Closed form
  // for gaussian, else the trapezoidal rule on ±8 standard deviations (65 nodes), which converges
  // exponentially for integrands like this one.
  double log_predictive(double mean, double q, double reward) const;

 private:
  Likelihood(Family family, double dispersion) : family_(family), dispersion_(dispersion) {}

  Family family_;
  double dispersion_;
};

inline Words words_of(Likelihood::Family) {
  static constexpr std::string_view kWords[] = {"gaussian", "bernoulli", "poisson"};
  return kWords;
}

}  // namespace bandolier
