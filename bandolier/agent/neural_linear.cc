#include "bandolier/agent/neural_linear.h"

#include "bandolier/replay/regression_scorer.h"

namespace bandolier {
namespace {

struct NeuralLinearScratch final : Scratch {
  ModelScratch<float> model;
  Vector<float> x, work;
  TrainingScratch training;
  NetworkRegressions::Scratch refit;
  std::vector<float> buffer;
};

}  // namespace

const OptionTable<NeuralLinearOptions>& neural_linear_options() {
  static const OptionTable<NeuralLinearOptions> table = [] {
    OptionTable<NeuralLinearOptions> rows = {
        {"lambda", &NeuralLinearOptions::lambda,
         "prior precision of a head's weight, in units of the noise precision",
         between(1e-12, 1e12)},
        {"a0", &NeuralLinearOptions::a0, "prior of a head's noise variance: inverse gamma shape",
         positive()},
        {"b0", &NeuralLinearOptions::b0, "prior of a head's noise variance: inverse gamma scale",
         positive()}};
    rows.include(replay_options());
    rows.include(policy_options());
    return rows;
  }();
  return table;
}

NeuralLinearAgent::NeuralLinearAgent(const NeuralLinearOptions& options, const ProblemShape& shape)
    : options_(options),
      network_(options.model, Encoding::kMultiHead, shape,
               memory_capacity("memory", options.memory)),
      heads_(network_.network(), options.lambda, {options.a0, options.b0}),
      policy_(options, shape.actions) {}

void NeuralLinearAgent::train(Random& random, TrainingScratch& training,
                              NetworkRegressions::Scratch& refit) {
  network_.fit(options_, random, training);
  heads_.refit(network_.network(), network_.parameters(), network_.memory().rows(),
               {&heads_.prior(), 1}, refit);
}

void NeuralLinearAgent::warm_up(std::span<const Experience> experience, Random& random) {
  for (const auto& one : experience) check(one, network_.encoder().shape());
  network_.initialise(random);
  for (const auto& one : experience) {
    network_.remember(one.context, one.action, one.reward);
    policy_.count(one.context, one.action, one.reward);
  }
  TrainingScratch training;
  NetworkRegressions::Scratch refit;
  train(random, training, refit);
}

std::unique_ptr<Scratch> NeuralLinearAgent::make_scratch() const {
  return std::make_unique<NeuralLinearScratch>();
}

Decision NeuralLinearAgent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, network_.encoder().shape());
  auto& memory = static_cast<NeuralLinearScratch&>(scratch);
  network_.model().predict<float>(network_.parameters(), context, memory.model);
  heads_.features(memory.model.network, 0, memory.x);
  RegressionScorer scorer(heads_.heads(), memory.x, memory.work);
  return policy_.choose(scorer, context, random, scratch, memory.buffer);
}

void NeuralLinearAgent::observe(const Feedback& feedback, Random& random, Scratch& scratch) {
  check(feedback, network_.encoder().shape());
  auto& memory = static_cast<NeuralLinearScratch&>(scratch);
  network_.remember(feedback.context, feedback.action, feedback.reward);
  policy_.count(feedback.context, feedback.action, feedback.reward);
  if (network_.steps() % options_.update_every == 0) {
    train(random, memory.training, memory.refit);
    return;
  }
  network_.model().predict<float>(network_.parameters(), feedback.context, memory.model);
  heads_.features(memory.model.network, 0, memory.x);
  heads_.update(feedback.action, memory.x, feedback.reward);
}

AgentReport NeuralLinearAgent::report() const {
  AgentReport report;
  report.belief_bytes = network_.bytes();
  report.parameters = network_.network().parameters();
  report.steps = network_.steps();
  report.notes = network_.notes();
  report.belief_bytes += heads_.bytes() + policy_.bytes();
  for (auto& note : heads_.notes()) report.notes.push_back(std::move(note));
  return report;
}

std::unique_ptr<Agent> NeuralLinearAgent::clone() const {
  return std::make_unique<NeuralLinearAgent>(*this);
}

void NeuralLinearAgent::save(ArchiveWriter& out) const {
  policy_.save(out);
  network_.save(out);
  heads_.save(out);
}

void NeuralLinearAgent::load(ArchiveReader& in) {
  policy_.load(in);
  network_.load(in);
  heads_.load(in);
}

AgentEntry neural_linear_agent() {
  return {"neural-linear",
          "Bayesian linear heads on the features of a network fitted to stored data",
          [] { return neural_linear_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            return std::make_unique<NeuralLinearAgent>(
                neural_linear_options().parse("agent 'neural-linear'", texts), shape);
          },
          false};
}

}  // namespace bandolier
