// The direct method: what the reward model predicts, and nothing else. As biased as the model.
#include "bandolier/lab/evaluation/no_options.h"

namespace bandolier {
namespace {

// V = mean v
double predicted(const LoggedRow& row, double) { return row.value; }

}  // namespace

EstimatorEntry dm_estimator() {
  return plain_estimator(
      "dm", "what the reward model predicts; as biased as it is",
      [] { return std::make_unique<MeanEstimator>(predicted); },
      [](NamedEstimator& made) { made.needs.predictions = true; });
}

}  // namespace bandolier
