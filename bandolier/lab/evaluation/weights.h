// What weights tell of an estimate before anybody reads it: whether the log could know.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bandolier/lab/evaluation/logged_row.h"

namespace bandolier {

class Weights {
 public:
  void add(const LoggedRow& row);

  std::int64_t rows() const { return rows_; }
  double effective_rows() const;  // (Σ s w)² / Σ (s w)²
  double mean() const;            // Σ s w / Σ s; 1 where propensities are right
  double mean_deviation() const;  // of that mean
  double most() const { return most_; }

  // What a reader must be told: few effective rows, a mean weight that is not 1, a policy that acts
  // where the log never did, one row that decides.
  std::vector<std::string> warnings() const;

  // Shares of the rows: w = 0, w below 10^(−3), then four bins a decade up to 10⁴, the rest.
  static constexpr std::size_t kBins = 31;
  static double bin_start(std::size_t bin);  // the least weight of bins 2 and above
  std::vector<double> histogram() const;

 private:
  std::int64_t rows_ = 0, known_ = 0;
  double count_ = 0, squared_counts_ = 0;
  double sum_ = 0, squares_ = 0, cross_ = 0;  // Σ s w, Σ s² w², Σ s² w
  double most_ = 0, most_counted_ = 0;        // w, s w
  double unsupported_ = 0;                    // Σ over rows of Σ_{p(a) = 0} π(a)
  std::vector<std::int64_t> bins_ = std::vector<std::int64_t>(kBins);
};

}  // namespace bandolier
