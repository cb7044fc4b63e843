// The value of a policy by one estimator, with its interval, from rows that come one at a time; and
// the difference of two policies from the same rows.
#pragma once

#include <optional>
#include <string>

#include "bandolier/core/random.h"
#include "bandolier/lab/evaluation/betting.h"
#include "bandolier/lab/evaluation/bootstrap.h"
#include "bandolier/lab/evaluation/empirical_likelihood.h"
#include "bandolier/lab/evaluation/estimators.h"
#include "bandolier/lab/evaluation/interval.h"

namespace bandolier {

struct IntervalOptions {
  IntervalKind kind = IntervalKind::kBootstrap;
  std::optional<RewardRange> rewards = {};  // empirical-likelihood and betting need it
  double level = kLevel;
};

// Throws Error where an estimator has no interval of that kind, or the range is missing.
void check_interval(const NamedEstimator& estimator, const IntervalOptions& options);

struct Figure {
  double value = std::numeric_limits<double>::quiet_NaN();
  Interval interval;
  Index choice = 0;
  std::string chosen;  // the parameter that was tuned: tau=10
  bool empty = false;  // a confidence sequence has ruled every value out; the interval is the range
};

class Estimation {
 public:
  // `estimator` must outlive it.
  Estimation(const NamedEstimator& estimator, const IntervalOptions& options);

  void add(const LoggedRow& row);
  std::int64_t rows() const { return moments_.rows(); }
  // Of a tuned parameter the interval is that of the least biased one, which holds whatever the
  // bias of the choice, widened to the value.
  Figure figure(const WeightBounds& weights, const Random& random);

 private:
  const NamedEstimator& estimator_;
  IntervalOptions options_;
  TermMoments moments_;
  std::optional<Buckets> buckets_;
  std::optional<EmpiricalLikelihood> likelihood_;
  std::optional<BettingSequence> sequence_;
  std::vector<double> terms_;
};

// V(first) − V(second). Rows are paired, so that what both policies share cancels; only from
// confidence sequences it is the difference of two bounds, each of half the error. Where the kind
// is empirical-likelihood, which has none of a difference, the bootstrap's.
class DifferenceEstimation {
 public:
  DifferenceEstimation(const NamedEstimator& estimator, const IntervalOptions& options);

  void add(const LoggedRow& first, const LoggedRow& second);
  // `first`, `second`: their figures. As there, intervals are those of the least biased parameter.
  Figure figure(const Figure& first, const Figure& second, const WeightBounds& first_weights,
                const WeightBounds& second_weights, const Random& random);

 private:
  const NamedEstimator& estimator_;
  IntervalOptions options_;
  TermMoments moments_;
  std::optional<Buckets> buckets_;
  std::optional<BettingSequence> first_, second_;
  std::vector<double> terms_;
};

}  // namespace bandolier
