// Neural subspace bandits, the paper's method (Algorithm 2): an extended Kalman filter over z, the
// coordinates of a network's weights in a subspace θ(z) = θ* + Az; Thompson sampling evaluates the
// network at θ(z̃), z̃ ~ N(μ, P). One filter whose only block is z; head=full keeps the last layer's
// weights as they are beside it.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry subspace_ekf_agent();

}  // namespace bandolier
