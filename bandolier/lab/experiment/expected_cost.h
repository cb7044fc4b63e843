// What a trial is expected to take, before anything has run: to share out work evenly, not to
// promise a time. The same on every machine: whole numbers of the agent's name and sizes alone.
#pragma once

#include "bandolier/agent/agent.h"

namespace bandolier {

// Nanoseconds of a trial of so many steps on a core of today, within a factor of a few for agents
// as they are by default. At least 1.
std::int64_t expected_cost(const Agent& agent, Index steps);

}  // namespace bandolier
