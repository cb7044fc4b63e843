#include "bandolier/agent/head_filter.h"

#include <algorithm>
#include <cmath>

namespace bandolier {

HeadFilter::HeadFilter(std::shared_ptr<const HeadModel> model, const HeadFilterOptions& options)
    : model_(std::move(model)),
      options_(options),
      belief_(
          make_head_belief(*model_, {options.joint, options.prior_variance, options.forgetting})),
      noise_(options.noise) {}

HeadFilter::HeadFilter(const HeadFilter& other)
    : model_(other.model_),
      options_(other.options_),
      belief_(other.belief_->clone()),
      noise_(other.noise_) {}

HeadFilter::Step HeadFilter::learn(Index action, double reward, HeadWork& model_work,
                                   HeadFilterWork& work) {
  if (options_.forgetting < 1) forget();
  const Index head = model_->head_of(action);
  work.phi.resize(model_->features());
  work.gradient.resize(model_->dim());
  const float eta = model_->linearise(belief_->body_mean(), action, belief_->head_mean(head),
                                      model_work, work.phi, work.gradient);
  const double error = reward - static_cast<double>(eta);
  const auto q = static_cast<double>(belief_->project(head, work.gradient, work.phi));

  Step step;
  step.log_predictive = noise_.log_predictive(error, 1 + q, options_.degrees);
  const double expected = noise_.mean() * (1 + q);
  step.surprise = error * error / expected;
  // A weight w on the log-likelihood: noise of variance σ²/w.
  const double c2 = options_.robust * options_.robust;
  const double w = c2 > 0 ? c2 / (c2 + error * error / std::max(expected, 1.0)) : 1;
  step.accepted = std::isfinite(step.log_predictive) &&
                  belief_->correct({static_cast<float>(w * error), static_cast<float>(w)});
  if (step.accepted) {
    noise_.a += w / 2;
    noise_.b += w * error * error / (2 * (1 + w * q));
  }
  return step;
}

void HeadFilter::forget() {
  belief_->forget(static_cast<float>(options_.forgetting));
  noise_.a = options_.noise.a + options_.forgetting * (noise_.a - options_.noise.a);
  noise_.b = options_.noise.b + options_.forgetting * (noise_.b - options_.noise.b);
}

void HeadFilter::mean(HeadWork& model_work, std::span<float> out) const {
  model_->features(belief_->body_mean(), model_work);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    out[i] = model_work.phi.row(model_->input_of(action))
                 .dot(belief_->head_mean(model_->head_of(action)));
  }
}

void HeadFilter::sample(Random& random, std::span<const float> temperature, HeadWork& model_work,
                        HeadFilterWork& work, std::span<float> out) const {
  const float lowest = *std::min_element(temperature.begin(), temperature.end());
  const auto sigma = static_cast<float>(std::sqrt(noise_.sample(random)));
  work.z.resize(model_->dim());
  belief_->draw_body(random, sigma * lowest, work.draw, work.z);
  model_->features(work.z, model_work);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    const Index head = model_->head_of(action);
    work.phi = model_work.phi.row(model_->input_of(action)).transpose();
    out[i] = work.phi.dot(belief_->head_mean(head)) +
             temperature[i] * sigma * belief_->draw_head(head, work.phi, random, work.draw);
  }
}

void HeadFilter::deviation(HeadWork& model_work, HeadFilterWork& work, std::span<float> out) const {
  work.phi.resize(model_->features());
  work.gradient.resize(model_->dim());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    const Index head = model_->head_of(action);
    model_->linearise(belief_->body_mean(), action, belief_->head_mean(head), model_work, work.phi,
                      work.gradient);
    const auto q = belief_->variance(head, work.gradient, work.phi, work.draw);
    out[i] = std::sqrt(static_cast<float>(noise_.mean()) * q);
  }
}

void HeadFilter::rescale(double factor) {
  belief_->scale_heads(static_cast<float>(factor));
  noise_.b = options_.noise.b + (noise_.b - options_.noise.b) * factor * factor;
}

void HeadFilter::save(ArchiveWriter& out) const {
  belief_->save(out);
  noise_.save(out);
}

void HeadFilter::load(ArchiveReader& in) {
  belief_->load(in);
  noise_.load(in);
}

}  // namespace bandolier
