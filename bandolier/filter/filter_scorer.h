// What one filter says of a bound context, in the user's units: means, samples and deviations of
// the expected rewards of all actions.
#pragma once

#include "bandolier/filter/filter.h"
#include "bandolier/filter/predictor.h"
#include "bandolier/policy/scorer.h"

namespace bandolier {

// A caller's memory beside the predictor's.
struct ScorerScratch {
  Vector<float> z, mean_rewards;
  Vector<float> head_means, head_normals;  // per action
  Tangent tangent;
  SampleScratch<float> parameters;
  std::vector<Random> streams;    // of many samples
  Matrix<float> rows;             // weights of the head, or coordinates: one sample per row
  std::vector<float> deviations;  // of those samples
  Vector<float> effect_means, effect_deviations, effect_noise;  // per action
};

class FilterScorer final : public Scorer {
 public:
  // All are borrowed for the scorer's life; the predictor is bound. `unit`: of the filter's
  // rewards.
  FilterScorer(const Predictor& predictor, const Filter<float>& filter, double unit,
               PredictorScratch& scratch, ScorerScratch& draw)
      : predictor_(predictor), filter_(filter), unit_(unit), scratch_(scratch), draw_(draw) {}

  void mean(std::span<float> out) override;

  // With heads: the body's deviation is scaled by the smallest temperature, a head's by its
  // action's own. Without: f_a(μ + τ S ε) where all temperatures are the same; otherwise the
  // network is evaluated at one for all (temperature.h), and an action's deviation from f_a(μ) is
  // multiplied by its own over that: exact for a predictor that is linear in z, and two passes
  // whatever the number of actions.
  void sample(Random& random, std::span<const float> temperature, std::span<float> out) override;

  // With a head of its own per action: an action's variance is found only where its mean, and what
  // the prior's variance lets its sample be above it, can still be the highest. The action taken is
  // the one that sample would give the highest score, bit for bit.
  void contest(Random& random, std::span<const float> temperature, std::span<const float> bonus,
               const Context& context, std::span<float> out) override;

  // One head for all actions: given noise variance and body, its weights are drawn and multiplied
  // as matrices. Without heads: the coordinates.
  void samples(Random& random, std::span<const float> temperature, MatrixRef<float> out) override;

  // With a head of its own per action and Gaussian rewards: given noise variance and body, scores
  // are independent.
  bool normals(Random& random, std::span<const float> temperature, std::span<float> mean,
               std::span<float> deviation) override;

  // √(gᵀ cov g), times the slope of the mean reward in its predictor.
  void deviation(std::span<float> out) override;

 private:
  bool has_heads() const { return predictor_.layout().heads > 0; }
  ConstVectorMap<float> features_of(Index action) const;
  // The first step of a sample: evaluates at z = μ + temperature·σ̃·Sε and returns σ̃.
  float draw_body(Random& random, float temperature);
  float to_reward(float eta) const;
  void head_samples(Random& random, std::span<const float> temperature, MatrixRef<float> out);
  void body_samples(Random& random, std::span<const float> temperature, MatrixRef<float> out);
  // Per action, the deviation from its mean times its temperature over the common one, where they
  // differ: of rewards at a sample, in place.
  void spread(std::span<const float> temperature, float common, std::span<float> rewards) const;
  // The last step of a sample: the effects of the actions' ids, and the user's unit.
  void to_rewards(Random& random, float sigma, std::span<const float> temperature,
                  std::span<float> eta);
  // Mean and deviation of every action's effect, where ids have any.
  void find_effects(std::size_t actions);

  const Predictor& predictor_;
  const Filter<float>& filter_;
  double unit_;
  PredictorScratch& scratch_;
  ScorerScratch& draw_;
};

}  // namespace bandolier
