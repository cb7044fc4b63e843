#include "bandolier/agent/lofi.h"

#include "bandolier/agent/filter_agent.h"

namespace bandolier {
namespace {

struct LofiOptions : FilterAgentOptions {
  LofiOptions() {
    basis = BasisKind::kIdentity;
    covariance = BeliefKind::kLowRank;
    prior_limit = 1;
  }
};

// All of ekf's, but for the covariance, which makes the method.
const OptionTable<LofiOptions>& lofi_options() {
  static const OptionTable<LofiOptions> table =
      OptionTable<LofiOptions>({}).include(original_space_options().without({"covariance"}));
  return table;
}

}  // namespace

AgentEntry lofi_agent() {
  return agent_entry<FilterAgent>(
      "lofi", "extended Kalman filter over all weights, precision diagonal + low rank (LO-FI)",
      lofi_options, true);
}

}  // namespace bandolier
