// A reward model whose weights are fitted to stored data by gradient descent: what neural-greedy,
// neural-linear, LiM2 and Neural-TS have in common.
#pragma once

#include <string>

#include "bandolier/core/options.h"
#include "bandolier/model/reward_model.h"
#include "bandolier/nn/training.h"
#include "bandolier/replay/replay_memory.h"

namespace bandolier {

// The Deep Bayesian Bandits Showdown's training (Riquelme et al. 2018): RMSProp of rate
// 0.1 / (1 + 0.05 step), gradients clipped at 5, 100 minibatches of 512 every 50 steps.
struct ReplayOptions : TrainingOptions {
  ReplayOptions() {
    optimiser = OptimiserKind::kRmsprop;
    learning_rate = 0.1;
    rate_decay = 0.05;
    gradient_clip = 5;
    batch_size = 512;
    epochs = 100;
    max_steps = 100;
  }
  std::string model = "mlp:50";
  std::string memory = "unlimited";  // or a number of rows
  std::int64_t update_every = 50;    // steps between trainings
};
const OptionTable<ReplayOptions>& replay_options();

// The option `memory` of any method: unlimited, or a number of rows.
inline constexpr const char* kMemoryExpected = "unlimited or a whole number from 1 to 1e12";
// The number of rows, 0 for unlimited. `what` opens the error.
Index memory_capacity(const std::string& what, const std::string& memory);
template <class Options>
typename OptionTable<Options>::Row memory_row(std::string Options::*member) {
  return {"memory", "stored data: all, or the last rows",
          [member](const std::string& text, Options& out) {
            memory_capacity("memory=" + text, text);
            out.*member = text;
            return true;
          },
          [member](const Options& options) { return options.*member; }, kMemoryExpected};
}

class TrainedNetwork {
 public:
  TrainedNetwork(std::string_view model, Encoding encoding, const ProblemShape& shape, Index memory,
                 bool memory_per_output = false);

  const RewardModel& model() const { return model_; }
  const Encoder& encoder() const { return model_.encoder(); }
  const Network& network() const { return model_.network(); }
  const Vector<float>& parameters() const { return parameters_; }
  VectorRef<float> parameters() { return parameters_; }
  const ReplayMemory& memory() const { return memory_; }

  void initialise(Random& random);
  void remember(const Context& context, Index action, float reward) {
    memory_.push(encoder(), context, action, reward);
    ++steps_;
  }
  std::int64_t steps() const { return steps_; }  // rewards ever remembered

  // One training on `data` (by default all stored data). Where it diverges, the weights become
  // the best that the last training without divergence saw, and the optimiser forgets its moments.
  TrainingResult fit(const TrainingOptions& options, Optimiser& optimiser, const TrainingSet& data,
                     Random& random, TrainingScratch& work);
  TrainingResult fit(const TrainingOptions& options, Random& random, TrainingScratch& work);

  std::size_t bytes() const;               // of weights and stored data
  std::vector<std::string> notes() const;  // trainings that diverged
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  RewardModel model_;
  Vector<float> parameters_;
  Vector<float> good_;  // of the best epoch of the last training that did not diverge
  ReplayMemory memory_;
  std::int64_t steps_ = 0;
  std::int64_t diverged_ = 0;  // trainings whose loss or gradient stopped being finite
};

}  // namespace bandolier
