#include "bandolier/replay/trained_network.h"

#include "bandolier/core/error.h"
#include "bandolier/core/memory_limit.h"

namespace bandolier {
namespace {

// Weights, the good ones, and while training a gradient, two moments and the start of an epoch.
Index checked_parameters(const RewardModel& model, std::string_view name) {
  require_available_memory(6 * sizeof(float) * static_cast<double>(model.parameters()),
                           fmt::format("model={} with {} parameters", name, model.parameters()),
                           "use a smaller model",
                           2 * sizeof(float) * static_cast<double>(model.parameters()));
  return model.parameters();
}

}  // namespace

const OptionTable<ReplayOptions>& replay_options() {
  static const OptionTable<ReplayOptions> table = [] {
    OptionTable<ReplayOptions> rows = {
        {"model", &ReplayOptions::model, "the network: mlp:50, mlp:200x200, lenet5, ...",
         Network::check},
        {"memory", &ReplayOptions::memory, "stored data: all, or the last rows", between(1, 1e12),
         "unlimited"},
        {"update_every", &ReplayOptions::update_every, "steps between trainings", at_least(1)}};
    rows.include(training_options());
    rows.include(reward_options());
    return rows;
  }();
  return table;
}

TrainedNetwork::TrainedNetwork(std::string_view model, Encoding encoding, const ProblemShape& shape,
                               std::optional<std::int64_t> memory,
                               std::optional<double> reward_unit, bool memory_per_output)
    : model_(model, encoding, shape),
      parameters_(Vector<float>::Zero(checked_parameters(model_, model))),
      good_(parameters_),
      memory_(model_.encoder(), memory.value_or(0), memory_per_output),
      first_unit_(RewardUnit::Of::kSize, reward_unit.value_or(0)),
      unit_(first_unit_) {}

void TrainedNetwork::start(std::span<const Experience> experience, Random& random) {
  parameters_ = network().initial_parameters<float>(random);
  good_ = parameters_;
  memory_.clear();
  steps_ = diverged_ = 0;
  unit_ = first_unit_;
  unit_.start(rewards_of(experience));
}

// The last layer is linear: outputs times a factor are its weights and biases times the factor.
std::optional<double> TrainedNetwork::measure(float reward) {
  const auto y = static_cast<double>(reward);
  if (!unit_.plausible(y)) return std::nullopt;
  const double factor = unit_.add(y);
  if (factor != 1) {
    const Layer& last = network().layers().back();
    for (Vector<float>* weights : {&parameters_, &good_}) {
      weights->segment(last.offset, last.parameters) *= static_cast<float>(factor);
    }
    memory_.rescale(static_cast<float>(factor));
  }
  return factor;
}

TrainingResult TrainedNetwork::fit(const TrainingOptions& options, Optimiser& optimiser,
                                   const TrainingSet& data, Random& random, TrainingScratch& work) {
  const TrainingResult result =
      train(network(), data, options, optimiser, parameters_, random, work);
  if (result.diverged) {
    parameters_ = good_;
    optimiser.forget();
    ++diverged_;
  } else if (result.steps > 0) {
    good_.swap(work.good);
  }
  return result;
}

TrainingResult TrainedNetwork::fit(const TrainingOptions& options, Random& random,
                                   TrainingScratch& work) {
  Optimiser optimiser(options, parameters_.size());
  return fit(options, optimiser, memory_.rows(), random, work);
}

std::size_t TrainedNetwork::bytes() const {
  return static_cast<std::size_t>(parameters_.size() + good_.size()) * sizeof(float) +
         memory_.bytes();
}

void TrainedNetwork::add_notes(std::vector<Note>& notes) const {
  if (diverged_ == 0) return;
  notes.push_back(
      {"trainings-diverged",
       "trainings diverged and the last good weights were put back: lower learning_rate or set "
       "gradient_clip",
       diverged_});
}

void TrainedNetwork::save(ArchiveWriter& out) const {
  out.write("steps", steps_);
  out.write("parameters", parameters_);
  out.write("good", good_);
  out.write("diverged", diverged_);
  unit_.save_section(out);
  const auto section = out.section("memory");
  memory_.save(out);
}

void TrainedNetwork::load(const ArchiveReader& in) {
  steps_ = in.read_count("steps");
  network().read_weights(in, "parameters", parameters_);
  network().read_weights(in, "good", good_);
  diverged_ = in.read_count("diverged");
  unit_.load_section(in);
  memory_.load(in.section("memory"));
}

}  // namespace bandolier
