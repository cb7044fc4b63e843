#include "bandolier/model/reward_unit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace bandolier {
namespace {

constexpr double kSmallestStep = 1.1;
constexpr double kMostUnits = 5;
constexpr double kImplausible = 1e8;
constexpr double kLargest = 1e30;  // in units, scores of larger ones might exceed a float
constexpr std::int64_t kFirst = 16;

}  // namespace

double most_of_first(std::span<const float> rewards) {
  if (rewards.empty()) return kLargest;
  std::vector<double> squares;
  for (const float reward : rewards) {
    squares.push_back(static_cast<double>(reward) * static_cast<double>(reward));
  }
  std::sort(squares.begin(), squares.end());
  const double largest = std::sqrt(squares.back());
  squares.resize(squares.size() - std::min(squares.size(), 1 + squares.size() / 20));
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  const double rest = std::sqrt(sum / std::max(1.0, static_cast<double>(squares.size())));
  return std::min(kLargest, rest > 1e-4 * largest ? kMostUnits * rest : largest);
}

RewardUnit::RewardUnit(Of of, double fixed)
    : of_(of),
      state_(fixed > 0 ? State::kFixed : State::kOpen),
      unit_(fixed > 0 ? fixed : 1),
      first_(fixed > 0 ? fixed : 0) {}

bool RewardUnit::plausible(double reward) const {
  if (!(std::abs(reward) <= kLargest)) return false;
  const bool no_unit = state_ == State::kOpen && rewards_.mean == 0;
  return no_unit || std::abs(reward - rewards_.mean) <= kImplausible * unit_;
}

double RewardUnit::measure() const {
  const double variance = rewards_.variance();
  if (of_ == Of::kSize) return std::sqrt(variance + rewards_.mean * rewards_.mean);
  return std::sqrt(variance) > 1e-6 * std::abs(rewards_.mean) ? std::sqrt(variance) : 0;
}

// Sets the unit by the first rewards that are not 0.
void RewardUnit::open() {
  if (measure() > 0) {
    state_ = State::kFollows;
    unit_ = measure();
  } else if (rewards_.mean != 0) {
    unit_ = std::abs(rewards_.mean);
  }
}

void RewardUnit::take(double reward) {
  rewards_.add(reward);
  first_ += (std::abs(reward) - first_) / static_cast<double>(rewards_.count);
}

void RewardUnit::start(std::span<const float> rewards) {
  if (state_ == State::kFixed) return;
  const double most = of_ == Of::kSize ? most_of_first(rewards) : kLargest;
  for (const float reward : rewards) take(std::clamp(static_cast<double>(reward), -most, most));
  if (!rewards.empty()) open();
}

double RewardUnit::add(double reward) {
  if (state_ == State::kFixed) return 1;
  const double old = unit_;
  if (state_ == State::kFollows) {
    const double most = kMostUnits * unit_;
    const double y = of_ == Of::kSize ? std::clamp(reward, -most, most) : reward;
    if (rewards_.count < kFirst) {
      take(y);
    } else {
      rewards_.add(y);
    }
    if (measure() < kSmallestStep * unit_) return 1;
    unit_ = measure();
    return old / unit_;
  }
  const bool all_zero = rewards_.mean == 0;
  take(reward);
  open();
  return all_zero ? 1 : old / unit_;  // what was learnt from zeros holds in any unit
}

void RewardUnit::save_section(ArchiveWriter& out) const {
  const auto section = out.section("reward_unit");
  out.write("state", static_cast<std::int64_t>(state_));
  out.write("unit", unit_);
  out.write("first", first_);
  rewards_.save(out);
}

void RewardUnit::load_section(const ArchiveReader& from) {
  if (!from.has("reward_unit")) {
    *this = RewardUnit(of_, 1);
    return;
  }
  const ArchiveReader in = from.section("reward_unit");
  // One that follows rewards may have been loaded from a file without a unit, and be fixed since.
  const bool fixed = state_ == State::kFixed;
  state_ = static_cast<State>(in.read_integer("state", fixed ? 2 : 0, 2));
  unit_ = in.read_double("unit", fixed ? Bounds{unit_, unit_} : Bounds{1e-45, kLargest});
  first_ = in.has("first") ? in.read_double("first", {0, kImplausible * unit_}) : unit_;
  rewards_.load(in);
}

}  // namespace bandolier
