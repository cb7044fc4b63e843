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
            options.basis = BasisKind::kIdentity;
            auto agent = std::make_unique<SubspaceEkfAgent>(options, shape);
            const Index parameters = agent->report().parameters.value();
            if (options.rank > parameters) {
              fail("agent 'lofi': rank={}: expected at most {}, the parameters of model={}",
                   options.rank, parameters, options.model);
            }
            return agent;
          },
          true};
}

}  // namespace bandolier
