// Changes of any environment: rewards in other units, that drift, that are told with noise or
// outliers, or that are told late.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

struct ChangeOptions {
  double reward_shift = 0;
  double reward_scale = 1;
  std::int64_t drift = 0;
  double reward_noise = 0;
  double outliers = 0;
  std::int64_t delay = 0;
};
const OptionTable<ChangeOptions>& change_options();

// A reward y is reward_scale·(y + reward_shift), for agents and totals alike. drift: from that step
// on, action a pays what action a + 1 (the last: 0) paid. What the agent is told of a reward gets
// N(0, reward_noise²) added, is then replaced with probability `outliers` by ±100 standard
// deviations of the trial's rewards, and arrives `delay` steps later; totals count the clean
// reward. Without any change, `inner` itself.
std::unique_ptr<Environment> make_changed(std::unique_ptr<Environment> inner,
                                          const ChangeOptions& options);

}  // namespace bandolier
