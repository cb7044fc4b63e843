// What a policy asks of an agent: scores are expected rewards, in the user's units.
#pragma once

#include <span>

#include "bandolier/core/random.h"
#include "bandolier/core/types.h"
#include "bandolier/model/context.h"

namespace bandolier {

// For one context. Scores go to `out`, one per action.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual void mean(std::span<float> out) = 0;
  // One posterior sample; the deviation of action a's score is multiplied by temperature[a].
  virtual void sample(Random& random, std::span<const float> temperature, std::span<float> out) = 0;
  // The same with a bonus added to each, for a decision: an action that may not be taken, or that
  // cannot have the highest score, may be given any other number that does not make it the highest.
  virtual void contest(Random& random, std::span<const float> temperature,
                       std::span<const float> bonus, const Context& /*context*/,
                       std::span<float> out) {
    sample(random, temperature, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += bonus[i];
  }
  // Many samples, one per row of `out`. They may share what is drawn first (a noise variance, the
  // coordinates of a body): given that they are independent.
  virtual void samples(Random& random, std::span<const float> temperature, MatrixRef<float> out) {
    for (Index i = 0; i < out.rows(); ++i) {
      sample(random, temperature, {out.row(i).data(), static_cast<std::size_t>(out.cols())});
    }
  }
  // The same sample with the last step left out: given what the stream has drawn (a noise variance,
  // the coordinates of a body), scores are independent normals of these means and deviations,
  // temperature included. False, where they are correlated or not normal.
  virtual bool normals(Random& /*random*/, std::span<const float> /*temperature*/,
                       std::span<float> /*mean*/, std::span<float> /*deviation*/) {
    return false;
  }
  // Posterior standard deviations of the expected rewards.
  virtual void deviation(std::span<float> out) = 0;
};

// The same for many contexts with the same number of actions: a row per context, a column per
// action. `random` has one stream per row, drawn from as Scorer::sample draws from its own.
class BatchScorer {
 public:
  virtual ~BatchScorer() = default;
  virtual void mean(MatrixRef<float> out) = 0;
  virtual void sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
                      MatrixRef<float> out) = 0;
  virtual void deviation(MatrixRef<float> out) = 0;
};

}  // namespace bandolier
