// How an agent sees rewards: less an offset (reward_offset.h), in a unit (reward_unit.h).
#pragma once

#include <optional>

#include "bandolier/core/options.h"

namespace bandolier {

struct RewardOptions {
  std::optional<double> reward_unit;    // nothing: it follows the rewards
  std::optional<double> reward_offset;  // nothing: set by the first rewards, 0 unless far from it
};
const OptionTable<RewardOptions>& reward_options();

}  // namespace bandolier
