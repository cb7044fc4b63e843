// Contexts and actions by which an agent sets itself before the first reward: the warm-up's pulls,
// or made-up ones where there are none.
#pragma once

#include <functional>
#include <span>

#include "bandolier/core/random.h"
#include "bandolier/model/context.h"

namespace bandolier {

// The mean of value(context, action) over the pulls, or over 32 contexts of standard normal
// features and uniform actions drawn from `random`.
double mean_over_probes(const ProblemShape& shape, std::span<const Experience> experience,
                        Random random, const std::function<double(const Context&, Index)>& value);

}  // namespace bandolier
