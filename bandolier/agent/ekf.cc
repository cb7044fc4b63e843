#include "bandolier/agent/ekf.h"

#include "bandolier/agent/filter_agent.h"

namespace bandolier {
namespace {

struct EkfOptions : FilterAgentOptions {
  EkfOptions() { basis = BasisKind::kIdentity; }
};

const OptionTable<EkfOptions>& ekf_options() {
  static const OptionTable<EkfOptions> table =
      OptionTable<EkfOptions>({}).include(original_space_options());
  return table;
}

}  // namespace

AgentEntry ekf_agent() {
  return agent_entry<FilterAgent>(
      "ekf", "extended Kalman filter over all weights, in the original space", ekf_options, true);
}

}  // namespace bandolier
