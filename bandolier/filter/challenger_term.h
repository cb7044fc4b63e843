// How long a challenger (mixture.h) has: so many rewards; or, where the leader's errors tell of a
// change before that, until then: what it has learnt is half of the old world, and the next one
// begins with the new. Page's test (1954) of the leader's calibration, z² = e² over its expected
// value, which is 1 on average while nothing changes:
//   S ← max(0, S + min(z², 9) − 3),   an alarm where S > 15.
// The bound is for outliers: one in a hundred raises no alarm. An alarm gives up a challenger, not
// a leader, so that a false one costs nothing; and the term that follows one is never cut short, so
// that a world that stays surprising gets challengers that live.
#pragma once

#include <cstdint>

#include "bandolier/core/archive.h"

namespace bandolier {

class ChallengerTerm {
 public:
  // `rewards`: 0 where there is no challenger, and no term ends.
  explicit ChallengerTerm(std::int64_t rewards) : rewards_(rewards) {}

  // One reward, and z² of the leader.
  void pass(double squared_error);

  // Whether it ends here; nothing that `leads` is given up before its time.
  bool over(bool leads) const;
  std::int64_t left() const { return rewards_ - age_; }  // at the most

  // The next one.
  void begin();

  void save(ArchiveWriter& out) const;
  // Of an archive that knows no alarms: by the steps that the mixture has had.
  void load(const ArchiveReader& in, std::int64_t steps);

 private:
  std::int64_t rewards_;
  std::int64_t age_ = 0;
  double surprise_ = 0;       // S
  bool after_alarm_ = false;  // an alarm ended the term before
};

}  // namespace bandolier
