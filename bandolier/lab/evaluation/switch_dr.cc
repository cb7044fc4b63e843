// Switch-DR (Wang, Agarwal and Dudík 2017): dr where the weight is small, dm elsewhere.
#include "bandolier/lab/evaluation/estimators.h"

namespace bandolier {
namespace {

struct SwitchOptions {
  std::optional<double> tau;
};

const OptionTable<SwitchOptions>& switch_options() {
  static const OptionTable<SwitchOptions> table = {
      {"tau", &SwitchOptions::tau, "the largest weight that is used", non_negative(), "slope"}};
  return table;
}

// V = mean v + 1(w ≤ τ) w (r − q)
double switched(const LoggedRow& row, double tau) {
  return row.value + (row.weight <= tau ? row.weight * (row.reward - row.predicted) : 0);
}

}  // namespace

EstimatorEntry switch_dr_estimator() {
  return {"switch-dr", "dr where the weight is at most tau, dm elsewhere", switch_options().docs(),
          [](const OptionTexts& texts) {
            const SwitchOptions options = switch_options().parse("estimator 'switch-dr'", texts);
            NamedEstimator made;
            made.estimator = std::make_unique<MeanEstimator>(
                switched, "tau",
                options.tau ? std::vector<double>{*options.tau} : weight_thresholds());
            made.needs.predictions = true;
            return made;
          }};
}

}  // namespace bandolier
