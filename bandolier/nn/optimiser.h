// First-order optimisers over a flat parameter vector (float), and the one training loop that
// everybody uses: warm-up, neural-greedy, neural-linear, LiM2, Neural-TS.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bandolier/core/archive.h"
#include "bandolier/core/options.h"
#include "bandolier/nn/network.h"

namespace bandolier {

struct OptimiserOptions {
  std::string optimiser = "sgd";  // sgd | rmsprop | adam
  double learning_rate = 0.05;
  double momentum = 0.9;     // sgd: v ← m v + g, θ ← θ − η v
  double weight_decay = 0;   // adds w·θ to the gradient
  double gradient_clip = 0;  // largest norm of a gradient; 0: none
  double rate_decay = 0;     // η_t = η / (1 + rate_decay·t), t counted in steps
};
const OptionTable<OptimiserOptions>& optimiser_options();

class Optimiser {
 public:
  Optimiser(const OptimiserOptions& options, Index parameters);

  // θ ← θ − step(gradient). The gradient is used as scratch.
  void step(VectorRef<float> parameters, VectorRef<float> gradient);

  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  OptimiserOptions options_;
  Vector<float> first_, second_;  // momentum or first moment; mean square
  std::int64_t steps_ = 0;
};

// Rows to fit: inputs (n × inputs), for each row one output and its target. Views, not copies.
// With bandit feedback a row's other outputs have no target and no gradient.
struct TrainingSet {
  ConstMatrixRef<float> inputs;
  std::span<const Index> outputs;
  std::span<const float> targets;
  Index size() const { return inputs.rows(); }
};

struct TrainingOptions : OptimiserOptions {
  std::int64_t epochs = 1000;
  std::int64_t batch_size = 0;  // 0: all rows at once
};
const OptionTable<TrainingOptions>& training_options();

struct TrainingResult {
  double loss = 0;  // mean squared error / 2 of the last epoch
  std::int64_t steps = 0;
  bool diverged = false;  // the loss stopped being finite; the last good parameters were restored
};

// Minimises ½ mean (f(x)[output] − target)². `after_step(step, parameters)` sees every iterate
// (steps count from 1). Batches are drawn by shuffling once an epoch. GEMM throughout.
TrainingResult train(
    const Network& network, const TrainingSet& data, const TrainingOptions& options,
    Optimiser& optimiser, VectorRef<float> parameters, Random& random,
    const std::function<void(std::int64_t, const Vector<float>&)>& after_step = {});

}  // namespace bandolier
