#include "bandolier/lab/env/standardise.h"

#include <cmath>

namespace bandolier {

void Scaling::apply(std::span<float> row) const {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto feature = static_cast<Index>(i);
    const double scaled = (static_cast<double>(row[i]) - mean[feature]) * inverse_sd[feature];
    row[i] = std::isnan(row[i]) ? 0.0f : static_cast<float>(scaled);
  }
}

void Moments::add(std::span<const float> row) {
  ++rows_;
  features_.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isnan(row[i])) features_[i].add(static_cast<double>(row[i]));
  }
}

Scaling Moments::scaling() const {
  const auto size = static_cast<Index>(features_.size());
  Scaling scaling{Vector<double>::Zero(size), Vector<double>::Zero(size)};
  for (Index i = 0; i < size; ++i) {
    const RunningMoments& feature = features_[static_cast<std::size_t>(i)];
    const double variance = feature.squares / static_cast<double>(rows_);
    scaling.mean[i] = feature.mean;
    if (variance > 0) scaling.inverse_sd[i] = 1 / std::sqrt(variance);
  }
  return scaling;
}

}  // namespace bandolier
