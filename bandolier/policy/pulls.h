// How often each action was pulled and how large rewards are: what a policy learns by itself, and
// what sets temperature and optimism. Where actions change, one model serves them all, and a reward
// of one tells of the others: each counts as pulled 1/K times by a decision between K.
#pragma once

#include <cstdint>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/model/context.h"

namespace bandolier {

class Pulls {
 public:
  explicit Pulls(Index actions, bool fixed = true)
      : pulls_(static_cast<std::size_t>(fixed ? actions : 0), 0) {}

  // One more pull of the action with this id, one of `actions`, and what it earned.
  void count(std::int64_t action_id, Index actions, float reward);

  double of(std::int64_t action_id) const {
    return pulls_.empty() ? shared_ : static_cast<double>(pulls_[slot(action_id)]);
  }
  std::int64_t total() const { return total_; }
  // The rewards' mean square, each counted as at most 5 times its root so far: one outlier among
  // many does not set the size, and one among the first is forgotten.
  double mean_square() const { return mean_square_; }

  std::size_t bytes() const { return pulls_.size() * sizeof pulls_[0]; }
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  std::size_t slot(std::int64_t action_id) const {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(action_id) % pulls_.size());
  }

  std::vector<std::int64_t> pulls_;  // by action id (ids beyond `actions` share by remainder)
  double shared_ = 0;                // of each, where actions change: Σ 1/K
  std::int64_t total_ = 0;
  double mean_square_ = 0;
};

}  // namespace bandolier
