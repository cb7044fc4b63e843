#include "bandolier/agent/subspace_ekf.h"

#include "bandolier/agent/filter_agent.h"

namespace bandolier {

AgentEntry subspace_ekf_agent() {
  return agent_entry<FilterAgent>(
      "subspace-ekf", "extended Kalman filter over all weights, in a subspace (the paper's)",
      filter_agent_options, true);
}

}  // namespace bandolier
