#include "bandolier/agent/ekf_batch.h"

#include "bandolier/core/error.h"

namespace bandolier {

void EkfBatchScorer::mean(MatrixRef<float> out) {
  model_.predict_batch(filter_.mean().transpose(), *memory_.bound, out);
  to_rewards(out);
}

// As one context at a time: at the row's smallest temperature, then each action's deviation from
// f_a(μ) enlarged by its own over that.
void EkfBatchScorer::sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
                            MatrixRef<float> out) {
  const Vector<float> low = temperature.rowwise().minCoeff();
  memory_.scale.assign(low.begin(), low.end());
  memory_.z.resize(out.rows(), model_.dim());
  filter_.sample_batch(random, memory_.scale, memory_.noise, memory_.z);
  model_.predict_batch(memory_.z, *memory_.bound, out);
  memory_.mean_rewards.resizeLike(out);
  model_.predict_batch(filter_.mean().transpose(), *memory_.bound, memory_.mean_rewards);
  for (Index i = 0; i < out.rows(); ++i) {
    if (low[i] == 0 || temperature.row(i).maxCoeff() == low[i]) continue;
    const auto mean = memory_.mean_rewards.row(i).array();
    out.row(i).array() = mean + temperature.row(i).array() / low[i] * (out.row(i).array() - mean);
  }
  to_rewards(out);
}

void EkfBatchScorer::deviation(MatrixRef<float> /*out*/) {
  fail("deviations of a batch: ask for one context after the other");
}

void EkfBatchScorer::to_rewards(MatrixRef<float> eta) const {
  eta = eta.unaryExpr([this](float value) {
    return unit_ * static_cast<float>(filter_.likelihood().response(static_cast<double>(value)));
  });
}

}  // namespace bandolier
