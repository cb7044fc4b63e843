// The unit in which an agent sees rewards: their spread or their size so far. It is what makes one
// set of defaults serve rewards of any size; multiplying all rewards by a constant changes nothing
// that follows.
//
//   kSpread  the standard deviation: what tells rewards apart, wherever their level is
//   kSize    √(mean y²), each reward counted as at most 5 units, and of the first ones as at most
//            most_of_first: it follows large rewards that are one in ten and not those that are one
//            in a hundred
// of the first rewards, or the largest that all rewards so far have had since: it does not shrink.
// While that is 0, the unit is the rewards' common value; while all were 0 it is open (1), 0 being
// 0 in any unit.
#pragma once

#include <span>

#include "bandolier/core/archive.h"
#include "bandolier/core/running_moments.h"

namespace bandolier {

// The most that one of the first rewards counts: 5 times the root mean square of all but the
// largest, one in twenty and one more, where those are more than round-off beside it. So a few
// outliers among the first do not set the size, and rewards that are all 0 but for a few do.
double most_of_first(std::span<const float> rewards);

class RewardUnit {
 public:
  enum class Of { kSpread, kSize };

  // A fixed unit if `fixed` > 0, else one that follows the rewards.
  explicit RewardUnit(Of of, double fixed = 0);

  double unit() const { return unit_; }
  // How large the first rewards are, the warm-up's or sixteen: the mean of |y|, which a few large
  // ones hardly move; the unit where that is fixed or nothing but 0 was seen.
  double first_size() const { return first_ > 0 ? first_ : unit_; }
  float in_units(float reward) const {
    return static_cast<float>(static_cast<double>(reward) / unit_);
  }

  // Whether a reward may be taken in: of at most 10³⁰, and within 10⁸ units of the mean once those
  // are known.
  bool plausible(double reward) const;

  // Takes the first rewards in, all at once.
  void start(std::span<const float> rewards);

  // Takes one more in. Returns the old unit over the new one: what quantities given in the old unit
  // must be multiplied by. The unit moves in steps of a tenth at least, so that it comes to rest.
  double add(double reward);

  // As the section "reward_unit"; a file without one holds beliefs about rewards as they are.
  void save_section(ArchiveWriter& out) const;
  void load_section(const ArchiveReader& from);

 private:
  enum class State { kOpen = 0, kFollows = 1, kFixed = 2 };

  double measure() const;  // 0 where it is round-off
  void open();
  void take(double reward);  // one of the first

  Of of_;
  State state_;
  double unit_ = 1, first_ = 0;
  RunningMoments rewards_;
};

}  // namespace bandolier
