#include "bandolier/filter/filter_scorer.h"

#include <algorithm>
#include <cmath>

#include "bandolier/linalg/row_products.h"
#include "bandolier/policy/temperature.h"

namespace bandolier {

float FilterScorer::to_reward(float eta) const {
  return static_cast<float>(unit_ * filter_.likelihood().response(static_cast<double>(eta)));
}

ConstVectorMap<float> FilterScorer::features_of(Index action) const {
  return {scratch_.phi.row(predictor_.input_of(action)).data(), scratch_.phi.cols()};
}

void FilterScorer::find_effects(std::size_t actions) {
  if (!filter_.belief().has_effects()) return;
  const auto count = static_cast<Index>(actions);
  if (draw_.effect_means.size() < count) {
    draw_.effect_means.resize(count);
    draw_.effect_deviations.resize(count);
    draw_.effect_noise.resize(count);
  }
  for (std::size_t a = 0; a < actions; ++a) {
    const auto [mean, variance] = filter_.belief().effect(scratch_.action_ids[a]);
    draw_.effect_means[static_cast<Index>(a)] = mean;
    draw_.effect_deviations[static_cast<Index>(a)] = std::sqrt(variance);
  }
}

void FilterScorer::mean(std::span<float> out) {
  const auto& belief = filter_.belief();
  predictor_.evaluate(belief.body_mean(), scratch_);
  find_effects(out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    const float shared = has_heads()
                             ? features_of(action).dot(belief.head_mean(predictor_.head_of(action)))
                             : scratch_.rewards[action];
    out[i] = to_reward(belief.has_effects() ? shared + draw_.effect_means[action] : shared);
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
  find_effects(out.size());
  if (has_heads()) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto action = static_cast<Index>(i);
      const Index head = predictor_.head_of(action);
      const auto phi = features_of(action);
      const float deviation = belief.draw_head(head, phi, random, draw_.parameters);
      out[i] = phi.dot(belief.head_mean(head)) + temperature[i] * sigma * deviation;
    }
    to_rewards(random, sigma, temperature, out);
    return;
  }
  std::copy_n(scratch_.rewards.data(), out.size(), out.data());
  if (*high > *low) {
    predictor_.evaluate(belief.body_mean(), scratch_);
    spread(temperature, common, out);
  }
  to_rewards(random, sigma, temperature, out);
}

void FilterScorer::contest(Random& random, std::span<const float> temperature,
                           std::span<const float> bonus, const Context& context,
                           std::span<float> out) {
  const auto& belief = filter_.belief();
  if (!has_heads() || !belief.heads_independent() || belief.has_effects()) {
    Scorer::contest(random, temperature, bonus, context, out);
    return;
  }
  const float sigma = draw_body(random, *std::min_element(temperature.begin(), temperature.end()));
  const auto phi = features_of(0);  // of all actions
  const float norm = phi.squaredNorm();
  draw_.head_means.resize(static_cast<Index>(out.size()));
  draw_.head_normals.resize(static_cast<Index>(out.size()));
  // The most that an action's score can be where its deviation is at most `deviation`.
  const auto score = [&](Index a, float deviation) {
    const auto i = static_cast<std::size_t>(a);
    const float above = temperature[i] * sigma * (deviation * draw_.head_normals[a]);
    return to_reward(draw_.head_means[a] + above) + bonus[i];
  };
  const auto exact = [&](Index a) {
    return score(a, belief.head_deviation(predictor_.head_of(a), phi, draw_.parameters));
  };
  Index first = -1;
  for (Index a = 0; a < context.actions; ++a) {
    draw_.head_means[a] = phi.dot(belief.head_mean(predictor_.head_of(a)));
    draw_.head_normals[a] = static_cast<float>(random.normal());
    out[static_cast<std::size_t>(a)] = score(a, 0);
    if (!context.allows(a)) continue;
    if (first < 0 || out[static_cast<std::size_t>(a)] > out[static_cast<std::size_t>(first)]) {
      first = a;
    }
  }
  float best = out[static_cast<std::size_t>(first)] = exact(first);
  for (Index a = 0; a < context.actions; ++a) {
    if (a == first || !context.allows(a)) continue;
    float& here = out[static_cast<std::size_t>(a)];
    if (draw_.head_normals[a] > 0) {
      here = score(a, belief.head_deviation_bound(predictor_.head_of(a), norm));
    }
    if (here < best) continue;
    here = exact(a);
    best = std::max(best, here);
  }
}

