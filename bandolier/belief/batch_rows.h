// The observations of a batch by the belief that learns from each: those of one belief lie
// together, in their order.
#pragma once

#include <span>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

// Those of one belief: rows [begin, end).
struct BatchRows {
  Index begin = 0, end = 0;
};

// Observations of one belief that are learnt at once: more cost more among each other than they
// save.
inline constexpr Index kMostBatchRows = 32;
// And of all beliefs: their projections stay near the processor.
inline constexpr std::size_t kMostBatch = 128;

class BatchGroups {
 public:
  // How many of the first observations fit, where observation i is of belief[i] of `beliefs`.
  std::size_t fit(std::span<const Index> belief, Index beliefs);
  // Groups all of these, which fit.
  void group(std::span<const Index> belief, Index beliefs);

  struct Group {
    Index belief = 0;
    BatchRows rows;
  };
  const std::vector<Group>& groups() const { return groups_; }
  // Of an observation: its row, and the rows of its belief.
  Index row(std::size_t observation) const { return row_[observation]; }
  const Group& of(std::size_t observation) const { return groups_[group_of_[observation]]; }

 private:
  std::vector<Index> counts_;  // per belief
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  // per observation
  std::vector<Index> row_;
};

}  // namespace bandolier
