#include "bandolier/agent/uniform.h"

#include <algorithm>

namespace bandolier {
namespace {

PolicyOptions uniform_policy() {
  PolicyOptions options;
  options.policy = PolicyKind::kUniform;
  return options;
}

// It expects nothing of any action.
class NoScores final : public Scorer {
 public:
  void mean(std::span<float> out) override { std::fill(out.begin(), out.end(), 0.0f); }
  void sample(Random&, std::span<const float>, std::span<float> out) override { mean(out); }
  void deviation(std::span<float> out) override { mean(out); }
};

struct UniformScratch final : Scratch {
  NoScores scorer;
};

class UniformAgent final : public Agent {
 public:
  UniformAgent(const ExplorationOptions&, const ProblemShape& shape)
      : Agent(shape, uniform_policy(), 0) {}

  std::unique_ptr<Agent> clone() const override { return std::make_unique<UniformAgent>(*this); }
  bool takes_weights() const override { return true; }

 private:
  void start(std::span<const Experience> experience, Random&) override {
    for (const Experience& one : experience) count(one, true);
  }
  std::unique_ptr<Scratch> new_scratch() const override {
    return std::make_unique<UniformScratch>();
  }
  Scorer& bind(const Context&, Random&, Scratch& scratch) const override {
    return static_cast<UniformScratch&>(scratch).scorer;
  }
  bool learn(const Experience&, bool, Random&, Scratch&) override { return true; }
  void describe(AgentReport&) const override {}
  void save_state(ArchiveWriter&) const override {}
  void load_state(const ArchiveReader&) override {}
};

}  // namespace

AgentEntry uniform_agent() {
  return agent_entry<UniformAgent>(
      "uniform", "every action with the same probability: the floor of every comparison",
      exploration_options, true);
}

}  // namespace bandolier
