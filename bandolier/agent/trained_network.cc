#include "bandolier/agent/trained_network.h"

#include "bandolier/core/error.h"

namespace bandolier {
Index memory_capacity(const std::string& what, const std::string& memory) {
  if (memory == "unlimited") return 0;
  const auto rows = parse_integer(memory);
  if (!rows || *rows < 1) fail("{}: found {}, expected {}", what, memory, kMemoryExpected);
  return *rows;
}

const OptionTable<ReplayOptions>& replay_options() {
  static const OptionTable<ReplayOptions> table = [] {
    OptionTable<ReplayOptions> rows = {
        {"model", &ReplayOptions::model, "the network: mlp:50, mlp:200x200, lenet5, ..."},
        memory_row(&ReplayOptions::memory),
        {"update_every", &ReplayOptions::update_every, "steps between trainings", at_least(1)}};
    rows.include(training_options());
    return rows;
  }();
  return table;
}

TrainedNetwork::TrainedNetwork(std::string_view model, Encoding encoding, const ProblemShape& shape,
                               Index memory, bool memory_per_output)
    : model_(model, encoding, shape),
      parameters_(Vector<float>::Zero(model_.parameters())),
      memory_(model_.encoder(), memory, memory_per_output) {}

void TrainedNetwork::initialise(Random& random) {
  parameters_ = network().initial_parameters<float>(random);
}

TrainingResult TrainedNetwork::fit(const TrainingOptions& options, Optimiser& optimiser,
                                   const TrainingSet& data, Random& random,
                                   TrainingWorkspace& work) {
  const TrainingResult result =
      train(network(), data, options, optimiser, parameters_, random, work);
  if (result.diverged) ++diverged_;
  return result;
}

TrainingResult TrainedNetwork::fit(const TrainingOptions& options, Random& random,
                                   TrainingWorkspace& work) {
  Optimiser optimiser(options, parameters_.size());
  return fit(options, optimiser, memory_.rows(), random, work);
}

std::vector<std::string> TrainedNetwork::notes() const {
  if (diverged_ == 0) return {};
  return {
      fmt::format("{} trainings diverged and the last good weights were kept: lower "
                  "learning_rate or set gradient_clip",
                  diverged_)};
}

std::size_t TrainedNetwork::bytes() const {
  return static_cast<std::size_t>(parameters_.size()) * sizeof(float) + memory_.bytes();
}

void TrainedNetwork::save(ArchiveWriter& out) const {
  out.write("parameters", parameters_);
  out.write("diverged", diverged_);
  memory_.save(out);
}

void TrainedNetwork::load(ArchiveReader& in) {
  in.read_into("parameters", parameters_);
  diverged_ = in.read_integer("diverged");
  memory_.load(in);
}

}  // namespace bandolier
