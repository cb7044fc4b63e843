// The prior of a regression's noise variance, σ² ~ IG(a0, b0), where rewards are seen in a unit
// that may change.
#pragma once

#include <optional>

#include "bandolier/belief/inverse_gamma.h"
#include "bandolier/core/options.h"
#include "bandolier/model/reward_unit.h"

namespace bandolier {

struct NoisePrior {
  double a0 = 6;
  std::optional<double> b0;  // in squared rewards; nothing: twice the square of the first unit

  // In units: a guess b0/(a0 − 1) that counts as much as 2·a0 rewards. It is no wider where rewards
  // turn out to be larger than the first ones were: what they are not worth is no noise.
  InverseGamma in(const RewardUnit& unit) const {
    const double squared = b0.value_or(2 * unit.first() * unit.first());
    return {a0, squared / (unit.unit() * unit.unit())};
  }
};

inline const OptionTable<NoisePrior>& noise_prior_options() {
  static const OptionTable<NoisePrior> table = {
      {"a0", &NoisePrior::a0, "prior of the noise variance: inverse gamma shape", positive()},
      {"b0", &NoisePrior::b0,
       "prior of the noise variance: inverse gamma scale, in squared rewards; auto: twice "
       "the square of the first rewards' unit",
       positive(), "auto"}};
  return table;
}

}  // namespace bandolier
