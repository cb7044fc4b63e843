// Intervals by empirical likelihood (Karampatziakis, Langford and Mineiro 2020): the least and the
// greatest mean reward of all distributions near the log's whose weights have mean 1.
#pragma once

#include "bandolier/lab/evaluation/estimator.h"
#include "bandolier/lab/evaluation/interval.h"

namespace bandolier {

// Sums alone, by the Cressie–Read divergence of power −2. For either end one atom more, of an
// extreme weight and an extreme reward, stands for what the log has not seen.
class EmpiricalLikelihood {
 public:
  void add(double weight, double reward, double count);
  // Within `rewards`; `weights` are widened to those seen.
  Interval interval(const RewardRange& rewards, const WeightBounds& weights, double level) const;

 private:
  double lowest(double reward, double sign, double unseen, double radius) const;

  double count_ = 0, squared_counts_ = 0;
  double least_ = 1, most_ = 1;  // weights seen
  // Σ s (1, w, w², w r, w² r, w² r²) but the first
  double w_ = 0, ww_ = 0, wr_ = 0, wwr_ = 0, wwrr_ = 0;
};

}  // namespace bandolier
