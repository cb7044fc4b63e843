#include "bandolier/policy/win_probability.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bandolier {
namespace {

constexpr double kReach = 7;         // Φ(−7) = 1.3e-12: who is further behind never wins
constexpr double kSure = 6;          // Φ(6) = 1 − 1e-9
constexpr float kNothing = 1e-10f;   // of F
constexpr double kNarrowest = 1e-5;  // a deviation, in units of the largest: a step to all others
constexpr double kTolerance = 1e-3;  // of Σq
constexpr int kMostSplits = 4;

// Gauss–Legendre on [−1, 1].
constexpr float kPoints[8] = {-0.9602898565f, -0.7966664774f, -0.5255324099f, -0.1834346425f,
                              0.1834346425f,  0.5255324099f,  0.7966664774f,  0.9602898565f};
constexpr float kWeights[8] = {0.1012285363f, 0.2223810345f, 0.3137066459f, 0.3626837834f,
                               0.3626837834f, 0.3137066459f, 0.2223810345f, 0.1012285363f};

// Φ(t) and φ(t)/Φ(t), by the rational form of the tail beyond |t| (Abramowitz and Stegun 26.2.17):
// φ(t)·p(u), u = 1/(1 + 0.2316419 |t|), to 7.5e-8.
template <class Array>
void distribution(const Array& t, Array& below, Array& hazard) {
  const Array density = (-0.5f * t * t).exp() * 0.3989422804f;
  for (Eigen::Index k = 0; k < t.size(); ++k) {
    const float u = 1 / (1 + 0.2316419f * std::abs(t[k]));
    const float p =
        u * (0.319381530f +
             u * (-0.356563782f + u * (1.781477937f + u * (-1.821255978f + u * 1.330274429f))));
    const float tail = density[k] * p;
    const float above_half = 1 - tail;
    below[k] = t[k] < 0 ? tail : above_half;
    hazard[k] = t[k] < 0 ? 1 / p : density[k] / above_half;
  }
}

}  // namespace

void WinProbability::keep_contenders(std::span<const float> mean, std::span<const float> deviation,
                                     std::span<const std::uint8_t> available) {
  const auto contends = [&](std::size_t i) {
    return (available.empty() || available[i] != 0) && std::isfinite(mean[i]) &&
           std::isfinite(deviation[i]);
  };
  normals_.clear();
  std::size_t best = mean.size();
  float widest = 0;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (!contends(i)) continue;
    widest = std::max(widest, deviation[i]);
    if (best == mean.size() || mean[i] > mean[best]) best = i;
  }
  if (best == mean.size()) return;
  const double narrowest = kNarrowest * static_cast<double>(widest);
  const auto spread = [&](std::size_t i) {
    return std::max(narrowest, static_cast<double>(deviation[i]));
  };
  const auto top = static_cast<double>(mean[best]);
  const double best_spread = spread(best);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (!contends(i)) continue;
    const double s = spread(i), behind = top - static_cast<double>(mean[i]);
    if (behind * behind > kReach * kReach * (s * s + best_spread * best_spread)) continue;
    // From the best on: beside large means a deviation would be lost in rounding.
    normals_.push_back({i, -behind, s, 0, {}});
  }
}

void WinProbability::cut() {
  cuts_.clear();
  double low = -std::numeric_limits<double>::infinity();  // below it F is below 1e-9
  for (const Normal& one : normals_) low = std::max(low, one.mean - 6 * one.deviation);
  for (const Normal& one : normals_) {
    for (const double step : {-6.0, -3.0, -1.0, 1.0, 3.0, 6.0}) {
      const double x = one.mean + step * one.deviation;
      if (x >= low) cuts_.push_back({x, one.deviation});
    }
  }
  std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) { return a.x < b.x; });
  // The first and the last stay: they are the range.
  const Cut last = cuts_.back();
  std::size_t kept = 1;
  for (std::size_t i = 1; i < cuts_.size(); ++i) {
    const Cut& before = cuts_[kept - 1];
    if (cuts_[i].x - before.x >= 0.7 * std::min(cuts_[i].deviation, before.deviation)) {
      cuts_[kept++] = cuts_[i];
    }
  }
  cuts_.resize(kept);
  if (cuts_.back().x < last.x) cuts_.push_back(last);
}

float WinProbability::add_panel(double from, double to) {
  const double centre = (from + to) / 2, half = (to - from) / 2;
  const Nodes points = Nodes::Map(kPoints);
  Nodes all = Nodes::Map(kWeights);
  Nodes below;
  for (Normal& one : normals_) {
    const auto at = static_cast<float>((centre - one.mean) / one.deviation);
    const auto width = static_cast<float>(half / one.deviation);
    if (at - width > kSure) {  // below all nodes
      one.hazard.setZero();
      continue;
    }
    distribution<Nodes>(at + width * points, below, one.hazard);
    all *= below;
  }
  for (Normal& one : normals_) {
    one.q += half / one.deviation * static_cast<double>((all * one.hazard).sum());
  }
  return all.maxCoeff();
}

void WinProbability::integrate(int splits) {
  for (Normal& one : normals_) one.q = 0;
  // From above, since F falls: of many alike only the upper panels count.
  for (std::size_t i = cuts_.size() - 1; i > 0; --i) {
    const double to = cuts_[i].x, width = (to - cuts_[i - 1].x) / splits;
    for (int s = 0; s < splits; ++s) {
      if (add_panel(to - (s + 1) * width, to - s * width) < kNothing) return;
    }
  }
}

void WinProbability::compute(std::span<const float> mean, std::span<const float> deviation,
                             std::span<const std::uint8_t> available, std::span<double> q) {
  normals_.reserve(mean.size());
  cuts_.reserve(6 * mean.size() + 1);
  keep_contenders(mean, deviation, available);
  std::fill(q.begin(), q.end(), 0.0);
  if (normals_.empty()) {
    const auto closed = std::count(available.begin(), available.end(), std::uint8_t{0});
    const double each = 1 / (static_cast<double>(q.size()) - static_cast<double>(closed));
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (available.empty() || available[i] != 0) q[i] = each;
    }
    return;
  }
  if (normals_.front().deviation == 0) {  // all are known: those kept are the best
    for (const Normal& one : normals_) q[one.index] = 1 / static_cast<double>(normals_.size());
    return;
  }
  if (normals_.size() == 1) {
    q[normals_.front().index] = 1;
    return;
  }
  cut();
  double sum = 0;
  for (int splits = 1; splits <= kMostSplits; splits *= 2) {
    integrate(splits);
    sum = 0;
    for (const Normal& one : normals_) sum += one.q;
    if (std::abs(sum - 1) < kTolerance) break;
  }
  for (const Normal& one : normals_) q[one.index] = one.q / sum;
}

}  // namespace bandolier
