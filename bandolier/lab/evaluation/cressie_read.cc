// The empirical likelihood estimator of Karampatziakis, Langford and Mineiro (2020): the mean
// reward under the distribution nearest to the log's, by the Cressie–Read divergence of power −2,
// of those whose weights have mean 1. One unseen weight, an extreme one, is among its atoms.
#include <algorithm>
#include <cmath>

#include "bandolier/lab/evaluation/no_options.h"

namespace bandolier {
namespace {

class CressieRead : public Estimator {
 public:
  Index terms() const override { return 5; }
  void terms_of(const LoggedRow& row, std::span<double> out) const override {
    const double w = row.weight, r = row.reward;
    out[0] = w;
    out[1] = w * w;
    out[2] = w * r;
    out[3] = w * w * r;
    out[4] = r;
  }

  // Atom i has mass (α + β w_i)/(n + 1), where masses sum to 1 and weights to a mean of 1 once the
  // unseen atom is counted; what weight is missing then earns the log's mean reward.
  double value(const Means& means, Index) const override {
    const double n = means.rows;
    const double unseen = means.of[0] < 1 ? means.weights.high : means.weights.low;
    double alpha = (1 + n) / n, beta = 0;
    if (std::isfinite(unseen)) {
      const double a = (unseen + n * means.of[0]) / (1 + n);
      const double b = (unseen * unseen + n * means.of[1]) / (1 + n);
      const double variance = b - a * a;
      if (variance > 1e-12 * b) {
        alpha = (b - a) / variance;
        beta = (1 - a) / variance;
      }
    }
    const double share = n / (1 + n);
    const double seen = share * (alpha * means.of[0] + beta * means.of[1]);
    return share * (alpha * means.of[2] + beta * means.of[3]) +
           std::max(0.0, 1 - seen) * means.of[4];
  }
};

}  // namespace

EstimatorEntry cressie_read_estimator() {
  return plain_estimator(
      "cressie-read", "empirical likelihood; uses that weights have mean 1",
      [] { return std::make_unique<CressieRead>(); },
      [](NamedEstimator& made) { made.of_weights = true; });
}

}  // namespace bandolier
