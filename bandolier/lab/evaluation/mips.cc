// Marginalised inverse propensity scores (Saito and Joachims 2022): weights of what actions are
// like, not of the actions, for hundreds of actions that share features.
#include "bandolier/lab/evaluation/no_options.h"

namespace bandolier {
namespace {

// V = mean w(e) r,  w(e) = Σ_{a like e} π(a) / Σ_{a like e} p(a)
double marginalised(const LoggedRow& row, double) { return row.marginal_weight * row.reward; }

}  // namespace

EstimatorEntry mips_estimator() {
  return plain_estimator(
      "mips", "ips over what actions are like, for many actions",
      [] { return std::make_unique<MeanEstimator>(marginalised); },
      [](NamedEstimator& made) { made.needs.marginal_weights = true; });
}

}  // namespace bandolier
