// Doubly robust (Dudík, Langford and Li 2011): the model's prediction, corrected by what weighted
// rewards say of its errors. Unbiased whatever the model, and little variance where it is good.
#include "bandolier/lab/evaluation/no_options.h"

namespace bandolier {
namespace {

// V = mean v + w (r − q)
double corrected(const LoggedRow& row, double) {
  return row.value + row.weight * (row.reward - row.predicted);
}

}  // namespace

EstimatorEntry dr_estimator() {
  return plain_estimator(
      "dr", "the model's prediction, its errors weighed; unbiased",
      [] { return std::make_unique<MeanEstimator>(corrected); },
      [](NamedEstimator& made) {
        made.needs.predictions = true;
        made.sequence = Sequence::kDoublyRobust;
      });
}

}  // namespace bandolier
