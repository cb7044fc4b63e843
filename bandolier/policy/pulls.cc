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
  auto pulls = in.read_integers("pulls");
  if (pulls.size() != pulls_.size() ||
      std::any_of(pulls.begin(), pulls.end(), [](std::int64_t n) { return n < 0; })) {
    fail("the saved agent has {} pull counts: expected {}, one per action and none below 0",
         pulls.size(), pulls_.size());
  }
  pulls_ = std::move(pulls);
  total_ = std::accumulate(pulls_.begin(), pulls_.end(), std::int64_t{0});
  if (pulls_.empty()) {
    shared_ = in.read_double("shared");
    total_ = in.read_integer("total");
    if (total_ < 0 || shared_ < 0 || shared_ > static_cast<double>(total_)) {
      fail(
          "the saved agent has {} pulls and {} per action: expected no more of these, and none "
          "below 0",
          total_, shared_);
    }
  }
  mean_square_ = in.read_double("mean_square");
}

}  // namespace bandolier
