#include "bandolier/agent/reward_scale.h"

#include <cmath>

namespace bandolier {
namespace {

constexpr double kSmallestStep = 1.1;
constexpr double kImplausible = 1e8;

}  // namespace

RewardScale::RewardScale(double fixed)
    : state_(fixed > 0 ? State::kFixed : State::kOpen), unit_(fixed > 0 ? fixed : 1) {}

bool RewardScale::plausible(double reward) const {
  if (!std::isfinite(reward)) return false;
  return state_ == State::kOpen || std::abs(reward - mean_) <= kImplausible * unit_;
}

void RewardScale::count(double reward) {
  ++count_;
  const double before = reward - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (reward - mean_);
}

double RewardScale::spread() const {
  const double deviation = std::sqrt(squares_ / static_cast<double>(count_));
  return deviation > 1e-6 * std::abs(mean_) ? deviation : 0;
}

void RewardScale::start(std::span<const float> rewards) {
  for (const float reward : rewards) count(static_cast<double>(reward));
  if (state_ == State::kFixed || rewards.empty()) return;
  if (spread() > 0) {
    state_ = State::kSpread;
    unit_ = spread();
  } else if (mean_ != 0) {
    state_ = State::kAllEqual;
    unit_ = std::abs(mean_);
  }
}

double RewardScale::add(double reward) {
  count(reward);
  const double old = unit_, now = spread();
  switch (state_) {
    case State::kOpen:
      if (reward == 0) return 1;
      // What was learnt from zeros holds in any unit.
      state_ = now > 0 ? State::kSpread : State::kAllEqual;
      unit_ = now > 0 ? now : std::abs(reward);
      return 1;
    case State::kAllEqual:
      if (now == 0) return 1;
      state_ = State::kSpread;
      unit_ = now;
      return old / unit_;
    case State::kSpread:
      if (now < kSmallestStep * unit_) return 1;
      unit_ = now;
      return old / unit_;
    case State::kFixed:
      break;
  }
  return 1;
}

void RewardScale::save(ArchiveWriter& out) const {
  out.write("state", static_cast<std::int64_t>(state_));
  out.write("unit", unit_);
  out.write("count", count_);
  out.write("mean", mean_);
  out.write("squares", squares_);
}

void RewardScale::load(ArchiveReader& in) {
  state_ = static_cast<State>(in.read_integer("state"));
  unit_ = in.read_double("unit");
  count_ = in.read_integer("count");
  mean_ = in.read_double("mean");
  squares_ = in.read_double("squares");
}

}  // namespace bandolier
