// A reward model whose weights are fitted to stored data by gradient descent: what neural-greedy,
// neural-linear, LiM2 and Neural-TS have in common.
#pragma once

#include <optional>
#include <string>

#include "bandolier/core/note.h"
#include "bandolier/core/options.h"
#include "bandolier/model/reward_model.h"
#include "bandolier/model/reward_options.h"
#include "bandolier/model/reward_unit.h"
#include "bandolier/nn/training.h"
#include "bandolier/replay/replay_memory.h"

namespace bandolier {

// The Deep Bayesian Bandits Showdown's training (Riquelme et al. 2018): RMSProp of rate
// 0.1 / (1 + 0.05 step), gradients clipped at 5, 100 minibatches of 512 every 50 steps.
struct ReplayOptions : TrainingOptions, RewardOptions {
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
  std::optional<std::int64_t> memory;  // rows; nothing: unlimited
  std::int64_t update_every = 50;      // steps between trainings
};
const OptionTable<ReplayOptions>& replay_options();

// Rewards are stored and fitted in units of their size so far (reward_unit.h).
class TrainedNetwork {
 public:
  // `memory`: rows that are stored; nothing: all. `reward_unit`: nothing: it follows the rewards.
  TrainedNetwork(std::string_view model, Encoding encoding, const ProblemShape& shape,
                 std::optional<std::int64_t> memory, std::optional<double> reward_unit,
                 bool memory_per_output = false);

  const RewardModel& model() const { return model_; }
  const Encoder& encoder() const { return model_.encoder(); }
  const Network& network() const { return model_.network(); }
  const Vector<float>& parameters() const { return parameters_; }
  VectorRef<float> parameters() { return parameters_; }
  const ReplayMemory& memory() const { return memory_; }

  // Weights from `random`, an empty memory, and the unit of the warm-up's rewards.
  void start(std::span<const Experience> experience, Random& random);

  const RewardUnit& reward_unit() const { return unit_; }
  double unit() const { return unit_.unit(); }
  float in_units(float reward) const { return unit_.in_units(reward); }
  // Takes a reward into the unit; nothing where it is not plausible, and then nothing has changed.
  // Else what quantities in the old unit must be multiplied by: the network and the memory are.
  std::optional<double> measure(float reward);

  // Stores a reward that the unit knows.
  void remember(const Experience& experience) {
    memory_.push(encoder(), experience.context, experience.action, in_units(experience.reward));
    ++steps_;
  }
  std::int64_t steps() const { return steps_; }  // rewards ever remembered

  // One training on `data` (by default all stored data). Where it diverges, the weights become
  // the best that the last training without divergence saw, and the optimiser forgets its moments.
  TrainingResult fit(const TrainingOptions& options, Optimiser& optimiser, const TrainingSet& data,
                     Random& random, TrainingScratch& work);
  TrainingResult fit(const TrainingOptions& options, Random& random, TrainingScratch& work);

  std::size_t bytes() const;                       // of weights and stored data
  void add_notes(std::vector<Note>& notes) const;  // trainings that diverged
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  RewardModel model_;
  Vector<float> parameters_;
  Vector<float> good_;  // of the best epoch of the last training that did not diverge
  ReplayMemory memory_;
  RewardUnit first_unit_, unit_;  // before any reward, and now
  std::int64_t steps_ = 0;
  std::int64_t diverged_ = 0;  // trainings whose loss or gradient stopped being finite
};

}  // namespace bandolier
