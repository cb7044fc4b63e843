// One logged decision beside what one policy would have done, as estimators see it.
#pragma once

#include <span>

#include "bandolier/core/types.h"

namespace bandolier {

struct LoggedRow {
  Index action = 0;  // that was taken
  double reward = 0;
  double count = 1;   // decisions that this one stands for: 1/(1 − pdrop)
  double weight = 1;  // w = π(action)/p(action)
  // Where rewards were predicted.
  double predicted = 0;  // q(action)
  double value = 0;      // v = Σ_a π(a) q(a)
  // Where actions were grouped by their features e: π(e)/p(e) of the taken action's.
  double marginal_weight = 1;

  // One per action; p and q are empty where they are not known.
  std::span<const double> target;       // π
  std::span<const double> logged;       // p
  std::span<const double> predictions;  // q
};

}  // namespace bandolier
