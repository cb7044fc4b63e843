#include "bandolier/lab/evaluation/betting.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/stop.h"

namespace bandolier {
namespace {

// The best fraction falls as 1/√rows; one that is off by √2 gains nine tenths of what it would.
constexpr std::array<double, 14> kFractionsOf = {0.9,     0.5,     0x1p-2,  0x1p-3, 0x1p-4,
                                                 0x1p-5,  0x1p-6,  0x1p-7,  0x1p-8, 0x1p-9,
                                                 0x1p-10, 0x1p-11, 0x1p-12, 0x1p-13};

// Prior weights: of fraction j as 1/(j + 1), since few rows need large ones.
constexpr std::array<double, LowerSequence::kKinds> kKindWeights = {0.25, 0.25, 0.5};

constexpr double kMostGain = 1e18;  // of one row, over ν + k: less is cautious
constexpr double kBoundAccuracy = 1e-5, kLeastBound = 1e-12;

}  // namespace

void LowerSequence::bet(std::size_t kind, double phi, double k) {
  Bets& bets = kinds_[kind];
  if (phi + k > 0) {
    bets.gains.push_back(phi + k);
    bets.limits.push_back(k);
  } else {
    ++bets.lost;
  }
}

void LowerSequence::next() {
  if (++rows_ >= next_look_) look();
}

// 1 + f (φ − ν)/(ν + k) = (1 − f) + f (φ + k)/(ν + k)
std::array<double, LowerSequence::kFractions> LowerSequence::Bets::log_capitals(double nu) const {
  std::array<double, kFractions> logs, products;
  for (std::size_t j = 0; j < kFractions; ++j) logs[j] = lost * std::log1p(-kFractionsOf[j]);
  constexpr std::size_t kTogether = 16;  // kMostGain to this power is a double
  for (std::size_t i = 0; i < gains.size(); i += kTogether) {
    products.fill(1);
    const std::size_t end = std::min(i + kTogether, gains.size());
    for (std::size_t t = i; t < end; ++t) {
      const double gain = std::min(gains[t] / (nu + limits[t]), kMostGain);
      for (std::size_t j = 0; j < kFractions; ++j) products[j] *= 1 + kFractionsOf[j] * (gain - 1);
    }
    for (std::size_t j = 0; j < kFractions; ++j) logs[j] += std::log(products[j]);
  }
  return logs;
}

double LowerSequence::log_capital(double nu) const {
  std::array<std::array<double, kFractions>, kKinds> logs;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kKinds; ++i) {
    logs[i] = kinds_[i].log_capitals(nu);
    most = std::max(most, *std::max_element(logs[i].begin(), logs[i].end()));
  }
  double sum = 0, weights = 0;
  for (std::size_t j = 0; j < kFractions; ++j) {
    const double weight = 1 / static_cast<double>(j + 1);
    weights += weight;
    for (std::size_t i = 0; i < kKinds; ++i) {
      sum += weight * kKindWeights[i] * std::exp(logs[i][j] - most);
    }
  }
  return most + std::log(sum / weights);
}

void LowerSequence::look() {
  throw_if_stopped();
  next_look_ = rows_ + std::max<std::int64_t>(1, rows_ / 20);
  const double wanted = std::log(1 / alpha_);
  const auto ruled_out = [&](double nu) { return log_capital(nu) >= wanted; };
  // On a logarithmic scale, since values may be 10⁻³ of the range: in growing steps, then by
  // halves.
  double low = std::max(bound_, kLeastBound), step = 1.001;
  if (!ruled_out(low * step)) return;
  while (low * step < 1 && ruled_out(low * step)) {
    low *= step;
    step *= step;
  }
  double high = std::min(low * step, 1.0);
  while (high > low * (1 + kBoundAccuracy)) {
    const double middle = std::sqrt(low * high);
    (ruled_out(middle) ? low : high) = middle;
  }
  bound_ = low;
}

double LowerSequence::bound() {
  if (rows_ > 0) look();
  return bound_;
}

void BettingSequence::add(const LoggedRow& row) {
  const double r = scaled(row.reward), mean = rows_ > 0 ? sum_ / rows_ : 0.5;
  control_.clear();
  if (!row.logged.empty() && !row.target.empty()) {
    for (std::size_t a = 0; a < row.target.size(); ++a) {
      control_.push_back(doubly_robust_ ? std::clamp(scaled(row.predictions[a]), 0.0, 1.0) : mean);
    }
  }
  add(lower_, row, r, control_);
  for (double& q : control_) q = 1 - q;
  add(upper_, row, 1 - r, control_);
  ++rows_;
  sum_ += r;
}

void BettingSequence::add(Side& side, const LoggedRow& row, double reward,
                          std::span<const double> control) const {
  side.sequence.bet(0, row.weight * reward, 0);
  if (!control.empty()) {
    const double root = rows_ > 0 ? std::sqrt(side.squares / rows_) : 0;
    const std::array<double, 2> limits = {4 * root, side.most};
    std::array<double, 2> phi;
    phi.fill(row.weight * reward);
    for (std::size_t a = 0; a < control.size(); ++a) {
      const double pi = row.target[a], p = row.logged[a], q = control[a];
      if (pi == 0) continue;
      const bool taken = static_cast<Index>(a) == row.action;
      for (std::size_t i = 0; i < limits.size(); ++i) {
        // min(q, k/w(a)), 0 for what the log never does
        phi[i] += (pi - (taken ? row.weight : 0)) * std::min(q, limits[i] * p / pi);
      }
      if (p > 0) side.most = std::max(side.most, pi / p * q);
      if (taken) side.squares += row.weight * q * row.weight * q;
    }
    for (std::size_t i = 0; i < limits.size(); ++i) side.sequence.bet(i + 1, phi[i], limits[i]);
  }
  side.sequence.next();
}

Interval BettingSequence::interval() {
  const double low = lower_.sequence.bound(), high = 1 - upper_.sequence.bound();
  return {rewards_.low + low * rewards_.width(), rewards_.low + high * rewards_.width()};
}

}  // namespace bandolier
