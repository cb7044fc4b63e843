// Neural-linear (Riquelme et al. 2018; Algorithm 3 of the paper): a network fitted to stored data
// every few steps, and on its last hidden features one Bayesian linear regression an action.
#pragma once

#include "bandolier/replay/network_regressions.h"
#include "bandolier/policy/policy.h"
#include "bandolier/agent/registry.h"
#include "bandolier/replay/trained_network.h"

namespace bandolier {

// The policy is the project's own (temperature=pulls), as for the filters; the authors sample at
// temperature 1.
struct NeuralLinearOptions : PolicyOptions, ReplayOptions {
  double lambda = 0.25;   // prior precision of a head's weight, in units of the noise precision
  double a0 = 6, b0 = 6;  // prior of a head's noise variance: inverse gamma
};
const OptionTable<NeuralLinearOptions>& neural_linear_options();

class NeuralLinearAgent final : public Agent {
 public:
  NeuralLinearAgent(const NeuralLinearOptions& options, const ProblemShape& shape);

  void warm_up(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> make_scratch() const override;
  Decision choose(const Context& context, Random& random, Scratch& scratch) const override;
  void observe(const Feedback& feedback, Random& random, Scratch& scratch) override;
  AgentReport report() const override;
  std::unique_ptr<Agent> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  void train(Random& random, TrainingScratch& training, NetworkRegressions::Scratch& refit);

  NeuralLinearOptions options_;
  TrainedNetwork network_;
  NetworkRegressions heads_;
  Policy policy_;
};

AgentEntry neural_linear_agent();

}  // namespace bandolier
