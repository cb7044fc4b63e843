// What a filter over a network's coordinates z says of many contexts at once: the samples of z and
// the rewards at them as matrix products. Scores are the same as one context at a time gives, up to
// the order of summation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bandolier/filter/filter.h"
#include "bandolier/filter/predictor.h"
#include "bandolier/policy/scorer.h"

namespace bandolier {

// The caller's memory.
struct FilterBatchScratch {
  std::unique_ptr<BoundScratch> bound;    // to the contexts; null until first use
  std::vector<PreparedContext> prepared;  // one per context
  std::vector<Context> contexts;          // as the network sees them
  Matrix<float> z;                        // contexts × d
  SampleNoise<float> noise;
  Matrix<float> mean_rewards;  // contexts × actions, in the filter's units
  std::vector<float> scale;    // of a context's sample
};

class FilterBatchScorer final : public BatchScorer {
 public:
  // All but the contexts are borrowed for the scorer's life; `unit`: of the filter's rewards.
  FilterBatchScorer(const Predictor& predictor, const Filter<float>& filter, double unit,
                    std::span<const Context> contexts, FilterBatchScratch& memory);

  // Whether matrix products gain anything: `memory` is then made ready.
  static bool serves(const Predictor& predictor, FilterBatchScratch& memory);

  void mean(MatrixRef<float> out) override;
  void sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
              MatrixRef<float> out) override;
  // Needs every action's gradient, for which there is no matrix product: an Error.
  void deviation(MatrixRef<float> out) override;

 private:
  void to_rewards(MatrixRef<float> eta) const;

  const SubspaceModel<float>& model_;
  const Filter<float>& filter_;
  double unit_;
  FilterBatchScratch& memory_;
};

}  // namespace bandolier
