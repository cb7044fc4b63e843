// What can be set of an agent that is a mixture of Kalman filters. `auto`, `subspace-ekf`, `ekf`
// and `lofi` are these options with other defaults, and an option means the same in each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bandolier/belief/likelihood.h"
#include "bandolier/belief/make_belief.h"
#include "bandolier/filter/head_predictor.h"
#include "bandolier/filter/subspace_setup.h"
#include "bandolier/model/input_options.h"
#include "bandolier/model/reward_options.h"
#include "bandolier/policy/policy.h"

namespace bandolier {

// Where the last layer's weights are: in the subspace with all others, or kept as they are, one
// head per action over a subspace of the layers before it.
enum class HeadKind { kSubspace, kFull };
Words words_of(HeadKind);

// Rewards are seen in units of their spread or size (reward_unit.h), so that the same values serve
// rewards of any size.
struct FilterAgentOptions : PolicyOptions, InputOptions, RewardOptions, SubspaceOptions {
  FilterAgentOptions() { temperature_pulls = 20; }

  // The predictor.
  std::string model = "mlp:50";
  // Nothing: multi-head, or interact where actions change.
  std::optional<Encoding> encoding;
  HeadKind head = HeadKind::kSubspace;
  bool skip = false;                    // head=full: fed from the input and every stage
  BodyKind body = BodyKind::kSubspace;  // head=full
  UnitKind units = UnitKind::kDense;    // head=full: of the body before any reward
  bool soft_clip = false;
  bool centre_image = false;

  // The belief about its parameters.
  BeliefKind covariance = BeliefKind::kFull;
  BeliefKind head_covariance = BeliefKind::kSplit;  // head=full: of each head
  bool joint = false;                               // head=full: one covariance of everything
  std::int64_t rank = 10;                           // low-rank: directions beside the diagonal
  // Nothing: such that the prior predictive variance of a reward, averaged over the warm-up's
  // pulls, is `prior_predictive` times the noise variance. One member of the mixture each.
  std::optional<double> prior_variance;
  std::vector<double> prior_predictive = {5};
  // In the original space, the variance found so is at most this times the mean square of the
  // weights that the network starts from; 0: no limit.
  double prior_limit = 0;
  // Where actions change: of what an action's own id teaches, over the noise variance.
  double action_effect = 0.3;

  // The filter.
  Likelihood::Family likelihood = Likelihood::Family::kGaussian;
  // Nothing: inferred, σ² ~ IG(noise_a0, noise_b0) in units of the rewards' unit²: a prior guess of
  // b0/(a0 − 1) that counts as much as 2·a0 rewards.
  std::optional<double> noise_variance;
  double noise_a0 = 3;
  double noise_b0 = 0.3;
  double process_noise = 0;
  double forgetting = 1;
  bool robust = false;
  bool filter_warmup = true;

  // The mixture.
  double tracker = 1;           // forgetting of one more member; 1: none
  std::int64_t challenger = 0;  // rewards after which it begins anew; 0: none
  bool linear = false;
  bool near_linear = false;  // head=full, skip=true
  double degrees = 8;
  double share = 1e-5;
};

// All of them.
const OptionTable<FilterAgentOptions>& filter_agent_options();
// Those of a filter in the original space, one coordinate per weight.
const OptionTable<FilterAgentOptions>& original_space_options();

// Throws Error where options do not go together.
void check(const FilterAgentOptions& options);

}  // namespace bandolier
