// The extended Kalman filter in the original space, one coordinate a weight: `subspace-ekf` with
// the identity basis, under its own name and with the options that make sense for it.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry ekf_agent();

}  // namespace bandolier
