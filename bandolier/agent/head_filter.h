// An extended Kalman filter over a head and its body (head_model.h): a full covariance for the
// body's coordinates z and one for each head, independent blocks; a reward updates the body and its
// action's head, each by the exact marginal of the joint update (square_root.h). The noise variance
// is inferred, one for all or one a head; covariances are in units of it.
//   choose   O(d² + K·h²)     observe   O(d² + h²)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bandolier/agent/head_model.h"
#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/inverse_gamma.h"

namespace bandolier {

struct HeadFilterOptions {
  double prior_variance = 1;   // of every weight and coordinate, in units of the noise variance
  InverseGamma noise{3, 0.3};  // in units of the rewards' variance
  bool noise_per_head = false;
  double forgetting = 1;  // what old evidence counts after each reward
  double robust = 0;  // c of the weight c²/(c² + e²) that a reward e deviations off gets; 0: 1
};

// Scratch of one caller beside the model's.
struct HeadFilterWork {
  Vector<float> z, noise, scratch, weights;
  Vector<float> phi, gradient;
};

class HeadFilter {
 public:
  HeadFilter(std::shared_ptr<const HeadModel> model, const HeadFilterOptions& options);

  // What one reward told, in the filter's units.
  struct Step {
    double log_predictive = 0;  // log p(y) before it was seen (Student-t)
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

  double noise_variance() const { return noise_.front().mean(); }
  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  GaussianFull<float>& head(Index action) {
    return heads_[static_cast<std::size_t>(model_->head_of(action))];
  }
  const GaussianFull<float>& head(Index action) const {
    return heads_[static_cast<std::size_t>(model_->head_of(action))];
  }
  std::size_t noise_index(Index action) const {
    return options_.noise_per_head ? static_cast<std::size_t>(model_->head_of(action)) : 0;
  }
  const Vector<float>& body_mean() const { return body_ ? body_->mean() : no_body_; }
  void forget();

  std::shared_ptr<const HeadModel> model_;
  HeadFilterOptions options_;
  std::optional<GaussianFull<float>> body_;
  Vector<float> no_body_;  // an empty z
  std::vector<GaussianFull<float>> heads_;
  std::vector<InverseGamma> noise_;
};

}  // namespace bandolier
