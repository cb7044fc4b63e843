#include "bandolier/replay/regression_scorer.h"

#include <cmath>

namespace bandolier {

void RegressionScorer::mean(std::span<float> out) {
  for (std::size_t a = 0; a < heads_.size(); ++a) out[a] = x_.dot(heads_[a].weights().mean());
}

void RegressionScorer::sample(Random& random, std::span<const float> temperature,
                              std::span<float> out) {
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    const auto prediction = heads_[a].predict(x_, work_);
    const double variance =
        heads_[a].sample_noise_variance(random) * static_cast<double>(prediction.q);
    out[a] = prediction.mean +
             temperature[a] * static_cast<float>(std::sqrt(variance) * random.normal());
  }
}

bool RegressionScorer::normals(Random& random, std::span<const float> temperature,
                               std::span<float> mean, std::span<float> deviation) {
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    const auto prediction = heads_[a].predict(x_, work_);
    const double variance =
        heads_[a].sample_noise_variance(random) * static_cast<double>(prediction.q);
    mean[a] = prediction.mean;
    deviation[a] = temperature[a] * static_cast<float>(std::sqrt(variance));
  }
  return true;
}

void RegressionScorer::deviation(std::span<float> out) {
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    const auto q = static_cast<double>(heads_[a].weights().variance(x_, work_));
    out[a] = static_cast<float>(std::sqrt(heads_[a].noise_variance() * q));
  }
}

}  // namespace bandolier
