// Inverse propensity scores (Horvitz and Thompson 1952): unbiased; weights may be clipped.
#include <algorithm>

#include "bandolier/lab/evaluation/estimators.h"

namespace bandolier {
namespace {

struct IpsOptions {
  std::optional<double> clip;
};

const OptionTable<IpsOptions>& ips_options() {
  static const OptionTable<IpsOptions> table = {
      {"clip", &IpsOptions::clip, "the largest weight: biased towards 0, less variance", positive(),
       "none"}};
  return table;
}

// V = mean min(w, clip) r
double clipped(const LoggedRow& row, double clip) {
  return std::min(row.weight, clip) * row.reward;
}

}  // namespace

EstimatorEntry ips_estimator() {
  return {"ips", "rewards over their propensities; unbiased", ips_options().docs(),
          [](const OptionTexts& texts) {
            const IpsOptions options = ips_options().parse("estimator 'ips'", texts);
            NamedEstimator made;
            made.estimator = std::make_unique<MeanEstimator>(
                clipped, options.clip.value_or(std::numeric_limits<double>::infinity()));
            made.sequence = options.clip ? Sequence::kNone : Sequence::kWeights;
            made.of_weights = !options.clip;
            return made;
          }};
}

}  // namespace bandolier
