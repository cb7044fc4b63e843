#include "bandolier/replay/regression_scorer.h"

#include <cmath>

namespace bandolier {

void RegressionScorer::mean(std::span<float> out) {
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    out[a] = static_cast<float>(unit_) * x_.dot(heads_[a].weights().mean());
  }
}

RegressionScorer::Normal RegressionScorer::draw(std::size_t head, Random& random) {
  const auto prediction = heads_[head].predict(x_, work_);
  const double variance =
      heads_[head].sample_noise_variance(random) * static_cast<double>(prediction.q);
  return {static_cast<float>(unit_) * prediction.mean, unit_ * std::sqrt(variance)};
}

void RegressionScorer::sample(Random& random, std::span<const float> temperature,
                              std::span<float> out) {
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    const Normal score = draw(a, random);
    out[a] = score.mean + temperature[a] * static_cast<float>(score.deviation * random.normal());
  }
}

bool RegressionScorer::normals(Random& random, std::span<const float> temperature,
                               std::span<float> mean, std::span<float> deviation) {
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    const Normal score = draw(a, random);
    mean[a] = score.mean;
    deviation[a] = temperature[a] * static_cast<float>(score.deviation);
  }
  return true;
}

void RegressionScorer::deviation(std::span<float> out) {
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    const auto q = static_cast<double>(heads_[a].weights().variance(x_, work_));
    out[a] = static_cast<float>(unit_ * std::sqrt(heads_[a].noise_variance() * q));
  }
}

}  // namespace bandolier
