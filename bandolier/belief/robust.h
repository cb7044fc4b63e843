// Robustness by weighting the likelihood: an outlier counts w ≤ 1 of a reward, as if its noise
// variance were 1/w times larger (weighted-likelihood filter, Duran-Martin et al. 2024).
#pragma once

#include <cmath>

#include "bandolier/belief/belief.h"

namespace bandolier {

// e: the score over its predictive standard deviation, l/√(V(1 + Vq)); for a Gaussian the
// innovation over its own, (y − η)/√(R + q). 0 where the score has no variance (V = 0).
template <class T>
T standardised(const Observation<T>& observation, T q) {
  const T v = observation.curvature;
  return v > 0 ? observation.slope / std::sqrt(v * (1 + v * q)) : T(0);
}

// w = c²/(c² + e²): 1 at e = 0, 1/2 at |e| = c, ~ (c/e)² far out, so that an error of any size
// moves the mean by a bounded amount.
template <class T>
T robust_weight(T e, T c) {
  return 1 / (1 + (e / c) * (e / c));
}

// The observation at weight w: slope and curvature both carry 1/R.
template <class T>
Observation<T> weighted(const Observation<T>& observation, T w) {
  return {w * observation.slope, w * observation.curvature};
}

}  // namespace bandolier
