// Neural subspace bandits (Algorithm 2): an extended Kalman filter over z, the coordinates of the
// network's weights in a subspace θ(z) = θ* + Az, and a policy on top; Thompson sampling evaluates
// the network at θ(z̃), z̃ ~ N(μ, P).
//
//   warm-up   θ* random, or trained on the warm-up rewards; A random, or from the iterates of that
//             training; then the filter goes over the warm-up rewards
//   choose    the context contracted with the basis once, a sample of z, the rewards at it
//   observe   the pulled action's reward and gradient at the mean, one Kalman update
#pragma once

#include <optional>

#include "bandolier/agent/ekf_setup.h"
#include "bandolier/agent/registry.h"
#include "bandolier/filter/reward_unit.h"

namespace bandolier {

class SubspaceEkfAgent final : public Agent {
 public:
  // Throws Error where the options do not go together or do not suit the problem.
  SubspaceEkfAgent(const SubspaceEkfOptions& options, const ProblemShape& shape);

  void warm_up(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> make_scratch() const override;
  Decision choose(const Context& context, Random& random, Scratch& scratch) const override;
  void choose_batch(std::span<const Context> contexts, Random& random, Scratch& scratch,
                    std::span<Index> actions) const override;
  void observe(const Feedback& feedback, Random& random, Scratch& scratch) override;
  AgentReport report() const override;
  std::unique_ptr<Agent> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

  // The parts, once warm_up or load has made them.
  const SubspaceModel<float>& model() const { return *setup_.model; }
  const EkfFilter<float>& filter() const { return *filter_; }

 private:
  struct Memory;
  class BeliefScorer;

  // One reward, in the filter's units, of the context that memory is bound to.
  void learn(Index action, float reward, Memory& memory);
  Memory& memory(Scratch& scratch) const;

  SubspaceEkfOptions options_;
  RewardModel reward_model_;
  Policy policy_;
  RewardUnit scale_;
  EkfSetup setup_;
  std::optional<EkfFilter<float>> filter_;
  std::int64_t steps_ = 0;
  std::int64_t refused_ = 0;
  double surprise_ = 1;  // running mean of e²/var e: 1 where the filter is calibrated
};

AgentEntry subspace_ekf_agent();

}  // namespace bandolier
