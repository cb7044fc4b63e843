// Neural-greedy: a network's point estimate, fitted to stored data every few steps, and ε-greedy
// choices. The baseline without any belief about weights.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry neural_greedy_agent();

}  // namespace bandolier
