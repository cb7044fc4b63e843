#include "bandolier/lab/evaluation/term_moments.h"

#include <utility>

namespace bandolier {

TermMoments::TermMoments(Index terms)
    : terms_(terms),
      shifted_(static_cast<std::size_t>(terms)),
      sums_(shifted_.size()),
      squared_sums_(shifted_.size()),
      products_(shifted_.size() * shifted_.size()) {}

void TermMoments::add(std::span<const double> terms, double count) {
  if (rows_ == 0) shift_.assign(terms.begin(), terms.end());
  ++rows_;
  count_ += count;
  const double squared = count * count;
  squared_counts_ += squared;
  for (Index j = 0; j < terms_; ++j) {
    const auto i = static_cast<std::size_t>(j);
    shifted_[i] = terms[i] - shift_[i];
    sums_[i] += count * shifted_[i];
    squared_sums_[i] += squared * shifted_[i];
    for (Index k = 0; k <= j; ++k) {
      products_[at(k, j)] += squared * shifted_[i] * shifted_[static_cast<std::size_t>(k)];
    }
  }
}

std::vector<double> TermMoments::means() const {
  std::vector<double> means = sums_;
  for (std::size_t j = 0; j < means.size(); ++j) means[j] = shift_[j] + sums_[j] / count_;
  return means;
}

double TermMoments::covariance(Index j, Index k) const {
  if (j > k) std::swap(j, k);
  const auto a = static_cast<std::size_t>(j), b = static_cast<std::size_t>(k);
  const double m = sums_[a] / count_, o = sums_[b] / count_;
  const double centred =
      products_[at(j, k)] - m * squared_sums_[b] - o * squared_sums_[a] + m * o * squared_counts_;
  const auto n = static_cast<double>(rows_);
  return n / (n - 1) * centred / (count_ * count_);
}

}  // namespace bandolier
