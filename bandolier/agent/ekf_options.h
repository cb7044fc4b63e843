// What can be set of the extended Kalman filters over a network's weights: `ekf` in the original
// space, `subspace-ekf` in a subspace of it.
#pragma once

#include "bandolier/belief/likelihood.h"
#include "bandolier/nn/training.h"
#include "bandolier/policy/policy.h"
#include "bandolier/subspace/basis.h"

namespace bandolier {

// What the two have in common. Rewards are seen in units of their spread (reward_unit.h), so that
// the same values serve rewards of any size.
struct EkfOptions : PolicyOptions, TrainingOptions {
  EkfOptions() { temperature_pulls = 20; }

  std::string model = "mlp:50";
  std::string encoding = "multi-head";
  std::string covariance = "full";
  std::int64_t rank = 10;  // low-rank: directions of the precision beside its diagonal
  Likelihood::Family likelihood = Likelihood::Family::kGaussian;

  // auto: such that the prior predictive variance of a reward, averaged over the warm-up's pulls,
  // is `prior_predictive` times the noise variance.
  std::optional<double> prior_variance;
  double prior_predictive = 5;

  // auto: inferred, σ² ~ IG(noise_a0, noise_b0) in units of the rewards' variance: a prior guess of
  // b0/(a0 − 1) that counts as much as 2·a0 rewards.
  std::optional<double> noise_variance;
  double noise_a0 = 3;
  double noise_b0 = 0.3;

  double process_noise = 0;
  double forgetting = 1;
  std::optional<double> reward_unit;  // auto: the rewards' spread where noise_variance=auto, else 1
  std::string offset = "auto";        // auto: sgd for basis=svd, else random
  bool filter_warmup = true;

  // auto: for a random offset. The predictor is then f(θ(z)) − f(θ*): what the initial weights
  // happen to say is no part of it, and nothing has to be unlearnt.
  std::string centre = "auto";
};
const OptionTable<EkfOptions>& ekf_options();

struct SubspaceEkfOptions : EkfOptions {
  BasisKind basis = BasisKind::kRankOne;
  BasisPrecision precision = BasisPrecision::kFloat;  // of a basis that is stored (gaussian, svd)
  std::optional<double> dim;  // a number; below 1, for svd, a share of the iterates' variance
  std::int64_t thinning = 2;  // svd: every how many-th iterate is kept

  // full: the last layer's weights as they are, one block an action, beside the subspace of the
  // layers before it (subspace_head.h).
  std::string head = "subspace";
  bool skip = false;   // head=full: fed from the input and every stage
  bool joint = false;  // head=full: one covariance of head and body
};
const OptionTable<SubspaceEkfOptions>& subspace_ekf_options();

// Throws Error where options do not go together.
void check(const SubspaceEkfOptions& options);

}  // namespace bandolier
