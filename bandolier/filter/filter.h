// The one extended Kalman filter (sections 3.4 and A.5): a belief about a predictor's parameters,
// what is known of the noise, how both change with time, and how far a reward is believed. Every
// agent with a Kalman filter learns here. It knows nothing of networks: a reward enters with its
// predictor's value η and gradients at the belief's mean.
//
//   noise known      y ~ p(y|η) of an exponential family (likelihood.h); P is a covariance
//   noise inferred   y ~ N(η, σ²), σ² ~ IG(a, b), parameters given σ² ~ N(μ, σ²P): the recursion of
//                    A.1.2 for an unknown variance, with the linearised predictor; P is in units
//                    of σ²
// A reward is weighed first and believed afterwards, so that one which is refused leaves no trace.
#pragma once

#include <limits>
#include <optional>

#include "bandolier/belief/inverse_gamma.h"
#include "bandolier/belief/likelihood.h"
#include "bandolier/filter/parameter_belief.h"

namespace bandolier {

struct FilterOptions {
  Likelihood likelihood = Likelihood::gaussian(1);
  std::optional<InverseGamma>
      noise;  // prior of an inferred variance; the likelihood is then gaussian

  double forgetting = 1;     // what old evidence counts after each reward, that of the noise too
  double process_noise = 0;  // variance that a parameter gains per reward, in units of rewards²

  // c of the weight w = c²/(c² + e²) on a reward's log-likelihood, e its error over the larger of
  // the deviation expected and 1, the rewards' unit: what is rare for this context, but not for
  // rewards as a whole, is no outlier. 0: weight 1. (Duran-Martin et al. 2024.)
  double robust = 0;

  // Most degrees of freedom of the Student-t that Step::log_predictive is of: its tails stay heavy.
  double degrees = std::numeric_limits<double>::infinity();
};

template <class T>
class Filter {
 public:
  Filter(ParameterBelief<T> belief, const FilterOptions& options);

  // What one reward tells.
  struct Step {
    double log_predictive = 0;  // log p(y) before it was seen
    double error = 0;           // e = y − E y
    double variance = 0;        // of e, as expected: σ²(1 + q) where the noise is inferred
    double q = 0;               // of the predictor, in units of P
    double weight = 1;          // w: the reward's own, times that of an outlier
    bool accepted = true;       // false: the belief would not stay finite
    Observation<T> observation;
  };

  // Before the reward is believed. `scratch` keeps what believe needs.
  // It counts `weight` times: noise of variance σ²/weight.
  Step weigh(const Linearised<T>& at, T reward, ParameterScratch<T>& scratch, T weight = 1) const {
    return weigh(at.value, belief_.project(at, scratch), reward, weight);
  }

  // Learns from the reward last weighed with this scratch, which was accepted:
  //   s = 1 + wVq,  μ ← μ + P g w l/s,  P ← P − (wV/s) P g gᵀ P,
  //   a ← a + w/2,  b ← b + w e²/(2(1 + wq)).
  void believe(const Step& step, const Linearised<T>& at, ParameterScratch<T>& scratch);

  // Many rewards at once, where the belief can and no time passes between them: the head's rows of
  // `batch` that are wanted are projected; each is weighed and believed in its turn, and changes
  // the rows up to `end`; then the belief is written. Equal, but for round-off, to one after the
  // other.
  bool learns_batches() const;
  void project(BatchUpdate<T>& batch, Index head, BatchRows rows) const {
    belief_.full_head(head)->project(batch, rows);
  }
  Step weigh(const BatchUpdate<T>& batch, Index row, T reward) const {
    return weigh(batch.value(row), batch.q(row), reward, 1);
  }
  void believe(const Step& step, BatchUpdate<T>& batch, Index row, Index end);
  void correct(BatchUpdate<T>& batch, Index head, BatchRows rows, BatchScratch<T>& scratch) {
    belief_.full_head(head)->correct(batch, rows, scratch);
  }

  // The time from one reward to the next: old evidence counts less, P ← P + process noise.
  void advance(ParameterScratch<T>& scratch);

  const ParameterBelief<T>& belief() const { return belief_; }
  const Likelihood& likelihood() const { return options_.likelihood; }
  const std::optional<InverseGamma>& noise() const { return noise_; }

  // The factor from P to the parameters' covariance: E σ², or 1 where the noise is known.
  double unit_variance() const { return noise_ ? noise_->mean() : 1; }
  double sample_unit_variance(Random& random) const { return noise_ ? noise_->sample(random) : 1; }

  // Back to the prior of the parameters, `prior_means` those of the heads; but what another filter
  // has learnt of the noise is known.
  void restart(const ConstMatrixRef<T>& prior_means, const Filter& other);

  // The unit of rewards was multiplied by 1/factor.
  void rescale(double factor);

  std::size_t bytes() const { return belief_.bytes() + (noise_ ? sizeof *noise_ : 0); }
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  // A reward whose predictor is `value` with the variance q.
  Step weigh(T value, T q, T reward, T weight) const;

  ParameterBelief<T> belief_;
  FilterOptions options_;
  std::optional<InverseGamma> noise_;
};

}  // namespace bandolier
