// Numbers as people read them.
#pragma once

#include <optional>
#include <string>

#include "bandolier/lab/experiment/statistics.h"

namespace bandolier {

std::string with_commas(double value, int decimals = 0);  // 12,345.7; "–" where it is not finite
std::string show_reward(double value);                    // 12.3, 4,431, 1.23e+15, 1.23e-06
std::string show_estimate(const Estimate& estimate);      // 4,431 ± 9; without ± for one trial
std::string show_difference(const Estimate& estimate);    // the same with a sign
std::string show_share(const std::optional<double>& share);  // 97.3 of 0.973, or – where unknown
std::string show_bytes(double bytes);                        // 1.3 MB
std::string show_seconds(double seconds);                    // 0.42 s, 2 min 05 s, 1 h 10 min
std::string show_microseconds(const std::optional<double>& us);  // 12.3, or – where unknown

}  // namespace bandolier
