#include "bandolier/lab/env/standardise.h"

#include <cmath>

namespace bandolier {

void Scaling::apply(std::span<float> row) const {
  VectorMap<float> x(row.data(), static_cast<Index>(row.size()));
  x = ((x.cast<double>() - mean).array() * inverse_sd.array()).cast<float>();
}

void Moments::add(std::span<const float> row) {
  const ConstVectorMap<float> x(row.data(), static_cast<Index>(row.size()));
  if (count_++ == 0) {
    shift_ = x.cast<double>();
    sum_ = Vector<double>::Zero(x.size());
    squares_ = Vector<double>::Zero(x.size());
    return;
  }
  for (Index i = 0; i < x.size(); ++i) {
    const double difference = static_cast<double>(x[i]) - shift_[i];
    sum_[i] += difference;
    squares_[i] += difference * difference;
  }
}

Scaling Moments::scaling() const {
  const double n = static_cast<double>(count_);
  Scaling scaling{shift_ + sum_ / n, Vector<double>::Zero(shift_.size())};
  for (Index i = 0; i < shift_.size(); ++i) {
    const double variance = squares_[i] / n - (sum_[i] / n) * (sum_[i] / n);
    if (variance > 0) scaling.inverse_sd[i] = 1 / std::sqrt(variance);
  }
  return scaling;
}

}  // namespace bandolier
