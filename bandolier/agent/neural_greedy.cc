#include "bandolier/agent/neural_greedy.h"

#include <algorithm>

namespace bandolier {
namespace {

struct NeuralGreedyScratch final : Scratch {
  ModelScratch<float> model;
  TrainingScratch training;
  std::vector<float> buffer;
};

// A point estimate: its samples are its means.
class PointScorer final : public Scorer {
 public:
  explicit PointScorer(const Vector<float>& rewards) : rewards_(rewards) {}
  void mean(std::span<float> out) override {
    std::copy_n(rewards_.data(), out.size(), out.begin());
  }
  void sample(Random&, std::span<const float>, std::span<float> out) override { mean(out); }
  void deviation(std::span<float> out) override { std::fill(out.begin(), out.end(), 0.0f); }

 private:
  const Vector<float>& rewards_;
};

PolicyOptions epsilon_greedy(double epsilon) {
  PolicyOptions options;
  options.policy = PolicyKind::kEpsilonGreedy;
  options.epsilon = epsilon;
  return options;
}

}  // namespace

const OptionTable<NeuralGreedyOptions>& neural_greedy_options() {
  static const OptionTable<NeuralGreedyOptions> table = [] {
    OptionTable<NeuralGreedyOptions> rows = {
        {"encoding", &NeuralGreedyOptions::encoding, "how context and action become an input",
         Choices{{"multi-head", "concat", "outer"}}},
        {"epsilon", &NeuralGreedyOptions::epsilon, "share of uniform choices; 0: greedy",
         between(0, 1)}};
    rows.include(replay_options());
    return rows;
  }();
  return table;
}

NeuralGreedyAgent::NeuralGreedyAgent(const NeuralGreedyOptions& options, const ProblemShape& shape)
    : options_(options),
      network_(options.model, parse_encoding(options.encoding), shape,
               memory_capacity("memory", options.memory)),
      policy_(epsilon_greedy(options.epsilon), shape.actions) {}

void NeuralGreedyAgent::warm_up(std::span<const Experience> experience, Random& random) {
  for (const auto& one : experience) check(one, network_.encoder().shape());
  network_.initialise(random);
  for (const auto& one : experience) {
    network_.remember(one.context, one.action, one.reward);
    policy_.count(one.context, one.action, one.reward);
  }
  TrainingScratch work;
  network_.fit(options_, random, work);
}

std::unique_ptr<Scratch> NeuralGreedyAgent::make_scratch() const {
  return std::make_unique<NeuralGreedyScratch>();
}

Decision NeuralGreedyAgent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, network_.encoder().shape());
  auto& memory = static_cast<NeuralGreedyScratch&>(scratch);
  PointScorer scorer(network_.model().predict<float>(network_.parameters(), context, memory.model));
  return policy_.choose(scorer, context, random, scratch, memory.buffer);
}

void NeuralGreedyAgent::observe(const Feedback& feedback, Random& random, Scratch& scratch) {
  check(feedback, network_.encoder().shape());
  network_.remember(feedback.context, feedback.action, feedback.reward);
  policy_.count(feedback.context, feedback.action, feedback.reward);
  if (network_.steps() % options_.update_every == 0) {
    network_.fit(options_, random, static_cast<NeuralGreedyScratch&>(scratch).training);
  }
}

AgentReport NeuralGreedyAgent::report() const {
  AgentReport report;
  report.belief_bytes = network_.bytes();
  report.parameters = network_.network().parameters();
  report.steps = network_.steps();
  report.notes = network_.notes();
  report.belief_bytes += policy_.bytes();
  return report;
}

std::unique_ptr<Agent> NeuralGreedyAgent::clone() const {
  return std::make_unique<NeuralGreedyAgent>(*this);
}

void NeuralGreedyAgent::save(ArchiveWriter& out) const {
  policy_.save(out);
  network_.save(out);
}

void NeuralGreedyAgent::load(ArchiveReader& in) {
  policy_.load(in);
  network_.load(in);
}

AgentEntry neural_greedy_agent() {
  return {"neural-greedy", "a network fitted to stored data, epsilon-greedy",
          [] { return neural_greedy_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            return std::make_unique<NeuralGreedyAgent>(
                neural_greedy_options().parse("agent 'neural-greedy'", texts), shape);
          },
          false};
}

}  // namespace bandolier
