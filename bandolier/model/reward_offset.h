// What is taken off all rewards before an agent sees them: 0, or the mean of the first rewards
// where they lie far from 0 for how little they differ, |mean| > 16 deviations. Rewards of 10,000
// give or take 1 would else teach an agent for thousands of steps that they are not 0, and hide
// what tells actions apart. Multiplying all rewards by a constant multiplies the offset.
//
// The first rewards are those of the warm-up, or the first eight where there was none; until these
// are in the offset is 0, and an agent that finds out then begins anew.
#pragma once

#include <optional>
#include <span>

#include "bandolier/core/archive.h"
#include "bandolier/core/running_moments.h"

namespace bandolier {

class RewardOffset {
 public:
  // Nothing: found from the first rewards.
  explicit RewardOffset(std::optional<double> fixed);

  double value() const { return value_; }
  float seen(float reward) const {
    return static_cast<float>(static_cast<double>(reward) - value_);
  }

  // The warm-up's rewards; a single one tells too little.
  void start(std::span<const float> rewards);

  // One more. True: the offset is no longer 0, and what was learnt so far is worth nothing.
  bool add(float reward);

  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  bool decide();

  bool open_;
  double value_;
  RunningMoments first_;
};

}  // namespace bandolier
