// LiM2 (Nabati et al. 2021; Algorithms 4 to 6 of the paper): neural-linear with limited memory.
// Every step trains the network on a minibatch of the last rows and carries what the forgotten rows
// taught over to the new features, as each regression's prior: covariance by likelihood matching,
// mean from the network's own last layer.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry lim2_agent();

}  // namespace bandolier
