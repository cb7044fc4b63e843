// What is taken off all rewards before an agent sees them: 0, or the mean of the first rewards
// where they lie far from 0 for how little they differ, |mean| > 16 deviations. Rewards of 10,000
// give or take 1 would else teach an agent for thousands of steps that they are not 0, and hide
// what tells actions apart. Multiplying all rewards by a constant multiplies the offset.
//
// The first rewards are those that an agent is set up with; a single one tells too little.
#pragma once

#include <optional>
#include <span>

#include "bandolier/core/archive.h"

namespace bandolier {

class RewardOffset {
 public:
  // Nothing: found from the first rewards.
  explicit RewardOffset(std::optional<double> fixed);

  double value() const { return value_; }
  float seen(float reward) const {
    return static_cast<float>(static_cast<double>(reward) - value_);
  }

  // From the first rewards, whatever it was before.
  void start(std::span<const float> rewards);

  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  bool fixed_;
  double value_;
};

}  // namespace bandolier
