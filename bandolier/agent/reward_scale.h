// The unit in which an agent sees rewards: their size so far, √(mean y²). It is what makes one set
// of defaults serve rewards of any size; multiplying all rewards by a constant changes nothing that
// follows. Size and not spread: where rewards are alike but not small (1 or 1.2, and rarely 50), a
// difference that is small beside their size is no reason to stop exploring.
//
// The unit is the root mean square of the first rewards, or the largest that all rewards so far
// have had since, each counted as at most 5 units: it follows rewards that turn out larger than the
// first ones, not a single one among a hundred, and does not shrink. While all were 0 it is open
// (1), 0 being 0 in any unit.
#pragma once

#include <cstdint>
#include <span>

#include "bandolier/core/archive.h"

namespace bandolier {

class RewardScale {
 public:
  // A fixed unit if `fixed` > 0, else one that follows the rewards.
  explicit RewardScale(double fixed = 0);

  double unit() const { return unit_; }

  // Whether a reward may be taken in: finite, and within 10⁸ units once those are known.
  bool plausible(double reward) const;

  // Takes the first rewards in, all at once.
  void start(std::span<const float> rewards);

  // Takes one more in. Returns the old unit over the new one: what quantities given in the old unit
  // must be multiplied by. The unit moves in steps of a tenth at least, so that it comes to rest.
  double add(double reward);

  void save(ArchiveWriter& out) const;
  void load(ArchiveReader& in);

 private:
  enum class State { kOpen = 0, kFollows = 1, kFixed = 2 };

  void count(double y);

  State state_;
  double unit_ = 1;
  std::int64_t count_ = 0;
  double mean_square_ = 0;
};

}  // namespace bandolier
