#include "bandolier/lab/evaluation/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/stop.h"
#include "bandolier/lab/evaluation/normal_interval.h"

namespace bandolier {
namespace {

// The p-quantile of sorted values, between neighbours in proportion.
double quantile(std::span<const double> sorted, double p) {
  const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == sorted.size()) return sorted[below];
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

class Resampling {
 public:
  Resampling(const Estimator& estimator, Index choice, const Buckets& buckets, double rows,
             const WeightBounds& weights)
      : estimator_(estimator),
        choice_(choice),
        buckets_(buckets),
        rows_(rows),
        weights_(weights),
        totals_(buckets.terms()),
        sums_(totals_.size()),
        means_(totals_.size()) {
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      count_ += buckets.count(b);
      for (std::size_t j = 0; j < totals_.size(); ++j) totals_[j] += buckets.sums(b)[j];
    }
  }

  double of_all() { return value(totals_, count_); }

  double without(std::size_t bucket) {
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      sums_[j] = totals_[j] - buckets_.sums(bucket)[j];
    }
    return value(sums_, count_ - buckets_.count(bucket));
  }

  double drawn(Random& random) {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    double count = 0;
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      const auto bucket = static_cast<std::size_t>(random.below(buckets_.size()));
      count += buckets_.count(bucket);
      const auto some = buckets_.sums(bucket);
      for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j] += some[j];
    }
    return value(sums_, count);
  }

 private:
  double value(std::span<const double> sums, double count) {
    for (std::size_t j = 0; j < means_.size(); ++j) means_[j] = sums[j] / count;
    return estimator_.value({means_, rows_, weights_}, choice_);
  }

  const Estimator& estimator_;
  Index choice_;
  const Buckets& buckets_;
  double rows_;
  WeightBounds weights_;
  double count_ = 0;
  std::vector<double> totals_, sums_, means_;
};

// a = Σ (θ̄ − θ_b)³ / (6 (Σ (θ̄ − θ_b)²)^{3/2}), θ_b the value without bucket b.
double acceleration(Resampling& resampling, std::size_t buckets) {
  std::vector<double> left;
  double mean = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    const double value = resampling.without(b);
    if (std::isfinite(value)) left.push_back(value);
  }
  for (const double value : left) mean += value / static_cast<double>(left.size());
  double squares = 0, cubes = 0;
  for (const double value : left) {
    const double d = mean - value;
    squares += d * d;
    cubes += d * d * d;
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

}  // namespace

void Buckets::add(std::span<const double> terms, double count) {
  const std::size_t bucket = next_++ % kMost;
  if (bucket == counts_.size()) {
    counts_.push_back(0);
    sums_.resize(sums_.size() + terms_);
  }
  counts_[bucket] += count;
  for (std::size_t j = 0; j < terms_; ++j) sums_[bucket * terms_ + j] += count * terms[j];
}

Interval bootstrap_interval(const Estimator& estimator, Index choice, const Buckets& buckets,
                            double rows, const WeightBounds& weights, double level, Random random) {
  if (buckets.size() < 2) return {};
  Resampling resampling(estimator, choice, buckets, rows, weights);
  const double value = resampling.of_all();
  std::vector<double> values;
  double below = 0;
  for (int i = 0; i < kResamples; ++i) {
    throw_if_stopped();
    const double drawn = resampling.drawn(random);
    if (!std::isfinite(drawn)) continue;  // all weights of the draw are 0
    values.push_back(drawn);
    below += drawn < value ? 1 : drawn == value ? 0.5 : 0;
  }
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double bias =
      normal_quantile(std::clamp(below / count, 1 / (count + 1), count / (count + 1)));
  const double a = acceleration(resampling, buckets.size());
  // Φ(z₀ + (z₀ + z)/(1 − a (z₀ + z))); beyond the pole the end of the draws.
  const auto end = [&](double z) {
    const double steps = 1 - a * (bias + z);
    if (steps <= 0) return quantile(values, z < 0 ? 0 : 1);
    return quantile(values, normal_distribution(bias + (bias + z) / steps));
  };
  const double z = normal_quantile(0.5 + level / 2);
  return {end(-z), end(z)};
}

}  // namespace bandolier
