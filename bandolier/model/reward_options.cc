#include "bandolier/model/reward_options.h"

namespace bandolier {

const OptionTable<RewardOptions>& reward_options() {
  static const OptionTable<RewardOptions> table = {
      {"reward_unit", &RewardOptions::reward_unit,
       "rewards are divided by it; auto: their size or spread so far, or 1 where noise_variance is "
       "a number",
       positive(), "auto"},
      {"reward_offset", &RewardOptions::reward_offset,
       "rewards are seen less it; auto: the mean of the first where that is above 16 of their "
       "deviations, else 0",
       Limit{}, "auto"}};
  return table;
}

}  // namespace bandolier
