// Quantiles of durations in constant memory: counts in buckets whose width is 1 % of their value.
#pragma once

#include <array>
#include <cstdint>

namespace bandolier {

class LatencyHistogram {
 public:
  void add(double seconds);
  std::int64_t count() const { return count_; }

  // The duration in seconds that a share `q` (0 .. 1) of those added did not exceed, within 1 %;
  // 0 where none was added. O(buckets).
  double quantile(double q) const;

 private:
  // Bucket i holds [kFirst·1.01^i, kFirst·1.01^(i+1)): 10 ns to about 1,000 s.
  static constexpr double kFirst = 1e-8, kRatio = 1.01;
  std::array<std::int64_t, 2560> buckets_{};
  std::int64_t count_ = 0;
};

}  // namespace bandolier
