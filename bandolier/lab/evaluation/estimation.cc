#include "bandolier/lab/evaluation/estimation.h"

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/lab/evaluation/normal_interval.h"

namespace bandolier {
namespace {

// The difference of two values of one estimator: a function of both policies' terms.
class Difference : public Estimator {
 public:
  Difference(const Estimator& estimator, Index first, Index second,
             const WeightBounds& first_weights, const WeightBounds& second_weights)
      : estimator_(estimator),
        first_(first),
        second_(second),
        first_weights_(first_weights),
        second_weights_(second_weights) {}

  Index terms() const override { return 2 * estimator_.terms(); }
  void terms_of(const LoggedRow&, std::span<double>) const override {
    fail("a difference has the terms of two rows");
  }
  double value(const Means& means, Index) const override {
    const auto half = means.of.size() / 2;
    return estimator_.value({means.of.first(half), means.rows, first_weights_}, first_) -
           estimator_.value({means.of.last(half), means.rows, second_weights_}, second_);
  }

 private:
  const Estimator& estimator_;
  Index first_, second_;
  WeightBounds first_weights_, second_weights_;
};

bool resamples(IntervalKind kind) {
  return kind == IntervalKind::kBootstrap || kind == IntervalKind::kEmpiricalLikelihood;
}

void widen(Figure& figure) {
  figure.interval.low = std::min(figure.interval.low, figure.value);
  figure.interval.high = std::max(figure.interval.high, figure.value);
}

BettingSequence sequence(const NamedEstimator& estimator, const IntervalOptions& options,
                         double level) {
  return BettingSequence(*options.rewards, estimator.sequence == Sequence::kDoublyRobust, level);
}

}  // namespace

void check_interval(const NamedEstimator& estimator, const IntervalOptions& options) {
  const auto word = to_word(options.kind);
  if (options.kind == IntervalKind::kEmpiricalLikelihood && !estimator.of_weights) {
    fail(
        "estimator '{}' has no interval '{}': expected ips, snips or cressie-read, or another "
        "interval",
        estimator.text, word);
  }
  if (options.kind == IntervalKind::kBetting && estimator.sequence == Sequence::kNone) {
    fail(
        "estimator '{}' has no interval '{}': expected ips or dr without parameters, or another "
        "interval",
        estimator.text, word);
  }
  const bool needs =
      options.kind == IntervalKind::kEmpiricalLikelihood || options.kind == IntervalKind::kBetting;
  if (needs && !options.rewards) {
    fail(
        "interval '{}' needs the least and the greatest reward that can be: add --reward-range "
        "LOW,HIGH",
        word);
  }
}

Estimation::Estimation(const NamedEstimator& estimator, const IntervalOptions& options)
    : estimator_(estimator),
      options_(options),
      moments_(estimator.estimator->terms()),
      terms_(static_cast<std::size_t>(estimator.estimator->terms())) {
  check_interval(estimator, options);
  switch (options.kind) {
    case IntervalKind::kNormal:
      break;
    case IntervalKind::kBootstrap:
      buckets_.emplace(estimator.estimator->terms());
      break;
    case IntervalKind::kEmpiricalLikelihood:
      likelihood_.emplace();
      break;
    case IntervalKind::kBetting:
      sequence_.emplace(sequence(estimator, options, options.level));
      break;
  }
}

void Estimation::add(const LoggedRow& row) {
  estimator_.estimator->terms_of(row, terms_);
  moments_.add(terms_, row.count);
  if (buckets_) buckets_->add(terms_, row.count);
  if (likelihood_) likelihood_->add(row.weight, row.reward, row.count);
  if (sequence_) sequence_->add(row);
}

Figure Estimation::figure(const WeightBounds& weights, const Random& random) {
  Figure figure;
  if (moments_.rows() == 0) return figure;
  const Estimator& estimator = *estimator_.estimator;
  const double rows = moments_.effective_rows();
  figure.choice = estimator.choose(moments_);
  figure.chosen = estimator.choice_text(figure.choice);
  figure.value = estimator.value({moments_.means(), rows, weights}, figure.choice);
  // Of a parameter that was tuned the least biased one's interval, since nobody knows the bias of
  // the choice; it is widened to the value.
  constexpr Index kLeastBiased = 0;
  if (likelihood_) {
    figure.interval = likelihood_->interval(*options_.rewards, weights, options_.level);
  } else if (sequence_) {
    figure.interval = sequence_->interval();
    if (figure.interval.low > figure.interval.high) {
      figure.empty = true;
      figure.interval = {options_.rewards->low, options_.rewards->high};
    }
  } else if (buckets_) {
    figure.interval = bootstrap_interval(estimator, kLeastBiased, *buckets_, rows, weights,
                                         options_.level, random);
  } else {
    figure.interval = normal_interval(estimator, kLeastBiased, moments_, weights, options_.level);
  }
  if (figure.choice != kLeastBiased) widen(figure);
  return figure;
}

DifferenceEstimation::DifferenceEstimation(const NamedEstimator& estimator,
                                           const IntervalOptions& options)
    : estimator_(estimator),
      options_(options),
      moments_(2 * estimator.estimator->terms()),
      terms_(static_cast<std::size_t>(2 * estimator.estimator->terms())) {
  if (resamples(options.kind)) buckets_.emplace(2 * estimator.estimator->terms());
  if (options.kind == IntervalKind::kBetting) {
    first_.emplace(sequence(estimator, options, (1 + options.level) / 2));
    second_.emplace(sequence(estimator, options, (1 + options.level) / 2));
  }
}

void DifferenceEstimation::add(const LoggedRow& first, const LoggedRow& second) {
  const std::span<double> terms = terms_;
  estimator_.estimator->terms_of(first, terms.first(terms.size() / 2));
  estimator_.estimator->terms_of(second, terms.last(terms.size() / 2));
  moments_.add(terms_, first.count);
  if (buckets_) buckets_->add(terms_, first.count);
  if (first_) {
    first_->add(first);
    second_->add(second);
  }
}

Figure DifferenceEstimation::figure(const Figure& first, const Figure& second,
                                    const WeightBounds& first_weights,
                                    const WeightBounds& second_weights, const Random& random) {
  Figure figure;
  figure.value = first.value - second.value;
  if (moments_.rows() == 0) return figure;
  const Difference difference(*estimator_.estimator, 0, 0, first_weights, second_weights);
  if (first_) {
    const Interval a = first_->interval(), b = second_->interval();
    figure.interval = {a.low - b.high, a.high - b.low};
  } else if (buckets_) {
    figure.interval = bootstrap_interval(difference, 0, *buckets_, moments_.effective_rows(), {},
                                         options_.level, random);
  } else {
    figure.interval = normal_interval(difference, 0, moments_, {}, options_.level);
  }
  if (first.choice != 0 || second.choice != 0) widen(figure);
  return figure;
}

}  // namespace bandolier
