// Neural-greedy: a network's point estimate, fitted to stored data every few steps, and ε-greedy
// choices. The baseline without any belief about weights.
#pragma once

#include "bandolier/policy/policy.h"
#include "bandolier/agent/registry.h"
#include "bandolier/replay/trained_network.h"

namespace bandolier {

struct NeuralGreedyOptions : ReplayOptions {
  std::string encoding = "multi-head";
  double epsilon = 0.05;  // share of uniform choices; 0: greedy
};
const OptionTable<NeuralGreedyOptions>& neural_greedy_options();

class NeuralGreedyAgent final : public Agent {
 public:
  NeuralGreedyAgent(const NeuralGreedyOptions& options, const ProblemShape& shape);

  void warm_up(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> make_scratch() const override;
  Decision choose(const Context& context, Random& random, Scratch& scratch) const override;
  void observe(const Feedback& feedback, Random& random, Scratch& scratch) override;
  AgentReport report() const override;
  std::unique_ptr<Agent> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  NeuralGreedyOptions options_;
  TrainedNetwork network_;
  Policy policy_;
};

AgentEntry neural_greedy_agent();

}  // namespace bandolier
