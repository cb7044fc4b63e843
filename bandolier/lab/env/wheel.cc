#include "bandolier/lab/env/wheel.h"

#include <array>
#include <cmath>
#include <numbers>

#include "bandolier/lab/env/generated.h"

namespace bandolier {
namespace {

constexpr Index kActions = 5;

class WheelTrial final : public GeneratedTrial {
 public:
  WheelTrial(const WheelOptions& options, std::uint64_t seed, std::uint32_t trial, Index steps)
      : GeneratedTrial(seed, trial, steps), delta_(options.delta) {}

  Context context(Index t, ContextBuffer& buffer) const override {
    const auto [x, y] = point(t);
    buffer.values.assign({static_cast<float>(x), static_cast<float>(y)});
    return {Features::dense(buffer.values), kActions, {}, {}};
  }

  float reward(Index t, Index action) const override {
    const bool rare = action == rare_action(t);
    Random random = reward_stream(t, action);
    return static_cast<float>(mean(action, rare) + (rare ? 0.01 : 0.05) * random.normal());
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    const Index rare = rare_action(t);
    for (Index a = 0; a < kActions; ++a) {
      out[static_cast<std::size_t>(a)] = static_cast<float>(mean(a, a == rare));
    }
  }

 private:
  static double mean(Index action, bool rare) { return rare ? 50 : action == 4 ? 1.2 : 1; }

  std::array<double, 2> point(Index t) const {
    Random random = context_stream(t);
    const double radius = std::sqrt(random.uniform());
    const double angle = 2 * std::numbers::pi * random.uniform();
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

  // The action that pays 50 at step t, or -1.
  Index rare_action(Index t) const {
    const auto [x, y] = point(t);
    if (std::hypot(x, y) < delta_) return -1;
    return (x > 0 ? 0 : 2) + (y > 0 ? 0 : 1);
  }

  double delta_;
};

}  // namespace

const OptionTable<WheelOptions>& wheel_options() {
  static const OptionTable<WheelOptions> table = {
      {"delta", &WheelOptions::delta, "radius beyond which one action pays 50", between(0, 1)}};
  return table;
}

std::unique_ptr<Environment> make_wheel(const WheelOptions& options) {
  return std::make_unique<GeneratedEnvironment<WheelTrial, WheelOptions>>(
      ProblemShape{.features = 2, .actions = kActions}, options);
}

}  // namespace bandolier
