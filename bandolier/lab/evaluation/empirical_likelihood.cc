#include "bandolier/lab/evaluation/empirical_likelihood.h"

#include <algorithm>
#include <cmath>

#include "bandolier/lab/experiment/statistics.h"

namespace bandolier {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

}  // namespace

void EmpiricalLikelihood::add(double weight, double reward, double count) {
  count_ += count;
  squared_counts_ += count * count;
  least_ = std::min(least_, weight);
  most_ = std::max(most_, weight);
  const double squared = weight * weight;
  w_ += count * weight;
  ww_ += count * squared;
  wr_ += count * weight * reward;
  wwr_ += count * squared * reward;
  wwrr_ += count * squared * reward * reward;
}

// The least mean of sign·w r over masses q_i of n + 1 atoms with Σ q = 1, Σ q w = 1 and
// Σ (q (n + 1) − 1)² = 2 (n + 1) radius: with the line of w r on w through all atoms,
//   its height at w = 1, less √(2 · residual variance · slack),
//   slack = radius − (1 − mean w)² / (2 variance of w).
double EmpiricalLikelihood::lowest(double reward, double sign, double unseen, double radius) const {
  const double scale = count_ / squared_counts_;  // counts sum to the effective number of rows
  const double n = count_ * scale, atoms = n + 1;
  double height = 0, residual = 0, slack = 0;
  if (std::isinf(unseen)) {
    // The limit: an infinite weight fixes the line's slope, and its atom has no residual.
    const double sum = scale * (wr_ - reward * w_);  // of e = w (r − reward)
    const double squares = scale * (wwrr_ - 2 * reward * wwr_ + reward * reward * ww_);
    height = sign * (reward + sum / n);
    residual = (squares - sum * sum / n) / atoms;
    slack = radius - 1 / (2 * n);
  } else {
    const double w = (unseen + scale * w_) / atoms;
    const double ww = (unseen * unseen + scale * ww_) / atoms;
    const double wr = sign * (unseen * reward + scale * wr_) / atoms;
    const double wwr = sign * (unseen * unseen * reward + scale * wwr_) / atoms;
    const double wwrr = (unseen * unseen * reward * reward + scale * wwrr_) / atoms;
    const double variance = ww - w * w, covariance = wwr - w * wr;
    if (!(variance > 1e-14 * ww)) return kNone;
    height = wr + (1 - w) * covariance / variance;
    residual = wwrr - wr * wr - covariance * covariance / variance;
    slack = radius - (1 - w) * (1 - w) / (2 * variance);
  }
  if (slack < 0) return kNone;  // no such masses
  return height - std::sqrt(2 * std::max(0.0, residual) * slack);
}

Interval EmpiricalLikelihood::interval(const RewardRange& rewards, const WeightBounds& weights,
                                       double level) const {
  if (count_ <= 0) return {rewards.low, rewards.high};
  const double low = std::min(weights.low, least_), high = std::max(weights.high, most_);
  const double scale = count_ / squared_counts_, n = count_ * scale, mean = w_ / count_;
  const double t = student_t_quantile(0.5 + level / 2, n);
  // The divergence of the likeliest masses, and how much more is allowed.
  const double unseen = mean < 1 ? high : low;
  double likeliest = 1 + 1 / n;
  if (std::isfinite(unseen)) {
    const double w = (unseen + scale * w_) / (1 + n);
    const double ww = (unseen * unseen + scale * ww_) / (1 + n);
    const double variance = ww - w * w;
    likeliest = variance > 1e-14 * ww ? (1 + n) * (w - 1) * (w - 1) / variance : 0;
  }
  const double radius = (likeliest + t * t) / (2 * (1 + n));
  const auto end = [&](double reward, double sign) {
    const double least =
        std::min(lowest(reward, sign, low, radius), lowest(reward, sign, high, radius));
    return std::isinf(least) ? reward : std::clamp(sign * least, rewards.low, rewards.high);
  };
  return {end(rewards.low, 1), end(rewards.high, -1)};
}

}  // namespace bandolier
