#include "bandolier/model/soft_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"

namespace bandolier {

void SoftClip::start(std::span<const Experience> experience) {
  double sum = 0;
  double count = 0;
  const auto add = [&](std::span<const float> values) {
    for (const float value : values) {
      sum += std::abs(static_cast<double>(value));
      count += value != 0;
    }
  };
  for (const Experience& one : experience) {
    add(one.context.features.values);
    add(one.context.action_features);
  }
  knee_ = count > 0 ? std::max(2.0f, static_cast<float>(2.5 * sum / count)) : 2.0f;
}

float SoftClip::operator()(float x) const {
  const float size = std::abs(x);
  return size <= knee_ ? x : std::copysign(knee_ + std::log1p(size - knee_), x);
}

void SoftClip::apply(std::span<float> values) const {
  for (float& value : values) value = (*this)(value);
}

bool SoftClip::beyond(std::span<const float> values) const {
  return std::any_of(values.begin(), values.end(),
                     [this](float value) { return std::abs(value) > knee_; });
}

Context SoftClip::apply(const Context& context, ContextBuffer& memory) const {
  if (!beyond(context.features.values) && !beyond(context.action_features)) return context;
  const Context held = memory.hold(context);
  apply(memory.values);
  apply(memory.action_features);
  return held;
}

void SoftClip::save(ArchiveWriter& out) const { out.write("knee", static_cast<double>(knee_)); }

void SoftClip::load(const ArchiveReader& in) {
  knee_ = static_cast<float>(in.read_double("knee", {2, std::numeric_limits<float>::max()}));
}

}  // namespace bandolier
