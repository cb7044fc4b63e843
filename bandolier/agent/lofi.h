// LO-FI: an extended Kalman filter over all weights of the network, in the original space, whose
// precision is diagonal plus low rank (belief/low_rank.h): O(D·rank) memory and time per
// reward. It is `ekf` with covariance=low-rank and prior_limit=1, under the name that the method
// has.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry lofi_agent();

}  // namespace bandolier
