// The one training loop that everybody uses: warm-up, neural-greedy, neural-linear, LiM2,
// Neural-TS.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bandolier/nn/network.h"
#include "bandolier/nn/optimiser.h"

namespace bandolier {

// Rows to fit: inputs (n × inputs), for each row one output and its target. Views, not copies.
// With bandit feedback a row's other outputs have no target and no gradient.
//
// Where an input is zero but for one block of c neighbours (outer encoding of actions without
// features), `inputs` is n × c and blocks[i] says which block row i is: columns
// [blocks[i]·c, (blocks[i] + 1)·c) of the first layer, which must be dense, see it.
struct TrainingSet {
  ConstMatrixRef<float> inputs;
  std::span<const Index> outputs;
  std::span<const float> targets;
  std::span<const Index> blocks = {};  // empty: whole inputs
  Index size() const { return inputs.rows(); }
};

struct TrainingOptions : OptimiserOptions {
  std::int64_t epochs = 1000;
  std::int64_t batch_size = 0;  // 0: all rows at once
  std::int64_t max_steps = 0;   // of one training; 0: no limit
  double stop_loss = 0;         // ends when an epoch's mean loss is at most this
};
const OptionTable<TrainingOptions>& training_options();

struct TrainingResult {
  double loss = 0;  // mean squared error / 2 of the last epoch
  std::int64_t steps = 0;
  bool diverged = false;  // loss or gradient were not finite; the last good parameters are back
};

// Memory of a training run, for callers that train again and again.
struct TrainingScratch {
  NetworkScratch<float> network;
  Matrix<float> inputs;       // blocks of one batch
  Matrix<float> slope;        // ∂L/∂outputs, rows × outputs
  Vector<float> gradient;     // of one batch
  Vector<float> start, good;  // parameters at the start of this and of the best epoch
  std::vector<Index> order;   // of the rows in this epoch
};

using AfterStep = std::function<void(std::int64_t, const ConstVectorRef<float>&)>;

// Minimises ½ mean (f(x)[output] − target)². `after_step(step, parameters)` sees every iterate
// (steps count from 1). Batches are drawn by shuffling once per epoch. GEMM throughout. A batch
// whose loss or gradient is not finite ends the training before its step: the parameters become
// those at the start of the epoch with the lowest loss (before the first: the initial ones). Looks
// before every step whether it shall stop (core/stop.h).
TrainingResult train(const Network& network, const TrainingSet& data,
                     const TrainingOptions& options, Optimiser& optimiser,
                     VectorRef<float> parameters, Random& random, TrainingScratch& work,
                     const AfterStep& after_step = {});
TrainingResult train(const Network& network, const TrainingSet& data,
                     const TrainingOptions& options, Optimiser& optimiser,
                     VectorRef<float> parameters, Random& random, const AfterStep& after_step = {});

}  // namespace bandolier
