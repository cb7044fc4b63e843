// A filter agent before its first reward: which models, predictors and members its options ask for,
// what prior and noise each begins with, and whether all of it fits into memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bandolier/agent/filter_agent_options.h"
#include "bandolier/filter/head_predictor.h"
#include "bandolier/filter/mixture.h"

namespace bandolier {

class FilterDesign {
 public:
  // Throws Error where the options do not go together or do not suit the problem or the memory.
  // `patches`: the features are those of patches.
  FilterDesign(const FilterAgentOptions& options, const ProblemShape& shape, bool patches = false);

  const FilterAgentOptions& options() const { return options_; }
  const std::vector<RewardModel>& models() const { return models_; }  // one per predictor
  std::size_t members() const { return plans_.size(); }

  // Whether a predictor is heads over a body rather than a network in a subspace.
  bool has_heads(std::size_t predictor) const;
  HeadPredictorOptions head_options(std::size_t predictor) const;

  // Throws Error where all members' beliefs, with a body of so many dimensions, and the basis are
  // more than the memory at hand.
  void require_memory(Index body) const;

  RewardUnit reward_unit() const;
  Likelihood likelihood(double unit) const;

  // Of a member, for the mean ‖∂f/∂(z, w)‖² of its predictor with its hidden_variance
  // (prior_scale.h).
  double prior_variance(std::size_t member, const Predictor& predictor, double squared_gradient,
                        double unit) const;
  std::size_t predictor_of(std::size_t member) const { return plans_[member].predictor; }
  double hidden_variance(std::size_t member) const { return plans_[member].hidden_variance; }

  // A member before any reward.
  MixtureMember make_member(std::size_t member, const Predictor& predictor, double prior_variance,
                            double unit) const;

 private:
  struct Plan {
    std::string name;
    std::size_t predictor = 0;
    std::optional<double> prior_predictive;  // c; nothing: a fixed prior variance
    double forgetting = 1;
    double hidden_variance = 1;  // ParameterBeliefOptions
    double weight = 1;           // before any reward, beside the others'
  };

  bool infers_noise() const;
  double noise_variance(double unit) const;  // in the units of P
  ParameterBeliefOptions belief_options(const Plan& plan, double noise) const;
  Encoding encoding() const;
  bool body_sees_products() const;

  FilterAgentOptions options_;
  bool fixed_actions_;
  std::vector<RewardModel> models_;
  std::vector<Plan> plans_;
};

}  // namespace bandolier
