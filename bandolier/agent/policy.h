// How a belief becomes a choice. A policy knows nothing of beliefs: it asks a Scorer for means,
// samples or standard deviations of the rewards of all actions, and picks the best (ties broken by
// the stream).
#pragma once

#include <span>
#include <string>

#include "bandolier/agent/agent.h"
#include "bandolier/core/options.h"

namespace bandolier {

struct PolicyOptions {
  std::string policy = "thompson";    // thompson | ucb | greedy | epsilon-greedy
  std::string temperature = "pulls";  // a number, or pulls: see Temperature
  double temperature_floor = 0.3;     // pulls: what it falls to
  double temperature_pulls = 10;      // pulls: how fast, in pulls of the action
  double alpha = 1;                   // ucb: standard deviations added to the mean
  double epsilon = 0.05;              // epsilon-greedy: share of uniform choices
};
const OptionTable<PolicyOptions>& policy_options();

// The factor on the sampled deviation of an action: τ, or, falling with the action's own pulls n,
// floor + (1 − floor)·exp(−n / pulls).
struct Temperature {
  double floor = 1;
  double scale_pulls = 0;  // 0: constant at floor
  float at(std::int64_t pulls) const;
};

// What an agent offers for one context. Scores go to `out`, one an action.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual void mean(std::span<float> out) = 0;
  // One posterior sample; the deviation of action a's score is multiplied by temperature[a].
  virtual void sample(Random& random, std::span<const float> temperature, std::span<float> out) = 0;
  // Posterior standard deviations of the expected rewards.
  virtual void deviation(std::span<float> out) = 0;
};

// Pull counts are part of what an agent learns (they set the temperature).
class Policy {
 public:
  Policy(const PolicyOptions& options, Index actions);

  // Fills scratch.scores and returns the decision. Scratch for temperatures and deviations is
  // taken from `buffer`.
  Decision choose(Scorer& scorer, const Context& context, Random& random, Scratch& scratch,
                  std::vector<float>& buffer) const;

  void count(const Context& context, Index action);  // one more pull of this action (by its id)
  std::int64_t pulls(std::int64_t action_id) const;

  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  PolicyOptions options_;
  Temperature temperature_;
  std::vector<std::int64_t> pulls_;  // by action id (ids beyond `actions` share by remainder)
};

// The index of the largest score, ties broken uniformly by the stream. O(n).
Index argmax(std::span<const float> scores, Random& random);

}  // namespace bandolier
