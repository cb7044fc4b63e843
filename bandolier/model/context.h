// What is known before a decision. Contexts are views: they own nothing and are cheap to copy.
// Whoever makes one keeps the memory behind it alive until choose or observe returns, and that of a
// list of Experience until warm_up returns; ContextBuffer holds it for those who have no place.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/types.h"
#include "bandolier/nn/network.h"

namespace bandolier {

// Features shared by all actions, dense (`indices` empty) or sparse (values[i] at indices[i],
// ascending, of `size` in all).
struct Features {
  std::span<const float> values;
  std::span<const std::int32_t> indices;
  Index size = 0;

  bool sparse() const { return !indices.empty() || static_cast<Index>(values.size()) != size; }
  static Features dense(std::span<const float> values) {
    return {values, {}, static_cast<Index>(values.size())};
  }
};

struct Context {
  Features features;
  Index actions = 0;
  // actions × features-per-action, row by row; empty where actions have no features.
  std::span<const float> action_features;
  // Stable identities of the actions where the set changes from step to step; empty: 0 ..
  // actions-1.
  std::span<const std::int64_t> action_ids;
  // One per action: 0 where it may not be taken this time; empty: all may.
  std::span<const std::uint8_t> available = {};

  bool allows(Index action) const {
    return available.empty() || available[static_cast<std::size_t>(action)] != 0;
  }
  Index allowed() const;  // how many may be taken. O(actions) where some may not

  std::int64_t action_id(Index action) const {
    return action_ids.empty() ? action : action_ids[static_cast<std::size_t>(action)];
  }
};

// The most actions that a context can have where they change from one to the next.
inline constexpr Index kMostChangingActions = 1000;

// What an agent is built for.
struct ProblemShape {
  Index features = 0;
  Index actions = 0;          // the most that a context can have, where they change
  Index action_features = 0;  // 0: none
  bool fixed_actions = true;  // every context has the same `actions` actions
  ImageShape image = {};      // set where the features are an image
};

// Throws Error unless the shape makes sense (at least one feature and two actions, ...).
void check(const ProblemShape& shape);

// Throws Error unless `context` fits `shape` and all its numbers are finite. O(features).
void check(const Context& context, const ProblemShape& shape);

// Storage behind a context, for whoever must make one (generated problems, stored data, servers).
struct ContextBuffer {
  std::vector<float> values;
  std::vector<std::int32_t> indices;
  std::vector<float> action_features;
  std::vector<std::int64_t> action_ids;
  std::vector<std::uint8_t> available;

  // Copies `context` here and returns the view of the copy.
  Context hold(const Context& context);
};

// What a reward may count.
inline constexpr double kLeastWeight = 1e-6, kMostWeight = 1e6;

// One decision and what it earned.
struct Experience {
  Context context;
  Index action = 0;
  float reward = 0;
  float weight = 1;  // how many times its log-likelihood counts: noise of variance σ²/weight
};
std::vector<float> rewards_of(std::span<const Experience> experience);

}  // namespace bandolier
