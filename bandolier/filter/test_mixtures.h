// Small mixtures, and rewards for them.
#pragma once

#include <cmath>

#include "bandolier/filter/mixture.h"
#include "bandolier/filter/test_contexts.h"
#include "bandolier/filter/test_filters.h"

namespace bandolier::testing {

constexpr double kShare = 1e-5;
inline const RewardUnit kFixed(RewardUnit::Of::kSize, 1);

inline std::vector<std::shared_ptr<const Predictor>> predictors() {
  return {make_heads("mlp:5", Encoding::kMultiHead, {true, BasisKind::kRankOne, 6}),
          make_heads("linear", Encoding::kMultiHead, {})};
}

inline MixtureMember member(const Predictor& predictor, std::size_t index,
                            const FilterOptions& options, float variance = 0.5f,
                            BeliefKind kind = BeliefKind::kFull) {
  const ParameterBeliefOptions belief{{kind, 10, {}}, {kind, 10, {}}, false};
  return {"member",
          index,
          {ParameterBelief<float>(predictor.layout(), predictor.head_means(), variance, belief),
           options}};
}

// Inferred noise, and how long it is remembered.
inline FilterOptions remembering(double forgetting) {
  FilterOptions options = inferred({3, 0.3});
  options.forgetting = forgetting;
  return options;
}

// A network, one that forgets, and a linear model.
inline Mixture make_mixture(const RewardUnit& unit, double share = kShare) {
  const auto shared = predictors();
  return Mixture(shared,
                 {member(*shared[0], 0, remembering(1)), member(*shared[0], 0, remembering(0.99)),
                  member(*shared[1], 1, remembering(1))},
                 {.share = share}, unit);
}

inline Vector<float> features(int t) {
  return normals(kFeatures, 100 + static_cast<std::uint64_t>(t));
}
inline float reward_of(const Vector<float>& x, Index action) { return std::abs(x[action]) - 0.3f; }

// The next reward of a sequence, of actions in turn.
inline bool learn(Mixture& mixture, int t, MixtureScratch& scratch, float factor = 1) {
  const Vector<float> x = features(t);
  const Index action = t % kActions;
  return mixture.learn({context_of(x), action, factor * reward_of(x, action)}, scratch);
}

}  // namespace bandolier::testing
