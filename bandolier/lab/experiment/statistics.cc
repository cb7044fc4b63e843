#include "bandolier/lab/experiment/statistics.h"

#include <cmath>
#include <vector>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// The continued fraction of I_x(a, b) (DLMF 8.17.22), for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300, kEpsilon = 1e-15;
  constexpr int kLimit = 1000;
  const auto bounded = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1;
  double d = 1 / bounded(1 - (a + b) * x / (a + 1));
  double h = d;
  for (int m = 1; m < kLimit; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / bounded(1 + even * d);
    c = bounded(1 + even / c);
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / bounded(1 + odd * d);
    c = bounded(1 + odd / c);
    h *= d * c;
    if (std::abs(d * c - 1) < kEpsilon) break;
  }
  return h;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double factor = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                 a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return factor * beta_fraction(a, b, x) / a;
  return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

double student_t_quantile(double p, double degrees) {
  if (p < 0.5) return -student_t_quantile(1 - p, degrees);
  // P(T ≤ t) = 1 − ½ I_{ν/(ν+t²)}(ν/2, ½) for t ≥ 0: bracket, then bisect.
  const auto cdf = [degrees](double t) {
    return 1 - 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
  };
  double low = 0, high = 1;
  while (cdf(high) < p) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    const double middle = (low + high) / 2;
    (cdf(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

Estimate estimate(std::span<const double> values) {
  Estimate result;
  result.count = static_cast<int>(values.size());
  if (values.empty()) return result;
  const auto n = static_cast<double>(values.size());
  for (const double v : values) result.mean += v / n;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double v : values) squares += (v - result.mean) * (v - result.mean);
  result.deviation = std::sqrt(squares / (n - 1));
  result.ci95 = student_t_quantile(0.975, n - 1) * *result.deviation / std::sqrt(n);
  return result;
}

Estimate paired_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) {
    fail("a paired difference of {} and {} values: expected as many", a.size(), b.size());
  }
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return estimate(differences);
}

}  // namespace bandolier
