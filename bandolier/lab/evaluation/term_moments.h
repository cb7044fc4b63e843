// Weighted sums of a few terms of each row: all that an estimate and its normal interval need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

class TermMoments {
 public:
  explicit TermMoments(Index terms);

  // O(terms²). `count` is what the row stands for.
  void add(std::span<const double> terms, double count);

  Index terms() const { return terms_; }
  std::int64_t rows() const { return rows_; }
  double count() const { return count_; }  // Σs
  // (Σs)²/Σs²: as many rows of equal counts would tell as much.
  double effective_rows() const { return count_ * count_ / squared_counts_; }
  // m_j = Σ s z_j / Σ s, all of them.
  std::vector<double> means() const;
  // Of two means: n/(n−1) · Σ s² (z_j − m_j)(z_k − m_k) / (Σs)². Needs two rows.
  double covariance(Index j, Index k) const;

 private:
  std::size_t at(Index j, Index k) const { return static_cast<std::size_t>(j * terms_ + k); }

  Index terms_;
  std::int64_t rows_ = 0;
  double count_ = 0, squared_counts_ = 0;
  // Of y = z − the first row's z, so that nothing large is subtracted from anything large.
  std::vector<double> shift_, shifted_;
  std::vector<double> sums_, squared_sums_;  // Σ s y_j, Σ s² y_j
  std::vector<double> products_;             // Σ s² y_j y_k, j ≤ k
};

}  // namespace bandolier
