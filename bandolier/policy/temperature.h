// The factor on an action's sampled deviation: a constant, or, falling with its own pulls n,
//   floor + (1 − floor)·exp(−n / pulls).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bandolier {

struct Temperature {
  double floor = 1;
  double pulls = 0;  // 0: constant at floor

  float at(double n) const {
    if (pulls == 0) return static_cast<float>(floor);
    return static_cast<float>(floor + (1 - floor) * std::exp(-n / pulls));
  }
};

// The temperature at which one sample serves all actions of a network, whose deviations are then
// enlarged or reduced to their own: the smallest, where a network is closest to linear, but not so
// small beside the largest that rounding decides.
inline float common_temperature(float smallest, float largest) {
  return std::max(smallest, 0.05f * largest);
}

}  // namespace bandolier
