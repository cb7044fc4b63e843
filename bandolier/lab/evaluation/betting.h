// Confidence sequences by betting (Waudby-Smith and Ramdas 2023; for logged decisions Waudby-Smith,
// Wu, Ramdas, Karampatziakis and Mineiro 2024): intervals that hold the value at all times at once,
// however often one looks and while the logging policy learns from what it sees.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "bandolier/lab/evaluation/interval.h"
#include "bandolier/lab/evaluation/logged_row.h"

namespace bandolier {

// A bound from below of ν, 0 ≤ ν ≤ 1, where E[φ_t | past] ≤ ν and φ_t ≥ −k_t, k_t known before φ_t.
// For each ν somebody bets that it is too small, with
//   capital = mean over fractions f of Π_t (1 + f (φ_t − ν)/(ν + k_t)),  0 < f < 1,
// a supermartingale if ν is right: it ever reaches 1/α with probability α at most (Ville), and
// those ν for which it has are ruled out. It falls with ν, so that they are all below one bound.
// There may be two kinds of φ; capitals are then averaged. Rules nothing out but at looks, which
// come when the rows have grown by a twentieth. Memory: rows with φ ≠ −k.
class LowerSequence {
 public:
  static constexpr std::size_t kKinds = 3;

  explicit LowerSequence(double alpha) : alpha_(alpha) {}
  // For one row: at most one bet of each kind, then next().
  void bet(std::size_t kind, double phi, double k);
  void next();
  double bound();  // of all rows so far; never falls

 private:
  static constexpr std::size_t kFractions = 14;
  struct Bets {
    std::vector<double> gains, limits;  // φ + k > 0, and k
    double lost = 0;                    // how many had φ = −k
    std::array<double, kFractions> log_capitals(double nu) const;
  };
  double log_capital(double nu) const;
  void look();

  double alpha_;
  std::array<Bets, kKinds> kinds_;
  std::int64_t rows_ = 0, next_look_ = 16;
  double bound_ = 0;
};

// Of a policy's value. With r and q scaled to [0, 1],
//   lower: φ = w r − min(w q, k) + Σ_a π(a) min(q(a), k p(a)/π(a)),
//   upper: the same of 1 − r and 1 − q.
// One kind has q = 0 and k = 0. Where all of p are known there are two more, whose q are the
// predictions (dr) or the mean reward before (ips): k is the largest w q of any action in the rows
// before, or four times the root mean square of those of the actions taken.
class BettingSequence {
 public:
  BettingSequence(const RewardRange& rewards, bool doubly_robust, double level)
      : rewards_(rewards),
        doubly_robust_(doubly_robust),
        lower_((1 - level) / 2),
        upper_((1 - level) / 2) {}

  // Rewards within the range; for dr with predictions. Predictions are cut to the range.
  void add(const LoggedRow& row);
  // Low above high where every value has been ruled out: one of the few logs that may miss, or
  // propensities that are wrong.
  Interval interval();

 private:
  // One bound, and what the rows before said of k.
  struct Side {
    explicit Side(double alpha) : sequence(alpha) {}
    LowerSequence sequence;
    double most = 0, squares = 0;
  };
  double scaled(double reward) const { return (reward - rewards_.low) / rewards_.width(); }
  // `reward`, `control`: r and q of this side.
  void add(Side& side, const LoggedRow& row, double reward, std::span<const double> control) const;

  RewardRange rewards_;
  bool doubly_robust_;
  Side lower_, upper_;  // of the mean, and of 1 − mean
  std::vector<double> control_;
  double rows_ = 0, sum_ = 0;
};

}  // namespace bandolier
