// What a log has of one decision.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "bandolier/model/context.h"

namespace bandolier {

// One decision and what it earned. Views: alive while it is written.
struct LoggedDecision {
  std::string_view id;                    // unique in the log
  std::int64_t time = 0;                  // the step, where there is no clock
  Context context;                        // written densely
  Index action = 0;                       // that was taken
  std::span<const double> probabilities;  // one per action, at the decision
  float reward = 0;
  bool skip_learn = false;   // a pull of the warm-up
  bool full_support = true;  // Decision::full_support
};

}  // namespace bandolier
