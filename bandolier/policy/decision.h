// What an agent answers, and the memory that a caller lends it to find the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

// Memory for one caller of an agent: made by the agent, reused from call to call, so that the
// steady state allocates nothing. May hold work of the last choose that the matching observe can
// reuse.
class Scratch {
 public:
  virtual ~Scratch() = default;
  std::vector<float> scores;
  std::uint64_t ticket = 0;  // of the choose whose work is here; 0: none

  // A ticket that no other scratch alive gives out: shown with a foreign scratch it does not match.
  std::uint64_t new_ticket() {
    return (reinterpret_cast<std::uintptr_t>(this) ^ (++decisions_ * 0x9e3779b97f4a7c15u)) | 1;
  }

 private:
  std::uint64_t decisions_ = 0;
};

struct Decision {
  Index action = 0;
  std::span<const float> scores;     // one per action, in the scratch until its next use
  std::optional<double> propensity;  // the probability of `action`, where the policy knows it
  std::uint64_t ticket = 0;          // lets observe reuse the scratch's work; never needed
};

}  // namespace bandolier
