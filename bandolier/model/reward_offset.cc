#include "bandolier/model/reward_offset.h"

#include <cmath>

namespace bandolier {
namespace {

constexpr std::int64_t kFirst = 8;
constexpr double kFar = 16;

}  // namespace

RewardOffset::RewardOffset(std::optional<double> fixed)
    : open_(!fixed), value_(fixed.value_or(0)) {}

bool RewardOffset::decide() {
  open_ = false;
  const bool far = std::abs(first_.mean) > kFar * std::sqrt(first_.variance());
  if (far) value_ = first_.mean;
  return far;
}

void RewardOffset::start(std::span<const float> rewards) {
  if (!open_) return;
  for (const float reward : rewards) first_.add(static_cast<double>(reward));
  if (rewards.size() > 1) decide();
}

bool RewardOffset::add(float reward) {
  if (!open_) return false;
  first_.add(static_cast<double>(reward));
  return first_.count >= kFirst && decide();
}

void RewardOffset::save(ArchiveWriter& out) const {
  out.write("open", open_);
  out.write("offset", value_);
  first_.save(out);
}

void RewardOffset::load(const ArchiveReader& in) {
  open_ = in.read_bool("open");
  value_ = in.read_double("offset", {-1e39, 1e39});
  first_.load(in);
}

}  // namespace bandolier
