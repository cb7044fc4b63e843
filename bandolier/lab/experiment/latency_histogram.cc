#include "bandolier/lab/experiment/latency_histogram.h"

#include <algorithm>
#include <cmath>

namespace bandolier {

void LatencyHistogram::add(double seconds) {
  const double bucket = std::log(std::max(seconds, kFirst) / kFirst) / std::log(kRatio);
  const auto last = static_cast<double>(buckets_.size() - 1);
  ++buckets_[static_cast<std::size_t>(std::min(bucket, last))];
  ++count_;
}

double LatencyHistogram::quantile(double q) const {
  const auto rank = static_cast<std::int64_t>(std::ceil(q * static_cast<double>(count_)));
  std::int64_t below = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    below += buckets_[i];
    if (below > 0 && below >= rank) {
      return kFirst * std::pow(kRatio, static_cast<double>(i) + 0.5);
    }
  }
  return 0;
}

}  // namespace bandolier
