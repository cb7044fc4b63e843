// Weights of what actions are like: actions of equal features are one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/lab/log/logged_event.h"

namespace bandolier {

class MarginalWeights {
 public:
  // By these features alone; none: by all that an action has beside its name.
  explicit MarginalWeights(std::vector<std::string> features) : features_(std::move(features)) {}

  // Σ π(a) / Σ p(a) over all a whose features are those of the action taken; nothing where actions
  // have no features. Throws Error where a feature is asked for that an action does not have.
  std::optional<double> weight(const LoggedEvent& event, std::span<const double> target,
                               std::span<const double> logged);

 private:
  std::uint64_t like(const LoggedEvent& event, Index action) const;

  std::vector<std::string> features_;
};

}  // namespace bandolier
