// The extended Kalman filter in the original space, one coordinate per weight: the filter agent
// with the identity basis, and the options that make sense for it.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry ekf_agent();

}  // namespace bandolier
