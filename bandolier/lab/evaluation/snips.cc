// Self-normalised inverse propensity scores (Swaminathan and Joachims 2015): rewards of any offset,
// far less variance than ips, a bias of O(1/n).
#include "bandolier/lab/evaluation/no_options.h"

namespace bandolier {
namespace {

class Snips : public Estimator {
 public:
  Index terms() const override { return 2; }
  void terms_of(const LoggedRow& row, std::span<double> out) const override {
    out[0] = row.weight * row.reward;
    out[1] = row.weight;
  }
  // V = Σ w r / Σ w
  double value(const Means& means, Index) const override { return means.of[0] / means.of[1]; }
};

}  // namespace

EstimatorEntry snips_estimator() {
  return plain_estimator(
      "snips", "ips over the mean weight; little variance",
      [] { return std::make_unique<Snips>(); },
      [](NamedEstimator& made) { made.of_weights = true; });
}

}  // namespace bandolier
