#include "bandolier/agent/ekf.h"

#include "bandolier/agent/subspace_ekf.h"

namespace bandolier {

AgentEntry ekf_agent() {
  return {"ekf", "extended Kalman filter over all weights, in the original space",
          [] { return ekf_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            SubspaceEkfOptions options;
            static_cast<EkfOptions&>(options) = ekf_options().parse("agent 'ekf'", texts);
            options.basis = BasisKind::kIdentity;
            return std::make_unique<SubspaceEkfAgent>(options, shape);
          },
          true};
}

}  // namespace bandolier
