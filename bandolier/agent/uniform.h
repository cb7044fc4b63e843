// Every action with the same probability, whatever happens: the floor of every comparison.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry uniform_agent();

}  // namespace bandolier
