// Training on warm-up rewards in the original space: the offset θ* = the last iterate, and the
// iterates that an SVD basis is made from (section 3.4, Algorithm 2, lines 2 to 4).
#pragma once

#include <span>
#include <vector>

#include "bandolier/model/encoding.h"
#include "bandolier/nn/training.h"

namespace bandolier {

struct WarmUpTraining {
  Vector<float> parameters;  // the last iterate
  Matrix<float> iterates;    // every `thinning`-th, n × D; empty unless asked for
  TrainingResult result;
};

// Minimises the mean squared error of the observed rewards from `initial` on.
// thinning = 0 keeps no iterates. Experience must not be empty.
WarmUpTraining train_on_warm_up(const Encoder& encoder, const Network& network,
                                std::span<const Experience> experience,
                                const TrainingOptions& options, Index thinning,
                                Vector<float> initial, Random& random);

}  // namespace bandolier
