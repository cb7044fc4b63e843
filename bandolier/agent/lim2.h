// LiM2 (Nabati et al. 2021; Algorithms 4 to 6 of the paper): neural-linear with limited memory.
// Every step trains the network on a minibatch of the last rows and carries what the forgotten rows
// taught over to the new features, as each head's prior: covariance by likelihood matching, mean
// from the network's own last layer.
#pragma once

#include "bandolier/agent/registry.h"
#include "bandolier/policy/policy.h"
#include "bandolier/replay/likelihood_matching.h"
#include "bandolier/replay/network_regressions.h"
#include "bandolier/replay/trained_network.h"

namespace bandolier {

// Defaults: the authors' settings, but for the policy, which is the project's own
// (temperature=pulls). At temperature 1 a head explores for ever: its posterior rests on the rows
// in the memory alone, and the prior covariance never narrows.
struct Lim2Options : PolicyOptions, OptimiserOptions {
  Lim2Options() {
    optimiser = OptimiserKind::kRmsprop;
    learning_rate = 0.1;
    rate_decay = 0.05;
    gradient_clip = 5;
  }
  std::string model = "mlp:50";
  std::int64_t memory_per_action = 100;  // rows, times the actions
  std::string fifo = "per-action";       // per-action (the authors' code) | shared (Algorithm 4)
  std::int64_t batch_per_action = 16;    // rows of a minibatch, times the actions
  std::int64_t sgd_steps = 1;            // P1, minibatches a step
  std::int64_t pgd_steps = 1;            // P2, covariance steps a minibatch
  double pgd_rate = 0.01;                // η = pgd_rate / t
  std::string pgd_gradient = "sum";      // sum (Algorithm 6) | mean (the authors' code)
  double pgd_floor = 1e-5;               // least eigenvalue of a prior covariance
  double lambda = 1;                     // first prior covariance I/λ, in units of the noise
  double a0 = 6, b0 = 6;                 // prior of a head's noise variance: inverse gamma
};
const OptionTable<Lim2Options>& lim2_options();

class Lim2Agent final : public Agent {
 public:
  Lim2Agent(const Lim2Options& options, const ProblemShape& shape);

  void warm_up(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> make_scratch() const override;
  Decision choose(const Context& context, Random& random, Scratch& scratch) const override;
  void observe(const Feedback& feedback, Random& random, Scratch& scratch) override;
  AgentReport report() const override;
  std::unique_ptr<Agent> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  struct Work;

  void learn(const Experience& experience, Random& random, Work& work);
  // Algorithm 5: one minibatch for the network, one matching for each prior covariance.
  void update_network_and_covariances(Random& random, Work& work);
  // μ₀ = the network's last layer, Σ₀⁻¹ from the covariances.
  void update_priors(Work& work);

  Lim2Options options_;
  TrainingOptions training_;  // one full-batch step on the minibatch
  TrainedNetwork network_;
  Optimiser optimiser_;
  NetworkRegressions heads_;
  std::vector<Matrix<double>> covariances_;  // Σ₀ of each head
  Policy policy_;
};

AgentEntry lim2_agent();

}  // namespace bandolier
