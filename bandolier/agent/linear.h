// Linear bandit: one Bayesian linear regression per action on the context's features, exact
// (appendix A.1), each with a noise variance of its own. Thompson sampling by default.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry linear_agent();

}  // namespace bandolier
