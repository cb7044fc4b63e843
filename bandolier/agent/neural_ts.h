// Neural Thompson sampling (Zhang et al. 2021) and Neural-UCB (Zhou et al. 2020): a network's
// prediction f(x_a; θ), and around it the uncertainty of a linear model on the network's gradient
// g_a = ∇_θ f(x_a; θ) (neural tangent features):
//   σ_a² = λ ν g_aᵀ U⁻¹ g_a,   U = λI + Σ over rewards of g gᵀ
// Neural-TS draws each action's reward from N(f_a, σ_a²), Neural-UCB takes f_a + σ_a. U is diagonal
// as its authors run it, or full for small networks.
#pragma once

#include "bandolier/agent/registry.h"
#include "bandolier/policy/policy.h"
#include "bandolier/replay/tangent_precision.h"
#include "bandolier/replay/trained_network.h"

namespace bandolier {

// Defaults: the authors' settings, with the training schedule of Neural-UCB for both: steps on
// single rows, at most 1,000 a training, until an epoch's mean squared error is 1e-3.
struct NeuralTsOptions : PolicyOptions, TrainingOptions {
  NeuralTsOptions() {
    temperature = 1;
    optimiser = OptimiserKind::kSgd;
    learning_rate = 0.01;
    momentum = 0;
    batch_size = 1;
    max_steps = 1000;
    stop_loss = 5e-4;
  }
  std::string model = "mlp:100";
  std::string encoding = "outer";
  std::string covariance = "diag";  // diag | full: of U
  double lambda = 1e-5;             // prior precision; also the weight decay λ/t of a training
  double nu = 1e-5;                 // scale of the variance
  bool normalise = true;            // contexts are scaled to length 1, as the theory asks
  std::string memory = "unlimited";
  std::int64_t every_step_until = 2000;  // trains at every step up to this one,
  std::int64_t update_every = 100;       // then at every so-many-th
};
const OptionTable<NeuralTsOptions>& neural_ts_options();

struct NeuralUcbOptions : NeuralTsOptions {
  NeuralUcbOptions() { policy = PolicyKind::kUcb; }
};
const OptionTable<NeuralUcbOptions>& neural_ucb_options();

class NeuralTsAgent final : public Agent {
 public:
  NeuralTsAgent(const NeuralTsOptions& options, const ProblemShape& shape);

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
  class TangentScorer;

  void learn(const Experience& experience, Random& random, Work& work);
  // The context with features of length 1, in the buffer; the context itself where not asked for.
  Context normalised(const Context& context, ContextBuffer& buffer) const;

  NeuralTsOptions options_;
  TrainedNetwork network_;
  TangentPrecision precision_;
  Policy policy_;
};

AgentEntry neural_ts_agent();
AgentEntry neural_ucb_agent();

}  // namespace bandolier
