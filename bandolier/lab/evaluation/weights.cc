#include "bandolier/lab/evaluation/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bandolier/core/text.h"

namespace bandolier {
namespace {

constexpr double kDecade = 4;       // bins
constexpr double kLeastPower = -3;  // of ten

std::size_t bin_of(double weight) {
  if (!(weight > 0)) return 0;
  const double place = kDecade * (std::log10(weight) - kLeastPower);
  if (place < 0) return 1;
  return std::min<std::size_t>(2 + static_cast<std::size_t>(place), Weights::kBins - 1);
}

}  // namespace

double Weights::bin_start(std::size_t bin) {
  return std::pow(10.0, kLeastPower + (static_cast<double>(bin) - 2) / kDecade);
}

void Weights::add(const LoggedRow& row) {
  const double s = row.count, w = row.weight;
  ++rows_;
  count_ += s;
  squared_counts_ += s * s;
  sum_ += s * w;
  squares_ += s * s * w * w;
  cross_ += s * s * w;
  most_ = std::max(most_, w);
  most_counted_ = std::max(most_counted_, s * w);
  ++bins_[bin_of(w)];
  if (row.logged.empty() || row.target.empty()) return;
  ++known_;
  for (std::size_t a = 0; a < row.target.size(); ++a) {
    if (row.logged[a] == 0) unsupported_ += row.target[a];
  }
}

double Weights::effective_rows() const { return squares_ > 0 ? sum_ * sum_ / squares_ : 0; }

double Weights::mean() const { return sum_ / count_; }

double Weights::mean_deviation() const {
  const double m = mean();
  const double centred = squares_ - 2 * m * cross_ + m * m * squared_counts_;
  return std::sqrt(std::max(0.0, centred)) / count_;
}

std::vector<double> Weights::histogram() const {
  std::vector<double> shares;
  for (const auto bin : bins_) {
    shares.push_back(static_cast<double>(bin) /
                     static_cast<double>(std::max<std::int64_t>(1, rows_)));
  }
  return shares;
}

std::vector<std::string> Weights::warnings() const {
  std::vector<std::string> warnings;
  if (rows_ == 0) return warnings;
  if (sum_ == 0) {
    return {"the policy never does what the log did: nothing is known of it"};
  }
  if (const double n = effective_rows(); n < 100) {
    warnings.push_back(fmt::format("the {} rows tell as much as {:.0f}", with_commas(rows_), n));
  }
  // Four deviations, and a tenth: what weights of a heavy tail do not explain by themselves.
  if (const double off = std::abs(mean() - 1); off > 4 * mean_deviation() && off > 0.1) {
    warnings.push_back(
        fmt::format("the mean weight is {:.2f} and should be 1: propensities are wrong, or the "
                    "policy acts where "
                    "the log never did",
                    mean()));
  }
  if (known_ > 0) {
    if (const double share = unsupported_ / static_cast<double>(known_); share > 1e-3) {
      warnings.push_back(
          fmt::format("{:.1f} % of what the policy does the log never did", 100 * share));
    }
  }
  if (const double share = most_counted_ / sum_; share > 0.1) {
    warnings.push_back(fmt::format("one row carries {:.0f} % of the weight", 100 * share));
  }
  return warnings;
}

}  // namespace bandolier
