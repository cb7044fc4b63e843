// A recommender whose menu changes: users, and items that come and go.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

// A user x ~ N(0, I), fresh at each step, meets `candidates` items drawn without replacement from a
// catalogue. An item has y ~ N(0, I) all its life and an id that no other item ever has; every
// `renewal` steps the oldest leaves and a new one comes. Item y pays m + N(0, noise²), not clamped,
//   m = 1 / (1 + exp(−1.5·(√⅔·xᵀBy + √⅓·Σₖ √½·cos(uₖᵀx + vₖᵀy + bₖ) + quality·q))),
// k = 1 .. 4, ‖B‖ = ‖uₖ‖ = ‖vₖ‖ = 1, and q ~ N(0, 1) the item's own. B, uₖ, vₖ and bₖ are hidden
// and drawn anew for every trial. A reward is O(features·item_features + catalogue).
struct ItemsOptions {
  std::int64_t features = 20;
  std::int64_t item_features = 10;
  std::int64_t candidates = 30;
  std::int64_t catalogue = 300;
  std::int64_t renewal = 10;
  double noise = 0.1;
  double quality = 0;
};
const OptionTable<ItemsOptions>& items_options();
std::unique_ptr<Environment> make_items(const ItemsOptions& options);

}  // namespace bandolier
