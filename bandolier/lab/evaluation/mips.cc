// Marginalised inverse propensity scores (Saito and Joachims 2022): weights of what actions are
// like, not of the actions, for hundreds of actions that share features.
#include "bandolier/lab/evaluation/estimators.h"

namespace bandolier {
namespace {

struct MipsOptions {
  std::string features;
};

const OptionTable<MipsOptions>& mips_options() {
  static const OptionTable<MipsOptions> table = {
      {"features", &MipsOptions::features,
       "what actions are alike by, with / between them; empty: all features that they have"}};
  return table;
}

// V = mean w(e) r,  w(e) = Σ_{a like e} π(a) / Σ_{a like e} p(a)
double marginalised(const LoggedRow& row, double) { return row.marginal_weight * row.reward; }

}  // namespace

EstimatorEntry mips_estimator() {
  return {"mips", "ips over what actions are like, for many actions", mips_options().docs(),
          [](const OptionTexts& texts) {
            const MipsOptions options = mips_options().parse("estimator 'mips'", texts);
            NamedEstimator made;
            made.estimator = std::make_unique<MeanEstimator>(marginalised);
            made.needs.marginal_weights = true;
            if (!options.features.empty()) made.needs.features = split(options.features, '/');
            return made;
          }};
}

}  // namespace bandolier
