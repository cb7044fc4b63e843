// LO-FI: an extended Kalman filter over all weights of the network, in the original space, whose
// precision is diagonal plus low rank (belief/low_rank.h): O(D·rank) memory, O(D·rank²) a reward.
// It is `ekf` with covariance=low-rank, under the name that the method has.
#pragma once

#include "bandolier/agent/ekf_options.h"
#include "bandolier/agent/registry.h"

namespace bandolier {

struct LofiOptions : EkfOptions {
  LofiOptions() { covariance = "low-rank"; }
};
const OptionTable<LofiOptions>& lofi_options();

AgentEntry lofi_agent();

}  // namespace bandolier
