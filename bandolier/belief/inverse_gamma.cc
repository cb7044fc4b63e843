#include "bandolier/belief/inverse_gamma.h"

#include <cmath>
#include <numbers>

namespace bandolier {

void InverseGamma::update(double error, double s) {
  a += 0.5;
  b += error * error / (2 * s);
}

double InverseGamma::log_predictive(double error, double s) const {
  // lgamma writes a global sign; its re-entrant form does not.
  int sign = 0;
  return lgamma_r(a + 0.5, &sign) - lgamma_r(a, &sign) -
         0.5 * std::log(2 * std::numbers::pi * b * s) -
         (a + 0.5) * std::log1p(error * error / (2 * b * s));
}

void InverseGamma::save(ArchiveWriter& out) const {
  out.write("noise_a", a);
  out.write("noise_b", b);
}

void InverseGamma::load(ArchiveReader& in) {
  a = in.read_double("noise_a");
  b = in.read_double("noise_b");
}

}  // namespace bandolier
