// SLOPE (Su, Srinath and Krishnamurthy 2020): the parameter of an estimator that trades bias for
// variance, chosen without knowing the bias.
#pragma once

#include <span>

#include "bandolier/core/types.h"

namespace bandolier {

// Estimates and their standard deviations c, in the order of rising bias. The last i for which all
// j < i have |θ_i − θ_j| ≤ c_i + (√6 − 1) c_j: as long as estimates agree within their spread,
// their bias does not show. Wider c, of two deviations, let biases pass that are three times the
// error of the unbiased estimate.
Index slope(std::span<const double> estimates, std::span<const double> deviations);

}  // namespace bandolier
