// The first rewards with their contexts, kept until there are so many that nothing is gained by
// setting an agent up with more: its features, its priors, the unit and the offset of rewards.
// Until then it is set up anew, from all of them, at some of them.
#pragma once

#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/copy_on_write.h"
#include "bandolier/model/context.h"

namespace bandolier {

// Rewards that tell whether all lie far from 0.
inline constexpr Index kFewFirstRewards = 8;

class FirstExperience {
 public:
  // Of the warm-up; kept where it is shorter than `wanted`.
  void start(std::span<const Experience> warm_up, Index wanted);

  // One more, which an agent has learnt from. True: time to set it up anew, from list(). That is at
  // the first and the eighth where there was no warm-up, and when there are enough.
  bool add(const Experience& experience);
  // Nothing more is kept once there are enough.
  void close_if_enough();

  bool open() const { return wanted_ > 0; }
  // Views, until the next change of this object.
  std::vector<Experience> list() const;
  std::size_t bytes() const;

  void save(ArchiveWriter& out) const;
  // Throws Error where a context does not fit the shape.
  void load(const ArchiveReader& in, const ProblemShape& shape);

 private:
  struct Kept {
    ContextBuffer buffer;
    Index features = 0, actions = 0;
    Index action = 0;
    float reward = 0, weight = 1;
    Experience view() const;
  };
  void keep(const Experience& experience);

  Index wanted_ = 0;  // 0: closed
  bool warmed_up_ = false;
  CopyOnWrite<std::vector<Kept>> kept_;
};

}  // namespace bandolier
