#include "bandolier/filter/filter_scorer.h"

#include <algorithm>
#include <cmath>

#include "bandolier/policy/temperature.h"

namespace bandolier {

float FilterScorer::to_reward(float eta) const {
  return static_cast<float>(unit_ * filter_.likelihood().response(static_cast<double>(eta)));
}

ConstVectorMap<float> FilterScorer::features_of(Index action) const {
  return {scratch_.phi.row(predictor_.input_of(action)).data(), scratch_.phi.cols()};
}

void FilterScorer::mean(std::span<float> out) {
  const auto& belief = filter_.belief();
  predictor_.evaluate(belief.body_mean(), scratch_);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    out[i] = to_reward(has_heads()
                           ? features_of(action).dot(belief.head_mean(predictor_.head_of(action)))
                           : scratch_.rewards[action]);
  }
}

float FilterScorer::draw_body(Random& random, float temperature) {
  const auto sigma = static_cast<float>(std::sqrt(filter_.sample_unit_variance(random)));
  draw_.z.resize(predictor_.layout().body);
  filter_.belief().draw_body(random, sigma * temperature, draw_.parameters, draw_.z);
  predictor_.evaluate(draw_.z, scratch_);
  return sigma;
}

void FilterScorer::sample(Random& random, std::span<const float> temperature,
                          std::span<float> out) {
  const auto& belief = filter_.belief();
  const auto [low, high] = std::minmax_element(temperature.begin(), temperature.end());
  const float common = has_heads() ? *low : common_temperature(*low, *high);
  const float sigma = draw_body(random, common);
  if (has_heads()) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto action = static_cast<Index>(i);
      const Index head = predictor_.head_of(action);
      const auto phi = features_of(action);
      const float deviation = belief.draw_head(head, phi, random, draw_.parameters);
      out[i] = to_reward(phi.dot(belief.head_mean(head)) + temperature[i] * sigma * deviation);
    }
    return;
  }
  if (*high > *low) {
    draw_.mean_rewards.swap(scratch_.rewards);  // those of the sample, for the while
    scratch_.rewards.resize(draw_.mean_rewards.size());
    predictor_.evaluate(belief.body_mean(), scratch_);
    draw_.mean_rewards.swap(scratch_.rewards);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto a = static_cast<Index>(i);
      const float mean = draw_.mean_rewards[a];
      scratch_.rewards[a] = mean + temperature[i] / common * (scratch_.rewards[a] - mean);
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = to_reward(scratch_.rewards[static_cast<Index>(i)]);
  }
}

bool FilterScorer::normals(Random& random, std::span<const float> temperature,
                           std::span<float> mean, std::span<float> deviation) {
  const auto& belief = filter_.belief();
  if (!belief.heads_independent() ||
      filter_.likelihood().family() != Likelihood::Family::kGaussian) {
    return false;
  }
  const float sigma = draw_body(random, *std::min_element(temperature.begin(), temperature.end()));
  const auto unit = static_cast<float>(unit_);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const auto action = static_cast<Index>(i);
    const Index head = predictor_.head_of(action);
    const auto phi = features_of(action);
    mean[i] = to_reward(phi.dot(belief.head_mean(head)));
    deviation[i] =
        unit * temperature[i] * sigma * belief.head_deviation(head, phi, draw_.parameters);
  }
  return true;
}

void FilterScorer::deviation(std::span<float> out) {
  const auto& belief = filter_.belief();
  for (std::size_t i = 0; i < out.size(); ++i) {
    predictor_.linearise(belief, static_cast<Index>(i), scratch_, draw_.tangent);
    const auto q = static_cast<double>(belief.variance(draw_.tangent.view(), draw_.parameters));
    const double slope = filter_.likelihood().slope(static_cast<double>(draw_.tangent.value));
    out[i] = static_cast<float>(unit_ * slope * std::sqrt(filter_.unit_variance() * q));
  }
}

}  // namespace bandolier
