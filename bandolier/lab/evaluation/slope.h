// SLOPE (Su, Srinath and Krishnamurthy 2020): the parameter of an estimator that trades bias for
// variance, chosen without knowing the bias.
#pragma once

#include <span>

#include "bandolier/core/types.h"

namespace bandolier {

// Estimates and their standard deviations, in the order of rising bias. The last i for which all
// j < i have |θ_i − θ_j| ≤ c_i + (√6 − 1) c_j, where c = 2 deviations: as long as estimates agree
// within their spread, their bias does not show.
Index slope(std::span<const double> estimates, std::span<const double> deviations);

}  // namespace bandolier
