// `auto`, the agent to take when in doubt: a mixture of filters over a network's heads and body
// that differ in how far they expect rewards to vary and in whether they forget, beside the linear
// model. It has no knob that a problem would need turned.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry auto_agent();

}  // namespace bandolier
