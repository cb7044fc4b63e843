// Changes of any environment: rewards in other units, that drift, that are told with noise or
// outliers, or that are told late.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

// How the world changes at step `drift`: at once; over `drift_steps` steps, in which more and more
// decisions are made in the new one; on and on, every `drift_steps` steps; or to and fro.
enum class DriftKind { kAbrupt, kGradual, kRepeated, kSeasons };
Words words_of(DriftKind);

struct ChangeOptions {
  double reward_shift = 0;
  double reward_scale = 1;
  std::int64_t drift = 0;
  DriftKind drift_kind = DriftKind::kAbrupt;
  std::int64_t drift_steps = 1000;
  double reward_noise = 0;
  double outliers = 0;
  std::int64_t delay = 0;
};
const OptionTable<ChangeOptions>& change_options();

// A reward y is reward_scale·(y + reward_shift), for agents and totals alike. drift: in the new
// world action a pays what action a + 1 (the last: 0) paid, in the n-th what a + n paid. What the
// agent is told of a reward gets
// N(0, reward_noise²) added, is then replaced with probability `outliers` by ±100 standard
// deviations of the trial's rewards, and arrives `delay` steps later; totals count the clean
// reward. Without any change, `inner` itself.
std::unique_ptr<Environment> make_changed(std::unique_ptr<Environment> inner,
                                          const ChangeOptions& options);

}  // namespace bandolier
