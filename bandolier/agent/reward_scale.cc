#include "bandolier/agent/reward_scale.h"

#include <algorithm>
#include <cmath>

namespace bandolier {
namespace {

constexpr double kSmallestStep = 1.1;
constexpr double kMostUnits = 5;
constexpr double kImplausible = 1e8;

}  // namespace

RewardScale::RewardScale(double fixed)
    : state_(fixed > 0 ? State::kFixed : State::kOpen), unit_(fixed > 0 ? fixed : 1) {}

bool RewardScale::plausible(double reward) const {
  if (!std::isfinite(reward)) return false;
  return state_ == State::kOpen || std::abs(reward) <= kImplausible * unit_;
}

void RewardScale::count(double y) {
  mean_square_ += (y * y - mean_square_) / static_cast<double>(++count_);
}

void RewardScale::start(std::span<const float> rewards) {
  for (const float reward : rewards) {
    count(static_cast<double>(reward));
  }
  if (state_ == State::kOpen && mean_square_ > 0) {
    state_ = State::kFollows;
    unit_ = std::sqrt(mean_square_);
  }
}

double RewardScale::add(double reward) {
  if (state_ == State::kFixed) return 1;
  const bool open = state_ == State::kOpen;
  count(open ? reward : std::min(std::abs(reward), kMostUnits * unit_));
  const double old = unit_, now = std::sqrt(mean_square_);
  if (open && now > 0) {
    // What was learnt from zeros holds in any unit.
    state_ = State::kFollows;
    unit_ = now;
    return 1;
  }
  if (open || now < kSmallestStep * unit_) return 1;
  unit_ = now;
  return old / unit_;
}

void RewardScale::save(ArchiveWriter& out) const {
  out.write("state", static_cast<std::int64_t>(state_));
  out.write("unit", unit_);
  out.write("count", count_);
  out.write("mean_square", mean_square_);
}

void RewardScale::load(ArchiveReader& in) {
  state_ = static_cast<State>(in.read_integer("state"));
  unit_ = in.read_double("unit");
  count_ = in.read_integer("count");
  mean_square_ = in.read_double("mean_square");
}

}  // namespace bandolier
