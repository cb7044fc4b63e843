// An extended Kalman filter over a head and its body (head_model.h, head_belief.h). The noise
// variance is inferred; covariances are in units of it. Rewards come in units of their size
// (reward_unit.h).
#pragma once

#include <limits>
#include <memory>
#include <span>

#include "bandolier/agent/head_belief.h"
#include "bandolier/belief/inverse_gamma.h"

namespace bandolier {

struct HeadFilterOptions {
  double prior_variance = 1;   // of every weight and coordinate, in units of the noise variance
  InverseGamma noise{3, 0.3};  // in units of the rewards' mean square
  double forgetting = 1;       // what old evidence counts after each reward
  // c of the weight c²/(c² + e²) on a reward's likelihood, e its error over the larger of the
  // deviation expected and the rewards' unit: what is rare for this context, but not for the
  // rewards as a whole, is no outlier. 0: weight 1. (Duran-Martin et al. 2024.)
  double robust = 0;
  // Most degrees of freedom of the Student-t that Step::log_predictive is of: its tails stay heavy.
  double degrees = std::numeric_limits<double>::infinity();
  bool joint = false;  // one covariance of body and heads
};

// Scratch of one caller beside the model's.
struct HeadFilterWork {
  Vector<float> z, phi, gradient;
  HeadDraw draw;
};

class HeadFilter {
 public:
  HeadFilter(std::shared_ptr<const HeadModel> model, const HeadFilterOptions& options);
  HeadFilter(const HeadFilter& other);
  HeadFilter(HeadFilter&&) = default;

  // What one reward told, in the filter's units.
  struct Step {
    double log_predictive = 0;  // log p(y) before it was seen
    double surprise = 0;        // e² over its expected value: 1 on average where calibrated
    bool accepted = true;       // false: the belief would not have stayed finite; nothing changed
  };

  // After model.bind(context, model_work).
  Step learn(Index action, double reward, HeadWork& model_work, HeadFilterWork& work);

  void mean(HeadWork& model_work, std::span<float> out) const;
  // The body's deviation is scaled by the smallest temperature, a head's by its action's own.
  void sample(Random& random, std::span<const float> temperature, HeadWork& model_work,
              HeadFilterWork& work, std::span<float> out) const;
  void deviation(HeadWork& model_work, HeadFilterWork& work, std::span<float> out) const;

  // The unit of rewards was multiplied by 1/factor: w ← factor·w is the same belief about them.
  void rescale(double factor);

  double noise_variance() const { return noise_.mean(); }
  std::size_t bytes() const { return sizeof noise_ + belief_->bytes(); }
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  void forget();

  std::shared_ptr<const HeadModel> model_;
  HeadFilterOptions options_;
  std::unique_ptr<HeadBelief> belief_;
  InverseGamma noise_;
};

}  // namespace bandolier
