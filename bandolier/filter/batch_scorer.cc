#include "bandolier/filter/batch_scorer.h"

#include <cmath>

#include "bandolier/core/error.h"
#include "bandolier/policy/temperature.h"

namespace bandolier {

bool FilterBatchScorer::serves(const Predictor& predictor, FilterBatchScratch& memory) {
  const SubspaceModel<float>* model = predictor.batch_model();
  if (model == nullptr) return false;
  if (memory.bound == nullptr) memory.bound = model->make_batch_scratch();
  return memory.bound != nullptr;
}

FilterBatchScorer::FilterBatchScorer(const Predictor& predictor, const Filter<float>& filter,
                                     double unit, std::span<const Context> contexts,
                                     FilterBatchScratch& memory)
    : model_(*predictor.batch_model()), filter_(filter), unit_(unit), memory_(memory) {
  if (memory.prepared.size() < contexts.size()) memory.prepared.resize(contexts.size());
  memory.contexts.clear();
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    memory.contexts.push_back(predictor.prepare(contexts[i], memory.prepared[i]));
  }
  model_.bind_batch(memory.contexts, *memory.bound);
}

void FilterBatchScorer::mean(MatrixRef<float> out) {
  model_.predict_batch(filter_.belief().body_mean().transpose(), *memory_.bound, out);
  to_rewards(out);
}

// As one context at a time: at one temperature for all of a row's actions, then each action's
// deviation from f_a(μ) multiplied by its own over that.
void FilterBatchScorer::sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
                               MatrixRef<float> out) {
  Vector<float> common(out.rows());
  for (Index i = 0; i < out.rows(); ++i) {
    common[i] = common_temperature(temperature.row(i).minCoeff(), temperature.row(i).maxCoeff());
  }
  memory_.scale.resize(random.size());
  for (std::size_t i = 0; i < random.size(); ++i) {
    const double sigma = std::sqrt(filter_.sample_unit_variance(random[i]));
    memory_.scale[i] = static_cast<float>(sigma) * common[static_cast<Index>(i)];
  }
  memory_.z.resize(out.rows(), model_.dim());
  filter_.belief().draw_bodies(random, memory_.scale, memory_.noise, memory_.z);
  model_.predict_batch(memory_.z, *memory_.bound, out);
  memory_.mean_rewards.resizeLike(out);
  model_.predict_batch(filter_.belief().body_mean().transpose(), *memory_.bound,
                       memory_.mean_rewards);
  for (Index i = 0; i < out.rows(); ++i) {
    if (temperature.row(i).minCoeff() == temperature.row(i).maxCoeff()) continue;
    const auto mean = memory_.mean_rewards.row(i).array();
    out.row(i).array() =
        mean + temperature.row(i).array() / common[i] * (out.row(i).array() - mean);
  }
  to_rewards(out);
}

void FilterBatchScorer::deviation(MatrixRef<float> /*out*/) {
  fail("deviations of a batch: ask for one context after the other");
}

void FilterBatchScorer::to_rewards(MatrixRef<float> eta) const {
  eta = eta.unaryExpr([this](float value) {
    return static_cast<float>(unit_ * filter_.likelihood().response(static_cast<double>(value)));
  });
}

}  // namespace bandolier
