// Self-normalised doubly robust: dr whose correction is divided by the mean weight.
#include "bandolier/lab/evaluation/no_options.h"

namespace bandolier {
namespace {

class Sndr : public Estimator {
 public:
  Index terms() const override { return 3; }
  void terms_of(const LoggedRow& row, std::span<double> out) const override {
    out[0] = row.value;
    out[1] = row.weight * (row.reward - row.predicted);
    out[2] = row.weight;
  }
  // V = mean v + Σ w (r − q) / Σ w
  double value(const Means& means, Index) const override {
    return means.of[0] + means.of[1] / means.of[2];
  }
};

}  // namespace

EstimatorEntry sndr_estimator() {
  return plain_estimator(
      "sndr", "dr, its correction over the mean weight", [] { return std::make_unique<Sndr>(); },
      [](NamedEstimator& made) { made.needs.predictions = true; });
}

}  // namespace bandolier
