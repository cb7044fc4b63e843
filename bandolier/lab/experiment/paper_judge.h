// Comparisons of stored trials, and what they say about a claim. Every comparison asks on which
// side of a border an interval over trials lies: on one side it holds, on the other it fails,
// across it is open. A claim is reproduced where all of its comparisons hold, not reproduced where
// one fails, and undecided else; where one could not be made for want of trials, it is not run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/paper.h"

namespace bandolier {

enum class Verdict { kReproduced, kNotReproduced, kUndecided, kNotRun };
std::string_view verdict_word(Verdict verdict);

// A method on one environment of one problem (PaperTables).
struct Who {
  std::string problem, environment, method;
};

class Judge {
 public:
  explicit Judge(const PaperTables& tables) : tables_(tables) {}

  // Rewards, paired by trial: a − b is above `share` of the oracle's reward (95 % interval).
  void above(const Who& a, const Who& b, double share = 0);
  // a − b lies within ± 2 % of the oracle's reward: two one-sided tests at 5 % (90 % interval).
  void equivalent(const Who& a, const Who& b);
  // a − b is above − 2 % of the oracle's reward.
  void not_below(const Who& a, const Who& b) { above(a, b, -kMargin); }
  // a earns less than `share` of what b does, paired by trial.
  void at_most_share(const Who& a, const Who& b, double share);
  // (a − b) of the first pair is above that of the second, trial by trial.
  void gap_above(const std::vector<std::pair<Who, Who>>& wide,
                 const std::vector<std::pair<Who, Who>>& narrow);
  // Seconds on a processor: a takes more than `factor` times those of b (interval of the log
  // ratio).
  void slower(const Who& a, const Who& b, double factor = 1);
  // a is not above b by its interval: a tie does not beat.
  void not_above(const Who& a, const Who& b);
  // The same as `above` in more than half of these pairs; fails where it could not be, were all
  // open ones to hold.
  void mostly_above(const std::vector<std::pair<Who, Who>>& pairs, double share = 0);
  // Of all pairs of methods, those whose means ± standard deviations overlap: a share in [0,
  // 1]. Nothing, and the claim not run, where one has fewer than two trials.
  std::optional<double> overlapping(const std::vector<Who>& methods);
  // Something that no interval belongs to: bytes, exponents, shares.
  void holds(bool holds, std::string numbers);

  // Means over trials; nothing, and the claim not run, where there is none.
  std::optional<double> seconds(const Who& who);  // on a processor
  // Of these, those of all decisions and rewards, and of the warm-up.
  std::optional<double> online_seconds(const Who& who);
  std::optional<double> warmup_seconds(const Who& who);
  std::optional<double> step_us(const Who& who);  // the median of a step, by the wall
  std::optional<double> bytes(const Who& who);
  std::optional<double> parameters(const Who& who);
  std::optional<double> subspace_dim(const Who& who);
  std::optional<double> uniform(const Who& who);  // what any action at random earns
  std::optional<double> steps(const Who& who);
  std::optional<double> reward(const Who& who);

  Verdict verdict() const;
  std::string numbers() const;

  static constexpr double kMargin = 0.02;

 private:
  struct Trials;
  enum class Outcome { kHolds, kFails, kOpen };

  std::optional<Trials> find(const Who& who);
  // The mean of a value of its trials.
  template <class Field>
  std::optional<double> mean(const Who& who, Field field);
  void add(Outcome outcome, std::string numbers);
  static Outcome side(const Estimate& estimate, double border);

  const PaperTables& tables_;
  std::vector<Outcome> outcomes_;
  std::vector<std::string> sentences_;
  bool missing_ = false;
};

}  // namespace bandolier
