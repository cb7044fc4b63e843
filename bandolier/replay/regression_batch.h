// Scores of linear heads (regression_scorer.h) for many feature rows at once: the means of all
// actions are one matrix product, and the variances xᵀPx = ‖Sᵀx‖² of one action another.
#pragma once

#include <span>

#include "bandolier/belief/normal_inverse_gamma.h"
#include "bandolier/policy/policy.h"

namespace bandolier {

// The caller's memory.
struct RegressionBatchScratch {
  BatchScores scores;
  Matrix<float> x;          // contexts × d
  Matrix<float> means;      // of the weights: actions × d
  Matrix<float> projected;  // X S: contexts × d
  Matrix<float> q;          // actions × contexts: xᵀPx
};

class RegressionBatchScorer final : public BatchScorer {
 public:
  // Both are borrowed for the scorer's life; memory.x holds the rows.
  RegressionBatchScorer(std::span<const NormalInverseGamma<float>> heads,
                        RegressionBatchScratch& memory, double unit = 1)
      : heads_(heads), memory_(memory), unit_(unit) {}

  void mean(MatrixRef<float> out) override;
  void sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
              MatrixRef<float> out) override;
  void deviation(MatrixRef<float> out) override;

 private:
  void variances();

  std::span<const NormalInverseGamma<float>> heads_;
  RegressionBatchScratch& memory_;
  double unit_;
};

}  // namespace bandolier