void FilterScorer::spread(std::span<const float> temperature, float common,
                          std::span<float> rewards) const {
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    const float mean = scratch_.rewards[static_cast<Index>(i)];
    rewards[i] = mean + temperature[i] / common * (rewards[i] - mean);
  }
}

void FilterScorer::samples(Random& random, std::span<const float> temperature,
                           MatrixRef<float> out) {
  if (has_heads() && !filter_.belief().one_head()) {
    Scorer::samples(random, temperature, out);
    return;
  }
  // Forks of a stream are the same however much was drawn from it: the base must not be.
  StreamKey key = random.key();
  key.seed = random.bits64();
  const Random base(key);
  draw_.streams.clear();
  for (Index i = 0; i < out.rows(); ++i) {
    draw_.streams.push_back(base.fork(static_cast<std::uint32_t>(i)));
  }
  find_effects(static_cast<std::size_t>(out.cols()));
  if (has_heads()) {
    head_samples(random, temperature, out);
  } else {
    body_samples(random, temperature, out);
  }
}

void FilterScorer::head_samples(Random& random, std::span<const float> temperature,
                                MatrixRef<float> out) {
  const auto& belief = filter_.belief();
  const float sigma = draw_body(random, *std::min_element(temperature.begin(), temperature.end()));
  draw_.rows.resize(out.rows(), predictor_.layout().features);
  belief.draw_heads(draw_.streams, draw_.parameters, draw_.rows);
  const auto phi = scratch_.phi.topRows(out.cols());  // one row per action
  row_products<float>(draw_.rows, phi, out);
  if (draw_.mean_rewards.size() < out.cols()) draw_.mean_rewards.resize(out.cols());
  draw_.mean_rewards.head(out.cols()).noalias() = phi * belief.head_mean(0);
  for (Index i = 0; i < out.rows(); ++i) {
    float* eta = out.row(i).data();
    for (Index a = 0; a < out.cols(); ++a) {
      eta[a] = draw_.mean_rewards[a] + temperature[static_cast<std::size_t>(a)] * sigma * eta[a];
    }
    to_rewards(draw_.streams[static_cast<std::size_t>(i)], sigma, temperature,
               {eta, static_cast<std::size_t>(out.cols())});
  }
}

void FilterScorer::body_samples(Random& random, std::span<const float> temperature,
                                MatrixRef<float> out) {
  const auto& belief = filter_.belief();
  const auto [low, high] = std::minmax_element(temperature.begin(), temperature.end());
  const float common = common_temperature(*low, *high);
  const auto sigma = static_cast<float>(std::sqrt(filter_.sample_unit_variance(random)));
  draw_.deviations.assign(draw_.streams.size(), sigma * common);
  draw_.rows.resize(out.rows(), predictor_.layout().body);
  belief.draw_bodies(draw_.streams, draw_.deviations, draw_.parameters.noises, draw_.rows);
  for (Index i = 0; i < out.rows(); ++i) {
    predictor_.evaluate(draw_.rows.row(i).transpose(), scratch_);
    out.row(i) = scratch_.rewards.head(out.cols()).transpose();
  }
  if (*high > *low) predictor_.evaluate(belief.body_mean(), scratch_);
  for (Index i = 0; i < out.rows(); ++i) {
    const std::span<float> eta(out.row(i).data(), static_cast<std::size_t>(out.cols()));
    if (*high > *low) spread(temperature, common, eta);
    to_rewards(draw_.streams[static_cast<std::size_t>(i)], sigma, temperature, eta);
  }
}

void FilterScorer::to_rewards(Random& random, float sigma, std::span<const float> temperature,
                              std::span<float> eta) {
  if (filter_.belief().has_effects()) {
    const auto count = static_cast<Index>(eta.size());
    random.fill_normal(draw_.effect_noise.head(count));
    VectorMap<float>(eta.data(), count).array() +=
        draw_.effect_means.head(count).array() +
        sigma * ConstVectorMap<float>(temperature.data(), count).array() *
            draw_.effect_deviations.head(count).array() * draw_.effect_noise.head(count).array();
  }
  for (float& one : eta) one = to_reward(one);
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
