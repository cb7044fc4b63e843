#include "bandolier/lab/evaluation/slope.h"

#include <cmath>

namespace bandolier {

Index slope(std::span<const double> estimates, std::span<const double> deviations) {
  const double factor = std::sqrt(6.0) - 1;
  for (std::size_t i = 1; i < estimates.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double allowed = deviations[i] + factor * deviations[j];
      if (std::abs(estimates[i] - estimates[j]) > allowed) return static_cast<Index>(i) - 1;
    }
  }
  return static_cast<Index>(estimates.size()) - 1;
}

}  // namespace bandolier
