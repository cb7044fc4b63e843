#include "bandolier/policy/pulls.h"

#include <algorithm>
#include <numeric>

#include "bandolier/core/error.h"

namespace bandolier {

void Pulls::count(std::int64_t action_id, Index actions, float reward) {
  if (pulls_.empty()) {
    shared_ += 1 / static_cast<double>(actions);
  } else {
    ++pulls_[slot(action_id)];
  }
  ++total_;
  double square = static_cast<double>(reward) * static_cast<double>(reward);
  if (mean_square_ > 0) square = std::min(square, 25 * mean_square_);
  mean_square_ += (square - mean_square_) / static_cast<double>(total_);
}

void Pulls::save(ArchiveWriter& out) const {
  out.write("pulls", pulls_);
  if (pulls_.empty()) {
    out.write("shared", shared_);
    out.write("total", total_);
  }
  out.write("mean_square", mean_square_);
}

void Pulls::load(const ArchiveReader& in) {
  // So many at most that their sum is a count.
  const auto most = kMostCount / std::max<std::int64_t>(1, std::ssize(pulls_));
  pulls_ = in.read_integers("pulls", pulls_.size(), 0, most);
  total_ = std::accumulate(pulls_.begin(), pulls_.end(), std::int64_t{0});
  if (pulls_.empty()) {
    total_ = in.read_count("total");
    shared_ = in.read_double("shared", {0, static_cast<double>(total_)});
  }
  mean_square_ = in.read_double("mean_square", {0, 1e80});
}

}  // namespace bandolier
