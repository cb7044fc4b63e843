// Doubly robust with optimistic shrinkage (Su, Dimakopoulou, Krishnamurthy and Dudík 2020): dr with
// weights that fall again where they are too large to be of use.
#include <cmath>

#include "bandolier/lab/evaluation/estimators.h"

namespace bandolier {
namespace {

struct DrosOptions {
  std::optional<double> lambda;
};

const OptionTable<DrosOptions>& dros_options() {
  static const OptionTable<DrosOptions> table = {
      {"lambda", &DrosOptions::lambda, "0 is dm, infinity dr; weights are largest at its root",
       non_negative(), "slope"}};
  return table;
}

// V = mean v + ŵ (r − q),  ŵ = λ w / (w² + λ)
double shrunk(const LoggedRow& row, double lambda) {
  const double w = row.weight;
  const double weight = std::isinf(lambda) ? w : w > 0 ? lambda * w / (w * w + lambda) : 0;
  return row.value + weight * (row.reward - row.predicted);
}

// λ = 10 τ²: a weight of τ loses a tenth.
std::vector<double> candidates() {
  std::vector<double> lambdas = weight_thresholds();
  for (double& lambda : lambdas) lambda *= 10 * lambda;
  return lambdas;
}

}  // namespace

EstimatorEntry dros_estimator() {
  return {"dros", "dr with weights shrunk where they are large", dros_options().docs(),
          [](const OptionTexts& texts) {
            const DrosOptions options = dros_options().parse("estimator 'dros'", texts);
            NamedEstimator made;
            made.estimator = std::make_unique<MeanEstimator>(
                shrunk, "lambda",
                options.lambda ? std::vector<double>{*options.lambda} : candidates());
            made.needs.predictions = true;
            return made;
          }};
}

}  // namespace bandolier
