#include "bandolier/agent/lofi.h"

#include "bandolier/agent/subspace_ekf.h"

namespace bandolier {

const OptionTable<LofiOptions>& lofi_options() {
  // All of ekf's, but for the covariance, which makes the method.
  static const OptionTable<LofiOptions> table = [] {
    OptionTable<LofiOptions> rows = {};
    for (const auto& row : ekf_options().rows()) {
      if (row.name != "covariance") rows.include(OptionTable<EkfOptions>{row});
    }
    return rows;
  }();
  return table;
}

AgentEntry lofi_agent() {
  return {"lofi", "extended Kalman filter over all weights, precision diagonal + low rank (LO-FI)",
          [] { return lofi_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            SubspaceEkfOptions options;
            static_cast<EkfOptions&>(options) = lofi_options().parse("agent 'lofi'", texts);
            options.basis = "identity";
            return std::make_unique<SubspaceEkfAgent>(options, shape);
          },
          true};
}

}  // namespace bandolier
