#include "bandolier/filter/reward_unit.h"

#include <algorithm>
#include <cmath>

namespace bandolier {
namespace {

constexpr double kSmallestStep = 1.1;
constexpr double kMostUnits = 5;
constexpr double kImplausible = 1e8;

// The most that one of the first rewards counts: 5 times the root mean square of the others, where
// these are more than round-off beside it.
double most_of_first(std::span<const float> rewards) {
  double largest = 0, squares = 0;
  for (const float reward : rewards) {
    const double size = std::abs(static_cast<double>(reward));
    squares += size * size;
    largest = std::max(largest, size);
  }
  const auto others = static_cast<double>(rewards.size()) - 1;
  const double rest = std::sqrt(std::max(0.0, squares - largest * largest) / std::max(1.0, others));
  return rest > 1e-4 * largest ? kMostUnits * rest : largest;
}

}  // namespace

RewardUnit::RewardUnit(Of of, double fixed)
    : of_(of), state_(fixed > 0 ? State::kFixed : State::kOpen), unit_(fixed > 0 ? fixed : 1) {}

bool RewardUnit::plausible(double reward) const {
  if (!std::isfinite(reward)) return false;
  const bool no_unit = state_ == State::kOpen && rewards_.mean == 0;
  return no_unit || std::abs(reward - rewards_.mean) <= kImplausible * unit_;
}

double RewardUnit::measure() const {
  const double variance = rewards_.variance();
  if (of_ == Of::kSize) return std::sqrt(variance + rewards_.mean * rewards_.mean);
  return std::sqrt(variance) > 1e-6 * std::abs(rewards_.mean) ? std::sqrt(variance) : 0;
}

void RewardUnit::start(std::span<const float> rewards) {
  const double most = most_of_first(rewards);
  for (const float reward : rewards) {
    const auto y = static_cast<double>(reward);
    rewards_.add(of_ == Of::kSize ? std::clamp(y, -most, most) : y);
  }
  if (state_ == State::kFixed || rewards.empty()) return;
  if (measure() > 0) {
    state_ = State::kFollows;
    unit_ = measure();
  } else if (rewards_.mean != 0) {
    unit_ = std::abs(rewards_.mean);
  }
}

double RewardUnit::add(double reward) {
  if (state_ == State::kFixed) return 1;
  const double old = unit_;
  if (state_ == State::kFollows) {
    const double most = kMostUnits * unit_;
    rewards_.add(of_ == Of::kSize ? std::clamp(reward, -most, most) : reward);
    if (measure() < kSmallestStep * unit_) return 1;
    unit_ = measure();
    return old / unit_;
  }
  const bool all_zero = rewards_.mean == 0;
  rewards_.add(reward);
  if (measure() > 0) {
    state_ = State::kFollows;
    unit_ = measure();
  } else if (rewards_.mean != 0) {
    unit_ = std::abs(rewards_.mean);
  }
  return all_zero ? 1 : old / unit_;  // what was learnt from zeros holds in any unit
}

void RewardUnit::save(ArchiveWriter& out) const {
  out.write("state", static_cast<std::int64_t>(state_));
  out.write("unit", unit_);
  out.write("count", rewards_.count);
  out.write("mean", rewards_.mean);
  out.write("squares", rewards_.squares);
}

void RewardUnit::load(const ArchiveReader& in) {
  const bool fixed = state_ == State::kFixed;
  state_ = static_cast<State>(in.read_integer("state", fixed ? 2 : 0, fixed ? 2 : 1));
  unit_ = in.read_double("unit", fixed ? Bounds{unit_, unit_} : Bounds{1e-45, 1e39});
  rewards_.count = in.read_count("count");
  rewards_.mean = in.read_double("mean", {-1e39, 1e39});
  rewards_.squares = in.read_double("squares", {0, 1e100});
}

}  // namespace bandolier
