// How a belief becomes a choice. A policy knows nothing of beliefs: it asks a Scorer for means,
// samples or standard deviations of the rewards of all actions, and picks the best (ties broken by
// the stream).
//
//   thompson        the best of one posterior sample, its deviations scaled by a temperature
//   ucb             the best of mean + alpha · standard deviation
//   greedy          the best mean
//   epsilon-greedy  any action with probability epsilon, else the best mean
//   uniform         any action
//
// Thompson sampling and ucb may be optimistic besides (optimism.h). Only actions that the context
// allows are taken.
//
// choose takes an action, as quickly as it can. decide finds the probability of every action first,
// and draws the action from them: what it says of its decision is exact by construction.
#pragma once

#include <optional>
#include <span>

#include "bandolier/core/options.h"
#include "bandolier/policy/decision.h"
#include "bandolier/policy/pulls.h"
#include "bandolier/policy/scorer.h"
#include "bandolier/policy/temperature.h"

namespace bandolier {

enum class PolicyKind { kThompson, kUcb, kGreedy, kEpsilonGreedy, kUniform };
Words words_of(PolicyKind);

// What every agent has, whatever its policy.
struct ExplorationOptions {
  double exploration_floor = 0;  // ε: q ← (1 − ε) q + ε / K, K the actions that are allowed
};
const OptionTable<ExplorationOptions>& exploration_options();

// Agents derive their options from these, include() the table, and may set other defaults in their
// constructor.
struct PolicyOptions : ExplorationOptions {
  PolicyKind policy = PolicyKind::kThompson;
  std::optional<double> temperature;    // nothing: falls with each action's pulls
  double temperature_floor = 0.3;       // what it falls to
  double menu_temperature_floor = 0.3;  // the same where actions change
  double temperature_pulls = 10;        // how fast, in pulls of the action
  double optimism = 0;                  // thompson, ucb: raises scores, times √(ln t / pulls)
  double alpha = 1;                     // ucb: standard deviations added to the mean
  double epsilon = 0.05;                // epsilon-greedy: share of uniform choices
};
const OptionTable<PolicyOptions>& policy_options();

// Rows that an agent takes at once in a batch: enough for matrix products to run at their speed,
// and few enough for what they make to stay in the cache.
inline constexpr std::size_t kBatchRows = 64;

// Posterior samples whose shares of wins are probabilities, where scores are correlated.
inline constexpr int kShareSamples = 64;

class Policy {
 public:
  // `fixed_actions`: ProblemShape's.
  explicit Policy(const PolicyOptions& options, bool fixed_actions = true);

  // Fills scratch.scores and returns the decision, its propensity where the policy knows it (always
  // but for thompson).
  Decision choose(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                  Scratch& scratch) const;

  // The same policy with the probabilities of all actions. Thompson sampling has them by quadrature
  // where scores are independent normals (win_probability.h), else as shares of kShareSamples
  // posterior samples; the others in closed form. Scores are the last sample's, or, by quadrature,
  // their means.
  Decision decide(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                  Scratch& scratch) const;

  // As many actions as `best` has room for, at most those that are allowed, the best first: all
  // places go by the same scores, and each explores as choose does.
  void top(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
           Scratch& scratch, std::span<Index> best) const;

  // The action for each context, decided as by choose with random.fork(first + i).
  void choose_batch(BatchScorer& scorer, std::span<const Context> contexts, const Pulls& pulls,
                    const Random& random, std::uint32_t first, BatchScores& memory,
                    std::span<Index> actions) const;

 private:
  bool optimistic() const;
  void find_temperatures(const Context& context, const Pulls& pulls, Scratch& scratch) const;
  // What thompson has one sample for, and the others one value. `contest`: scores below the
  // highest need not be exact.
  void find_scores(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                   Scratch& scratch, bool contest) const;
  void add_optimism(const Context& context, const Pulls& pulls, std::span<float> scores) const;
  // The action for these scores; the stream breaks ties (and is drawn from for ties alone) and
  // explores. NaN is below all.
  Decision pick(std::span<const float> scores, const Context& context, Random& random) const;
  // How often any allowed action is taken whatever its score.
  double uniform_share() const;

  PolicyOptions options_;
  Temperature temperature_;
};

}  // namespace bandolier
