// What an agent answers, and the memory that a caller lends it to find the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bandolier/core/random.h"
#include "bandolier/core/types.h"
#include "bandolier/model/patch_features.h"
#include "bandolier/policy/win_probability.h"

namespace bandolier {

// Of many contexts at once.
struct BatchScores {
  Matrix<float> scores, buffer;  // contexts × actions
  std::vector<Random> streams;   // one per context
};

// Memory for one caller of an agent: made by the agent, reused from call to call, so that the
// steady state allocates nothing. It serves the agent that made it and its clones and snapshots;
// shown to another it is an Error. May hold work of the last choose that the matching observe can
// reuse.
class Scratch {
 public:
  virtual ~Scratch() = default;

  std::vector<float> scores;                         // of the last choose, one per action
  std::vector<float> temperature, deviation, bonus;  // the same
  std::vector<double> probabilities;                 // of the last decide, one per action
  Matrix<float> samples;                             // of the last decide, where it took many
  WinProbability wins;
  BatchScores batch_scores;                 // of the last choose_batch
  PatchScratch patches;                     // where an agent sees those of an image
  std::vector<PatchScratch> batch_patches;  // of choose_batch and observe_batch, one per context
  std::vector<Context> batch_seen;          // of choose_batch, one per context
  std::vector<Experience> batch_rewards;    // of observe_batch

 private:
  friend class Agent;
  std::uint64_t made_for_ = 0;    // agents that it serves
  std::uint64_t ticket_ = 0;      // of the choose whose work is here; 0: none
  std::uint64_t set_up_key_ = 0;  // of the agent that made that choose
  std::uint64_t decisions_ = 0;
};

struct Decision {
  Index action = 0;
  // One per action, in the scratch until its next use. From choose: of an action that could not be
  // taken, perhaps another number below the highest.
  std::span<const float> scores;
  // The probability that `action` had. From choose: where the policy has it in closed form.
  std::optional<double> propensity;
  // Of all actions, from decide: `action` was drawn from them. In the scratch until its next use.
  std::span<const double> probabilities;
  // Whether a probability of 0 means "never". False: they are shares of posterior samples, and
  // another draw might have given the action a share; an estimate from such a log is biased.
  bool full_support = true;
  std::uint64_t ticket = 0;  // lets observe reuse the scratch's work; never needed
};

}  // namespace bandolier
