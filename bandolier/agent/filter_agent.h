// The one agent with Kalman filters: a mixture of 1 … n filters (filter/mixture.h) over a
// predictor, and a policy on top. `auto`, `subspace-ekf` (Algorithm 2 of the paper), `ekf` and
// `lofi` are configurations of it.
//
//   warm-up   the unit of rewards; the predictor: hidden units, or initial weights and subspace;
//             the priors' scale; then the filters go over the warm-up's rewards
//   choose    a member by weight; what of the context does not depend on parameters, once; a sample
//             of the parameters, the rewards at it
//   observe   the pulled action's reward and gradient at each member's mean, one Kalman update each
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "bandolier/agent/agent.h"
#include "bandolier/agent/filter_design.h"

namespace bandolier {

class FilterAgent final : public Agent {
 public:
  // Throws Error where the options do not go together or do not suit the problem or the memory.
  FilterAgent(const FilterAgentOptions& options, const ProblemShape& shape)
      : Agent(shape, options, offset_of(options), filters_of(options, shape)),
        options_(options),
        design_(options, shape_to_see(shape, filters_of(options, shape)),
                filters_of(options, shape) > 0) {}

  std::unique_ptr<Agent> clone() const override;
  bool takes_weights() const override { return true; }

  // Once warm_up or load has made it.
  const Mixture& mixture() const { return *mixture_; }

 private:
  struct FilterScratch;
  // Counts and probabilities have no other zero than 0.
  static std::optional<double> offset_of(const FilterAgentOptions& options) {
    const bool gaussian = options.likelihood == Likelihood::Family::kGaussian;
    return gaussian ? options.reward_offset : 0;
  }
  static Index filters_of(const FilterAgentOptions& options, const ProblemShape& shape);
  using Predictors = std::vector<std::shared_ptr<const Predictor>>;

  Index rewards_wanted(bool warmed_up) const override;
  void start(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> new_scratch() const override;
  Scorer& bind(const Context& context, Random& random, Scratch& scratch) const override;
  BatchScorer* bind_batch(std::span<const Context> contexts, Scratch& scratch) const override;
  bool learn(const Experience& experience, bool bound, Random& random, Scratch& scratch) override;
  bool learns_batches() const override { return mixture_->learns_batches(); }
  void learn_batch(std::span<const Experience> rewards, Scratch& scratch,
                   std::span<bool> accepted) override;
  void check_reward(float seen) const override;
  void describe(AgentReport& report) const override;
  void save_state(ArchiveWriter& out) const override;
  void load_state(const ArchiveReader& in) override;
  void check_basis(const ArchiveReader& in) const;

  // A network in its subspace, from the warm-up's rewards.
  std::shared_ptr<const Predictor> make_network(std::span<const Experience> experience, double unit,
                                                const Random& random);
  // Log-likelihood of rewards, each before a filter of the first member's kind has seen it.
  double fit(const Predictor& predictor, std::span<const Experience> experience, double unit) const;
  // The priors' scale by typical pulls, or by made-up ones where there are none.
  void set_priors(const Predictors& predictors, std::span<const Experience> pulls,
                  const Random& random, double unit);
  void make_mixture(Predictors predictors, const RewardUnit& unit);
  // What the scratch holds for this set-up of the agent.
  FilterScratch& own(Scratch& scratch) const;

  FilterAgentOptions options_;
  FilterDesign design_;
  std::shared_ptr<const Preparation> preparation_;
  std::vector<double> prior_variances_;  // of the members
  std::vector<Note> notes_;              // of the warm-up
  std::optional<Mixture> mixture_;       // nothing until warm-up
};

}  // namespace bandolier
