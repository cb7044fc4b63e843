// The prior of a regression's noise variance, σ² ~ IG(a0, b0), where rewards are seen in a unit
// that may change.
#pragma once

#include <optional>

#include "bandolier/belief/inverse_gamma.h"
#include "bandolier/core/options.h"

namespace bandolier {

struct NoisePrior {
  double a0 = 6;
  std::optional<double> b0;  // in squared rewards; nothing: half a squared unit

  // In units: a guess b0/(a0 − 1) that counts as much as 2·a0 rewards.
  InverseGamma in(double unit) const { return {a0, b0 ? *b0 / (unit * unit) : 0.5}; }
};

inline const OptionTable<NoisePrior>& noise_prior_options() {
  static const OptionTable<NoisePrior> table = {
      {"a0", &NoisePrior::a0, "prior of the noise variance: inverse gamma shape", positive()},
      {"b0", &NoisePrior::b0,
       "prior of the noise variance: inverse gamma scale, in squared rewards; auto: half the "
       "square of reward_unit",
       positive(), "auto"}};
  return table;
}

}  // namespace bandolier
