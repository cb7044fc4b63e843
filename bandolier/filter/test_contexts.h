// A small problem, contexts of it and predictors for it.
#pragma once

#include "bandolier/filter/head_predictor.h"
#include "bandolier/filter/network_predictor.h"

namespace bandolier::testing {

constexpr Index kFeatures = 4;
constexpr Index kActions = 3;
inline const ProblemShape kShape{.features = kFeatures, .actions = kActions};

inline std::shared_ptr<const Preparation> unprepared() {
  return std::make_shared<const Preparation>(PreparationOptions{});
}

inline std::shared_ptr<const HeadPredictor> make_heads(const std::string& model, Encoding encoding,
                                                       const HeadPredictorOptions& options) {
  return std::make_shared<HeadPredictor>(RewardModel(model, encoding, kShape), unprepared(),
                                         options,
                                         StreamKey{.seed = 11, .purpose = Purpose::kWarmUp});
}

// A whole network in a random subspace of `dim` dimensions, 0 at z = 0.
inline std::shared_ptr<const NetworkPredictor> make_network(const std::string& model, Index dim) {
  const RewardModel reward_model(model, Encoding::kMultiHead, kShape);
  const Network& network = reward_model.network();
  return std::make_shared<NetworkPredictor>(
      reward_model, unprepared(), random_offset(network, {.seed = 12}),
      make_random_basis<float>(BasisKind::kRankOne, network, dim, {.seed = 13}), true);
}

inline Context context_of(const Vector<float>& x) {
  return {Features::dense({x.data(), static_cast<std::size_t>(x.size())}), kActions, {}, {}};
}

inline Vector<float> normals(Index size, std::uint64_t seed) {
  Vector<float> out(size);
  Random random({.seed = seed});
  random.fill_normal(out);
  return out;
}

}  // namespace bandolier::testing
