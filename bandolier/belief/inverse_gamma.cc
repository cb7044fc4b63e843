#include "bandolier/belief/inverse_gamma.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bandolier {

void InverseGamma::update(double error, double q, double weight) {
  a += weight / 2;
  b += weight * error * error / (2 * (1 + weight * q));
}

void InverseGamma::forget(double gamma, const InverseGamma& prior) {
  a = prior.a + gamma * (a - prior.a);
  b = prior.b + gamma * (b - prior.b);
}

double InverseGamma::log_predictive(double error, double s, double most) const {
  const double half = std::min(a, most / 2);  // of the degrees of freedom
  const double spread = 2 * half * s * b / a;
  // lgamma writes a global sign; its re-entrant form does not.
  int sign = 0;
  return lgamma_r(half + 0.5, &sign) - lgamma_r(half, &sign) -
         0.5 * std::log(std::numbers::pi * spread) -
         (half + 0.5) * std::log1p(error * error / spread);
}

void InverseGamma::save(ArchiveWriter& out) const {
  out.write("noise_a", a);
  out.write("noise_b", b);
}

void InverseGamma::load(const ArchiveReader& in) {
  a = in.read_double("noise_a", {1e-6, static_cast<double>(kMostCount)});
  b = in.read_double("noise_b", {1e-90, 1e90});
}

}  // namespace bandolier
