// Intervals, and what they are asked for.
#pragma once

#include <limits>

#include "bandolier/core/words.h"

namespace bandolier {

enum class IntervalKind { kNormal, kBootstrap, kEmpiricalLikelihood, kBetting };
inline Words words_of(IntervalKind) {
  static constexpr std::string_view kWords[] = {"normal", "bootstrap", "empirical-likelihood",
                                                "betting"};
  return kWords;
}

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// The least and the greatest reward that can be.
struct RewardRange {
  double low = 0, high = 1;
  double width() const { return high - low; }
};

inline constexpr double kLevel = 0.95;  // of every interval

}  // namespace bandolier
