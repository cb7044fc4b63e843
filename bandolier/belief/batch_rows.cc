#include "bandolier/belief/batch_rows.h"

#include <algorithm>

namespace bandolier {

std::size_t BatchGroups::fit(std::span<const Index> belief, Index beliefs) {
  counts_.assign(static_cast<std::size_t>(beliefs), 0);
  const std::size_t most = std::min(belief.size(), kMostBatch);
  for (std::size_t i = 0; i < most; ++i) {
    if (counts_[static_cast<std::size_t>(belief[i])]++ == kMostBatchRows) return i;
  }
  return most;
}

void BatchGroups::group(std::span<const Index> belief, Index beliefs) {
  counts_.assign(static_cast<std::size_t>(beliefs), 0);
  for (const Index one : belief) ++counts_[static_cast<std::size_t>(one)];
  groups_.clear();
  Index rows = 0;
  for (Index one = 0; one < beliefs; ++one) {
    Index& count = counts_[static_cast<std::size_t>(one)];
    if (count == 0) continue;
    groups_.push_back({one, {rows, rows}});
    rows += count;
    count = static_cast<Index>(groups_.size()) - 1;  // from here on: its place in groups_
  }
  row_.clear();
  group_of_.clear();
  for (const Index one : belief) {
    const auto place = static_cast<std::size_t>(counts_[static_cast<std::size_t>(one)]);
    group_of_.push_back(place);
    row_.push_back(groups_[place].rows.end++);
  }
}

}  // namespace bandolier
