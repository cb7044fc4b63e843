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
  std::optional<double> b0;  // in squared rewards; nothing: 6 times that of the first ones

  // In units: a guess b0/(a0 − 1) that counts as much as 2·a0 rewards.
  InverseGamma in(const RewardUnit& unit) const {
    const double squared = b0.value_or(6 * unit.first_size() * unit.first_size());
    return {a0, squared / (unit.unit() * unit.unit())};
  }
};

inline const OptionTable<NoisePrior>& noise_prior_options() {
  static const OptionTable<NoisePrior> table = {
      {"a0", &NoisePrior::a0, "prior of the noise variance: inverse gamma shape", positive()},
      {"b0", &NoisePrior::b0,
       "prior of the noise variance: inverse gamma scale, in squared rewards; auto: 6 "
       "times the square of the first rewards' mean size",
       positive(), "auto"}};
  return table;
}

}  // namespace bandolier
