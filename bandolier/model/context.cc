#include "bandolier/model/context.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// Indices of sparse features are of 32 bits.
constexpr Index kMostOfAShape = std::numeric_limits<std::int32_t>::max();
constexpr Index kMostOfASide = 1 << 20;

void check_size(Index found, Index least, std::string_view what) {
  if (found < least || found > kMostOfAShape) {
    fail("the problem has {} {}: expected {} to {}", found, what, least, kMostOfAShape);
  }
}

void check_finite(std::span<const float> values, std::string_view what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      fail("{} {} is {}: expected a finite number; clean or impute it before deciding", what, i,
           values[i]);
    }
  }
}

// Throws Error where an id is there twice. O(actions), in a hash table of places on the stack.
void check_distinct(std::span<const std::int64_t> ids) {
  constexpr std::size_t kPlaces = 2048;
  static_assert(2 * kMostChangingActions <= kPlaces);
  std::array<std::uint16_t, kPlaces> places{};  // index + 1; 0: free
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::size_t place = (static_cast<std::uint64_t>(ids[i]) * 0x9e3779b97f4a7c15u) >> 53;
    for (; places[place] != 0; place = (place + 1) % kPlaces) {
      const std::size_t other = places[place] - 1u;
      if (ids[other] == ids[i]) {
        fail("actions {} and {} of the context have the same id, {}: expected each action once",
             other, i, ids[i]);
      }
    }
    places[place] = static_cast<std::uint16_t>(i + 1);
  }
}

}  // namespace

void check(const ProblemShape& shape) {
  check_size(shape.features, 1, "features");
  check_size(shape.actions, 2, "actions");
  check_size(shape.action_features, 0, "features per action");
  if (!shape.fixed_actions && shape.actions > kMostChangingActions) {
    fail("the problem's actions change, and a context may have {}: expected at most {}",
         shape.actions, kMostChangingActions);
  }
  for (const Index side : {shape.image.height, shape.image.width, shape.image.channels}) {
    if (side < 0 || side > kMostOfASide) {
      fail("the image is {} x {} x {}: expected sides of 0 to {}", shape.image.height,
           shape.image.width, shape.image.channels, kMostOfASide);
    }
  }
  if (shape.image.size() != 0 && shape.image.size() != shape.features) {
    fail("the image is {} x {} x {}: expected {} values, one per feature", shape.image.height,
         shape.image.width, shape.image.channels, shape.features);
  }
}

void check(const Context& context, const ProblemShape& shape) {
  const Features& features = context.features;
  if (features.size != shape.features) {
    fail("the context has {} features: expected {}", features.size, shape.features);
  }
  if (features.sparse()) {
    if (features.indices.size() != features.values.size()) {
      fail("the context has {} sparse values and {} indices: expected as many",
           features.values.size(), features.indices.size());
    }
    std::int64_t last = -1;
    for (const auto index : features.indices) {
      if (index <= last || index >= shape.features) {
        fail("sparse feature index {} after {}: expected ascending indices below {}", index, last,
             shape.features);
      }
      last = index;
    }
  }
  check_finite(features.values, "feature");
  if (shape.fixed_actions ? context.actions != shape.actions
                          : context.actions < 1 || context.actions > shape.actions) {
    fail("the context has {} actions: expected {}{}", context.actions,
         shape.fixed_actions ? "" : "1 to ", shape.actions);
  }
  const auto expected = static_cast<std::size_t>(context.actions * shape.action_features);
  if (context.action_features.size() != expected) {
    fail("the context has {} action feature values: expected {} ({} actions x {} features)",
         context.action_features.size(), expected, context.actions, shape.action_features);
  }
  check_finite(context.action_features, "action feature");
  if (!context.action_ids.empty() &&
      context.action_ids.size() != static_cast<std::size_t>(context.actions)) {
    fail("the context has {} action ids: expected {} or none", context.action_ids.size(),
         context.actions);
  }
  if (!shape.fixed_actions) check_distinct(context.action_ids);
  if (!context.available.empty()) {
    if (context.available.size() != static_cast<std::size_t>(context.actions)) {
      fail("the context says of {} actions whether they are available: expected {} or none",
           context.available.size(), context.actions);
    }
    if (context.allowed() == 0) {
      fail("none of the context's {} actions is available: expected at least one", context.actions);
    }
  }
}

Index Context::allowed() const {
  if (available.empty()) return actions;
  return std::count_if(available.begin(), available.end(), [](std::uint8_t a) { return a != 0; });
}

Context ContextBuffer::hold(const Context& context) {
  values.assign(context.features.values.begin(), context.features.values.end());
  indices.assign(context.features.indices.begin(), context.features.indices.end());
  action_features.assign(context.action_features.begin(), context.action_features.end());
  action_ids.assign(context.action_ids.begin(), context.action_ids.end());
  available.assign(context.available.begin(), context.available.end());
  return {{values, indices, context.features.size},
          context.actions,
          action_features,
          action_ids,
          available};
}

std::vector<float> rewards_of(std::span<const Experience> experience) {
  std::vector<float> rewards;
  for (const Experience& one : experience) rewards.push_back(one.reward);
  return rewards;
}

}  // namespace bandolier
