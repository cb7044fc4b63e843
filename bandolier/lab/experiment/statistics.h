// Means over trials with their uncertainty, and differences paired by seed.
#pragma once

#include <optional>
#include <span>

namespace bandolier {

// Of n values. Spread and interval need two values.
struct Estimate {
  int count = 0;
  double mean = 0;
  std::optional<double> deviation;  // standard deviation, n − 1 in the denominator
  std::optional<double> ci95;       // half-width: t(0.975, n − 1)·deviation / √n
};
Estimate estimate(std::span<const double> values);

// The estimate of a[i] − b[i]: trial i of both saw the same contexts and rewards, so that what they
// share cancels.
Estimate paired_difference(std::span<const double> a, std::span<const double> b);

// The quantile of Student's t with `degrees` of freedom: P(T ≤ t) = p, 0 < p < 1.
double student_t_quantile(double p, double degrees);

// The regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz). Relative
// error about 1e-14.
double incomplete_beta(double a, double b, double x);

}  // namespace bandolier
