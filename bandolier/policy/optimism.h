// Optimism about actions rarely pulled, whatever a belief says: with n of t pulls spent on an
// action and u the rewards' size √(mean y²), its score is raised by
//   optimism · u · √(ln(1 + t) / (1 + n))
// as in UCB1 (Auer et al. 2002). It insures against a model that is wrong about what it has hardly
// tried, and costs little where actions differ much: n stays near ln t · (optimism · u / gap)².
#pragma once

#include <cmath>

#include "bandolier/policy/pulls.h"

namespace bandolier {

inline float optimism_bonus(double optimism, const Pulls& pulls, std::int64_t action_id) {
  const double n = pulls.of(action_id);
  const double log_t = std::log1p(static_cast<double>(pulls.total()));
  return static_cast<float>(optimism * std::sqrt(pulls.mean_square() * log_t / (1 + n)));
}

}  // namespace bandolier
