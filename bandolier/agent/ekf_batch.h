// What an extended Kalman filter over z says of many contexts at once: the samples of z and the
// rewards at them as matrix products. Scores are the same as one context at a time gives, up to the
// order of summation.
#pragma once

#include <memory>
#include <vector>

#include "bandolier/agent/ekf_filter.h"
#include "bandolier/policy/policy.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {

// The caller's memory.
struct EkfBatch {
  std::unique_ptr<BoundScratch> bound;  // to the contexts; null where the model takes no batches
  BatchScores scores;
  Matrix<float> z, noise;      // contexts × d
  Matrix<float> mean_rewards;  // contexts × actions, in the filter's units
  std::vector<float> scale;    // of a context's sample
};

class EkfBatchScorer final : public BatchScorer {
 public:
  // All are borrowed for the scorer's life; `unit`: of the rewards, in the user's.
  EkfBatchScorer(const SubspaceModel<float>& model, const EkfFilter<float>& filter, float unit,
                 EkfBatch& memory)
      : model_(model), filter_(filter), unit_(unit), memory_(memory) {}

  void mean(MatrixRef<float> out) override;
  void sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
              MatrixRef<float> out) override;
  // Needs every action's gradient, for which there is no matrix product: an Error.
  void deviation(MatrixRef<float> out) override;

 private:
  void to_rewards(MatrixRef<float> eta) const;

  const SubspaceModel<float>& model_;
  const EkfFilter<float>& filter_;
  float unit_;
  EkfBatch& memory_;
};

}  // namespace bandolier
