// How a belief becomes a choice. A policy knows nothing of beliefs: it asks a Scorer for means,
// samples or standard deviations of the rewards of all actions, and picks the best (ties broken by
// the stream).
//
//   thompson        the best of one posterior sample, its deviations scaled by a temperature
//   ucb             the best of mean + alpha · standard deviation
//   greedy          the best mean
//   epsilon-greedy  any action with probability epsilon, else the best mean
//
// Thompson sampling and ucb may be optimistic about actions rarely pulled, whatever the belief
// says: with n of t pulls spent on an action and u the rewards' size √(mean y²), its score is
// raised by
//   optimism · u · √(ln(1 + t) / (1 + n))
// as in UCB1 (Auer et al. 2002). It insures against a model that is wrong about what it has hardly
// tried, and costs little where actions differ much: n stays near ln t · (optimism · u / gap)².
#pragma once

#include <optional>
#include <span>

#include "bandolier/core/archive.h"
#include "bandolier/core/options.h"
#include "bandolier/core/random.h"
#include "bandolier/model/context.h"
#include "bandolier/policy/decision.h"

namespace bandolier {

enum class PolicyKind { kThompson, kUcb, kGreedy, kEpsilonGreedy };
inline Words words_of(PolicyKind) {
  static constexpr std::string_view kWords[] = {"thompson", "ucb", "greedy", "epsilon-greedy"};
  return kWords;
}

// Agents derive their options from these, include() the table, and may set other defaults in their
// constructor.
struct PolicyOptions {
  PolicyKind policy = PolicyKind::kThompson;
  std::optional<double> temperature;  // nothing: falls with an action's pulls (see Temperature)
  double temperature_floor = 0.3;     // pulls: what it falls to
  double temperature_pulls = 10;      // pulls: how fast, in pulls of the action
  double optimism = 0;                // thompson, ucb: raises scores, times √(ln t / pulls)
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

// The same for many contexts with the same number of actions: a context a row, an action a column.
// `random` has one stream a row, drawn from as Scorer::sample draws from its own.
class BatchScorer {
 public:
  virtual ~BatchScorer() = default;
  virtual void mean(MatrixRef<float> out) = 0;
  virtual void sample(std::span<Random> random, const ConstMatrixRef<float>& temperature,
                      MatrixRef<float> out) = 0;
  virtual void deviation(MatrixRef<float> out) = 0;
};

// Rows that an agent takes at once in a batch: enough for matrix products to run at their speed,
// and few enough for what they make to stay in the cache.
inline constexpr std::size_t kBatchRows = 64;

// Throws Error unless there is room for one action a context.
void check_batch(std::span<const Context> contexts, std::span<const Index> actions);

// The caller's memory for a batch.
struct BatchScores {
  Matrix<float> scores, buffer;  // contexts × actions
  std::vector<Random> streams;   // one a context
};

// Pull counts and the rewards' size are part of what an agent learns: they set temperature and
// optimism.
class Policy {
 public:
  Policy(const PolicyOptions& options, Index actions);

  // Fills scratch.scores and returns the decision, its propensity where the policy knows it (always
  // but for thompson). Scratch for temperatures and deviations is taken from `buffer`.
  Decision choose(Scorer& scorer, const Context& context, Random& random, Scratch& scratch,
                  std::vector<float>& buffer) const;

  // The action for each context, decided as by choose with random.fork(first + i).
  void choose_batch(BatchScorer& scorer, std::span<const Context> contexts, const Random& random,
                    std::uint32_t first, BatchScores& memory, std::span<Index> actions) const;
  bool asks_for_deviations() const { return kind_ == PolicyKind::kUcb; }

  // One more pull of this action (by its id) and what it earned.
  void count(const Context& context, Index action, float reward);
  std::int64_t pulls(std::int64_t action_id) const;

  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  std::size_t slot(std::int64_t action_id) const;
  float temperature(const Context& context, Index action) const;
  float bonus(const Context& context, Index action) const;  // of optimism
  // The action for these scores; the stream breaks ties and explores.
  Decision decide(std::span<const float> scores, Random& random) const;

  PolicyKind kind_;
  double alpha_;
  double epsilon_;
  double optimism_;
  Temperature temperature_;
  std::vector<std::int64_t> pulls_;  // by action id (ids beyond `actions` share by remainder)
  std::int64_t total_ = 0;           // of the pulls
  double mean_square_ = 0;  // of the rewards, each counted as at most 5 times its root so far
};

// The index of the largest score, ties broken uniformly by the stream (which is drawn from for ties
// alone). NaN is below all. O(n).
Index argmax(std::span<const float> scores, Random& random);

}  // namespace bandolier
