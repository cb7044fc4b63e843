// Neural-linear (Riquelme et al. 2018; Algorithm 3 of the paper): a network fitted to stored data
// every few steps, and on its last hidden features one Bayesian linear regression per action.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry neural_linear_agent();

}  // namespace bandolier
