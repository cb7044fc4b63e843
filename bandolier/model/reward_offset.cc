#include "bandolier/model/reward_offset.h"

#include <cmath>

#include "bandolier/core/running_moments.h"

namespace bandolier {
namespace {

constexpr double kFar = 16;

}  // namespace

RewardOffset::RewardOffset(std::optional<double> fixed)
    : fixed_(fixed.has_value()), value_(fixed.value_or(0)) {}

void RewardOffset::start(std::span<const float> rewards) {
  if (fixed_) return;
  RunningMoments first;
  for (const float reward : rewards) first.add(static_cast<double>(reward));
  const bool far = std::abs(first.mean) > kFar * std::sqrt(first.variance());
  value_ = far && rewards.size() > 1 ? first.mean : 0;
}

void RewardOffset::save(ArchiveWriter& out) const { out.write("offset", value_); }

void RewardOffset::load(const ArchiveReader& in) {
  value_ = in.read_double("offset", {-1e39, 1e39});
}

}  // namespace bandolier
