#include "bandolier/agent/neural_greedy.h"

#include <algorithm>

#include "bandolier/replay/trained_network.h"

namespace bandolier {
namespace {

struct NeuralGreedyOptions : ReplayOptions, ExplorationOptions {
  Encoding encoding = Encoding::kMultiHead;
  double epsilon = 0.05;  // share of uniform choices; 0: greedy
};

const OptionTable<NeuralGreedyOptions>& neural_greedy_options() {
  using O = NeuralGreedyOptions;
  static const OptionTable<O> table =
      OptionTable<O>{{"encoding", &O::encoding, "how context and action become an input"},
                     {"epsilon", &O::epsilon, "share of uniform choices; 0: greedy", between(0, 1)}}
          .include(replay_options())
          .include(exploration_options());
  return table;
}

PolicyOptions epsilon_greedy(const NeuralGreedyOptions& own) {
  PolicyOptions options;
  options.policy = PolicyKind::kEpsilonGreedy;
  options.epsilon = own.epsilon;
  options.exploration_floor = own.exploration_floor;
  return options;
}

// A point estimate: its samples are its means.
class PointScorer final : public Scorer {
 public:
  PointScorer(const Vector<float>& rewards, double unit)
      : rewards_(rewards), unit_(static_cast<float>(unit)) {}
  void mean(std::span<float> out) override {
    for (std::size_t a = 0; a < out.size(); ++a) out[a] = unit_ * rewards_[static_cast<Index>(a)];
  }
  void sample(Random&, std::span<const float>, std::span<float> out) override { mean(out); }
  void deviation(std::span<float> out) override { std::fill(out.begin(), out.end(), 0.0f); }

 private:
  const Vector<float>& rewards_;  // in units
  float unit_;
};

struct NeuralGreedyScratch final : Scratch {
  ModelScratch<float> model;
  TrainingScratch training;
  std::optional<PointScorer> scorer;
};

class NeuralGreedyAgent final : public Agent {
 public:
  NeuralGreedyAgent(const NeuralGreedyOptions& options, const ProblemShape& shape)
      : Agent(shape, epsilon_greedy(options), options.reward_offset),
        options_(options),
        network_(options.model, options.encoding, shape, options.memory, options.reward_unit) {}

  std::unique_ptr<Agent> clone() const override {
    return std::make_unique<NeuralGreedyAgent>(*this);
  }

 private:
  void start(std::span<const Experience> experience, Random& random) override {
    network_.start(experience, random);
    for (const Experience& one : experience) {
      network_.remember(one);
      count(one, true);
    }
    TrainingScratch training;
    network_.fit(options_, random, training);
  }

  std::unique_ptr<Scratch> new_scratch() const override {
    return std::make_unique<NeuralGreedyScratch>();
  }

  Scorer& bind(const Context& context, Random&, Scratch& scratch) const override {
    auto& own = static_cast<NeuralGreedyScratch&>(scratch);
    return own.scorer.emplace(
        network_.model().predict<float>(network_.parameters(), context, own.model),
        network_.unit());
  }

  bool learn(const Experience& experience, bool, Random& random, Scratch& scratch) override {
    if (!network_.measure(experience.reward)) return false;
    network_.remember(experience);
    if (network_.steps() % options_.update_every == 0) {
      network_.fit(options_, random, static_cast<NeuralGreedyScratch&>(scratch).training);
    }
    return true;
  }

  void describe(AgentReport& report) const override {
    report.belief_bytes += network_.bytes();
    report.parameters = network_.network().parameters();
    network_.add_notes(report.notes);
  }
  void save_state(ArchiveWriter& out) const override { network_.save(out); }
  void load_state(const ArchiveReader& in) override { network_.load(in); }

  NeuralGreedyOptions options_;
  TrainedNetwork network_;
};

}  // namespace

AgentEntry neural_greedy_agent() {
  return agent_entry<NeuralGreedyAgent>("neural-greedy",
                                        "a network fitted to stored data, epsilon-greedy",
                                        neural_greedy_options, false);
}

}  // namespace bandolier
