#include "bandolier/replay/regression_batch.h"

#include <cmath>

namespace bandolier {

void RegressionBatchScorer::mean(MatrixRef<float> out) {
  memory_.means.resize(static_cast<Index>(heads_.size()), memory_.x.cols());
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    memory_.means.row(static_cast<Index>(a)) = heads_[a].weights().mean().transpose();
  }
  out.noalias() = memory_.x * memory_.means.transpose();
  out *= static_cast<float>(unit_);
}

void RegressionBatchScorer::variances() {
  memory_.q.resize(static_cast<Index>(heads_.size()), memory_.x.rows());
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    float* row = memory_.q.row(static_cast<Index>(a)).data();
    heads_[a].weights().variances(memory_.x, memory_.projected,
                                  VectorMap<float>(row, memory_.x.rows()));
  }
}

void RegressionBatchScorer::sample(std::span<Random> random,
                                   const ConstMatrixRef<float>& temperature, MatrixRef<float> out) {
  mean(out);
  variances();
  for (std::size_t i = 0; i < random.size(); ++i) {
    const auto row = static_cast<Index>(i);
    for (std::size_t a = 0; a < heads_.size(); ++a) {
      const auto action = static_cast<Index>(a);
      const double variance =
          heads_[a].sample_noise_variance(random[i]) * static_cast<double>(memory_.q(action, row));
      out(row, action) += temperature(row, action) *
                          static_cast<float>(unit_ * std::sqrt(variance) * random[i].normal());
    }
  }
}

void RegressionBatchScorer::deviation(MatrixRef<float> out) {
  variances();
  for (std::size_t a = 0; a < heads_.size(); ++a) {
    const auto action = static_cast<Index>(a);
    const auto noise = static_cast<float>(unit_ * std::sqrt(heads_[a].noise_variance()));
    out.col(action) = noise * memory_.q.row(action).cwiseSqrt().transpose();
  }
}

}  // namespace bandolier
