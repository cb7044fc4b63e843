#include "bandolier/lab/env/standardise.h"

#include <cmath>

namespace bandolier {

FeatureSchema standardised(FeatureSchema schema, const Scaling& scaling) {
  auto mean = scaling.mean.begin(), inverse = scaling.inverse_sd.begin();
  for (FeatureColumn& column : schema.columns) {
    column.mean.assign(mean, mean + column.features());
    column.inverse_deviation.assign(inverse, inverse + column.features());
    mean += column.features();
    inverse += column.features();
  }
  return schema;
}

void Moments::add(std::span<const double> row) {
  ++rows_;
  features_.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isnan(row[i])) features_[i].add(row[i]);
  }
}

Scaling Moments::scaling() const {
  Scaling scaling;
  for (const RunningMoments& feature : features_) {
    const double variance = feature.squares / static_cast<double>(rows_);
    scaling.mean.push_back(feature.mean);
    scaling.inverse_sd.push_back(variance > 0 ? 1 / std::sqrt(variance) : 0);
  }
  return scaling;
}

}  // namespace bandolier
