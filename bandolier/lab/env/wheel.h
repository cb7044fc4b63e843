// The wheel (Riquelme et al. 2018): exploration is rare and pays 50.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

struct WheelOptions {
  double delta = 0.95;
};
const OptionTable<WheelOptions>& wheel_options();

// x is uniform in the unit disc; 5 actions. Actions 0 to 3 pay N(1, 0.05²) and action 4 pays
// N(1.2, 0.05²); where ‖x‖ ≥ delta the action of x's quadrant, (+,+) → 0, (+,−) → 1, (−,+) → 2,
// (−,−) → 3, pays N(50, 0.01²).
std::unique_ptr<Environment> make_wheel(const WheelOptions& options);

}  // namespace bandolier
