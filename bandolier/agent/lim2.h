// LiM2 (Nabati et al. 2021; Algorithms 4 to 6 of the paper) as its authors' code runs it:
// neural-linear with limited memory. Every step trains the network on a minibatch of the last rows,
// carries each regression's covariance over to the new features by likelihood matching, and adds
// the memory's evidence to it; a regression's prior mean is the network's own last layer.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry lim2_agent();

}  // namespace bandolier
