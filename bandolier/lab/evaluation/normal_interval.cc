#include "bandolier/lab/evaluation/normal_interval.h"

#include <algorithm>
#include <cmath>

namespace bandolier {

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  double low = -40, high = 0;
  for (int i = 0; i < 100 && high - low > 1e-14 * -low; ++i) {
    const double middle = (low + high) / 2;
    (normal_distribution(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double deviation(const Estimator& estimator, Index choice, const TermMoments& moments,
                 const WeightBounds& weights) {
  std::vector<double> means = moments.means();
  const auto value = [&] {
    return estimator.value({means, moments.effective_rows(), weights}, choice);
  };
  std::vector<double> gradient(means.size());
  for (std::size_t j = 0; j < means.size(); ++j) {
    const auto place = static_cast<Index>(j);
    const double spread = std::sqrt(std::max(0.0, moments.covariance(place, place)));
    if (!(spread > 0)) continue;  // a constant adds no variance
    const double mean = means[j];
    const double step = std::max(1e-2 * spread, 1e-7 * std::abs(mean));
    means[j] = mean + step;
    const double above = value();
    means[j] = mean - step;
    gradient[j] = (above - value()) / (2 * step);
    means[j] = mean;
  }
  double variance = 0;
  for (std::size_t j = 0; j < means.size(); ++j) {
    for (std::size_t k = 0; k < means.size(); ++k) {
      if (gradient[j] == 0 || gradient[k] == 0) continue;
      variance += gradient[j] * gradient[k] *
                  moments.covariance(static_cast<Index>(j), static_cast<Index>(k));
    }
  }
  return std::sqrt(std::max(0.0, variance));
}

Interval normal_interval(const Estimator& estimator, Index choice, const TermMoments& moments,
                         const WeightBounds& weights, double level) {
  if (moments.rows() < 2) return {};
  const double value =
      estimator.value({moments.means(), moments.effective_rows(), weights}, choice);
  const double half =
      normal_quantile(0.5 + level / 2) * deviation(estimator, choice, moments, weights);
  return {value - half, value + half};
}

}  // namespace bandolier
