// The extended Kalman filter about a predictor's coordinates z (sections 3.4 and A.5): a Gaussian
// belief, what is known of the noise, and how both change with time. It knows nothing of networks:
// a reward enters with its predictor's value η and gradient g at the belief's mean.
//
//   noise known      y ~ p(y|η) of an exponential family (likelihood.h); P is z's covariance
//   noise inferred   y ~ N(η, σ²), σ² ~ IG(a, b), z|σ² ~ N(μ, σ²P): the unknown-variance recursion
//   of
//                    A.1.2 with the linearised predictor; P is in units of σ²
// Time passes before each reward: P ← P + qI, and old evidence is forgotten towards the prior.
#pragma once

#include <memory>
#include <optional>

#include "bandolier/belief/belief.h"
#include "bandolier/belief/inverse_gamma.h"
#include "bandolier/belief/likelihood.h"

namespace bandolier {

struct FilterDynamics {
  double process_noise = 0;  // variance that a coordinate gains per reward
  double forgetting = 1;     // what old evidence counts after each reward
};

template <class T>
class EkfFilter {
 public:
  // What one reward told: the innovation e = y − E y and its variance before the reward was seen.
  struct Step {
    T error = 0;
    T variance = 0;
    bool accepted = true;  // false: the belief would not have stayed finite; nothing was learnt
  };

  EkfFilter(std::unique_ptr<Belief<T>> belief, const Likelihood& likelihood,
            const FilterDynamics& dynamics = {});
  EkfFilter(std::unique_ptr<Belief<T>> belief, const InverseGamma& noise,
            const FilterDynamics& dynamics = {});
  EkfFilter(const EkfFilter& other);
  EkfFilter& operator=(const EkfFilter& other);
  EkfFilter(EkfFilter&&) = default;
  EkfFilter& operator=(EkfFilter&&) = default;

  const Belief<T>& belief() const { return *belief_; }
  const Vector<T>& mean() const { return belief_->mean(); }
  const Likelihood& likelihood() const { return likelihood_; }
  // E σ² where it is inferred.
  const std::optional<InverseGamma>& noise() const { return noise_; }

  // Learns from reward y. With inferred noise `variance` is in units of σ². As costly as the
  // belief's update.
  Step update(T eta, const ConstVectorRef<T>& g, T y);

  // log p(y) before it is seen, for a predictor of value eta and variance q (in units of P).
  double log_predictive(T eta, T q, T y) const;

  // z̃ ~ N(μ, τ²·cov z), cov z = P or, with σ̃² drawn first, σ̃²P.
  void sample(Random& random, T temperature, Vector<T>& noise, VectorRef<T> z) const;

  // Row i of z is what sample gives with random[i] and scale[i] for a temperature; scale is left
  // multiplied by σ̃.
  void sample_batch(std::span<Random> random, std::span<T> scale, Matrix<T>& noise,
                    MatrixRef<T> z) const;

  // √(gᵀ cov z g), with E σ² for inferred noise.
  T deviation(const ConstVectorRef<T>& g, Vector<T>& scratch) const;

  // The unit in which rewards are given was multiplied by 1/factor: for a predictor that is linear
  // in z and 0 at z = 0 the belief about it is that of μ ← factor·μ, b − b0 ← factor²(b − b0).
  void rescale(T factor);

  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  std::unique_ptr<Belief<T>> belief_;
  Likelihood likelihood_;
  std::optional<InverseGamma> noise_;
  double b0_ = 0;  // b before any reward
  FilterDynamics dynamics_;
};

}  // namespace bandolier
