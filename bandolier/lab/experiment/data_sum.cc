#include "bandolier/lab/experiment/data_sum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <span>

namespace bandolier {
namespace {

constexpr Index kMostRows = 20'000;

template <class T>
uLong add(uLong sum, std::span<const T> values) {
  if (values.empty()) return sum;  // zlib takes a null address for a new sum
  return ::crc32_z(sum, reinterpret_cast<const Bytef*>(values.data()), values.size_bytes());
}

}  // namespace

std::string data_sum(const Environment& environment) {
  const auto rows = environment.max_steps();
  if (!rows) return "";
  const Index steps = std::min(*rows, kMostRows);
  const auto trial = environment.trial(0, 0, steps);
  ContextBuffer buffer;
  std::vector<float> expected(static_cast<std::size_t>(environment.shape().actions));
  uLong sum = 0;
  for (Index t = 0; t < steps; ++t) {
    const Context context = trial->context(t, buffer);
    sum = add(sum, context.features.values);
    sum = add(sum, context.features.indices);
    if (t == 0) sum = add(sum, context.action_features);
    trial->expected_rewards(t, expected);
    sum = add(sum, std::span<const float>(expected));
  }
  return fmt::format("{:08x}", sum);
}

}  // namespace bandolier
