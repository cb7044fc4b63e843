// Bootstrap intervals of functions of means: all terms of a row are drawn together, a normaliser as
// well as what it divides.
#pragma once

#include <optional>

#include "bandolier/core/random.h"
#include "bandolier/lab/evaluation/estimator.h"
#include "bandolier/lab/evaluation/interval.h"

namespace bandolier {

// The rows, or sums of some: row i belongs to bucket i mod 4096. Buckets are drawn in place of
// rows: their sums keep the cumulants of the mean, and memory and time do not grow with the log.
class Buckets {
 public:
  static constexpr std::size_t kMost = 4096;

  explicit Buckets(Index terms) : terms_(static_cast<std::size_t>(terms)) {}
  void add(std::span<const double> terms, double count);

  std::size_t size() const { return counts_.size(); }
  std::size_t terms() const { return terms_; }
  double count(std::size_t bucket) const { return counts_[bucket]; }
  std::span<const double> sums(std::size_t bucket) const {
    return {sums_.data() + bucket * terms_, terms_};
  }

 private:
  std::size_t terms_, next_ = 0;
  std::vector<double> counts_, sums_;
};

inline constexpr int kResamples = 2000;

// Bias-corrected and accelerated (Efron 1987), which is right to second order where weights make
// the estimate skew; acceleration by the jackknife over buckets. Unbounded where there are fewer
// than two rows. The same random gives the same interval. O(kResamples · buckets · terms).
Interval bootstrap_interval(const Estimator& estimator, Index choice, const Buckets& buckets,
                            double rows, const WeightBounds& weights, double level, Random random);

}  // namespace bandolier
