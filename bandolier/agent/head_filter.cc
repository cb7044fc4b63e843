#include "bandolier/agent/head_filter.h"

#include <algorithm>
#include <cmath>

namespace bandolier {

HeadFilter::HeadFilter(std::shared_ptr<const HeadModel> model, const HeadFilterOptions& options)
    : model_(std::move(model)), options_(options) {
  const auto variance = static_cast<float>(options.prior_variance);
  // Forgetting is folded in as seldom as keeps it exact: a fold is O(h³) a head.
  const FoldOptions folds{
      static_cast<Index>(std::ceil(1 / std::max(1 - options.forgetting, 1e-6)))};
  if (model_->dim() > 0) body_.emplace(model_->dim(), variance, folds);
  const Index h = model_->features();
  for (Index k = 0; k < model_->heads(); ++k) {
    heads_.emplace_back(model_->head_offset().row(k).transpose(),
                        Vector<float>::Constant(h, variance), folds);
  }
  noise_.assign(options.noise_per_head ? heads_.size() : 1, options.noise);
}

HeadFilter::Step HeadFilter::learn(Index action, double reward, HeadWork& model_work,
                                   HeadFilterWork& work) {
  if (options_.forgetting < 1) forget();
  GaussianFull<float>& weights = head(action);
  InverseGamma& noise = noise_[noise_index(action)];
  work.phi.resize(model_->features());
  work.gradient.resize(model_->dim());
  const float eta =
      model_->linearise(body_mean(), action, weights.mean(), model_work, work.phi, work.gradient);
  const float q_body = body_ ? body_->project(work.gradient) : 0;
  const float q_head = weights.project(work.phi);
  const double error = reward - static_cast<double>(eta);
  const double q = static_cast<double>(q_body) + static_cast<double>(q_head);

  Step step;
  step.log_predictive = noise.log_predictive(error, 1 + q);
  step.surprise = error * error / (noise.mean() * (1 + q));
  // A weight w on the log-likelihood: noise of variance σ²/w.
  const double c2 = options_.robust * options_.robust;
  const double w = c2 > 0 ? c2 / (c2 + step.surprise) : 1;
  const Observation<float> observation{static_cast<float>(w * error), static_cast<float>(w)};
  step.accepted = std::isfinite(step.log_predictive) && acceptable(observation, q_body + q_head) &&
                  weights.correct(observation, q_body) &&
                  (!body_ || body_->correct(observation, q_head));
  if (step.accepted) {
    noise.a += w / 2;
    noise.b += w * error * error / (2 * (1 + w * q));
  }
  return step;
}

void HeadFilter::forget() {
  const auto gamma = static_cast<float>(options_.forgetting);
  if (body_) body_->forget(gamma);
  for (auto& one : heads_) one.forget(gamma);
  for (auto& one : noise_) {
    one.a = options_.noise.a + options_.forgetting * (one.a - options_.noise.a);
    one.b = options_.noise.b + options_.forgetting * (one.b - options_.noise.b);
  }
}

void HeadFilter::mean(HeadWork& model_work, std::span<float> out) const {
  model_->features(body_mean(), model_work);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    out[i] = model_work.phi.row(model_->input_of(action)).dot(head(action).mean());
  }
}

void HeadFilter::sample(Random& random, std::span<const float> temperature, HeadWork& model_work,
                        HeadFilterWork& work, std::span<float> out) const {
  const float lowest = *std::min_element(temperature.begin(), temperature.end());
  auto sigma = static_cast<float>(std::sqrt(noise_.front().sample(random)));
  work.z.resize(model_->dim());
  if (body_) body_->sample(random, sigma * lowest, work.noise, work.z);
  model_->features(work.z, model_work);
  if (model_->heads() == 1) {
    // One head for all: one sample of its weights.
    const auto& weights = heads_.front();
    work.weights.resize(weights.dim());
    weights.sample(random, sigma, work.noise, work.weights);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto phi = model_work.phi.row(model_->input_of(static_cast<Index>(i)));
      const float mean = phi.dot(weights.mean());
      out[i] = mean + temperature[i] * (phi.dot(work.weights) - mean);
    }
    return;
  }
  // Independent heads, one input: a score is φᵀμ + τ σ √(φᵀPφ) η exactly (head_scorer.h).
  work.phi = model_work.phi.row(0).transpose();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    if (options_.noise_per_head && i > 0) {
      sigma = static_cast<float>(std::sqrt(noise_[i].sample(random)));
    }
    const float q = head(action).variance(work.phi, work.scratch);
    out[i] = work.phi.dot(head(action).mean()) +
             temperature[i] * sigma * std::sqrt(q) * static_cast<float>(random.normal());
  }
}

void HeadFilter::deviation(HeadWork& model_work, HeadFilterWork& work, std::span<float> out) const {
  work.phi.resize(model_->features());
  work.gradient.resize(model_->dim());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto action = static_cast<Index>(i);
    model_->linearise(body_mean(), action, head(action).mean(), model_work, work.phi,
                      work.gradient);
    float q = head(action).variance(work.phi, work.scratch);
    if (body_) q += body_->variance(work.gradient, work.scratch);
    out[i] = static_cast<float>(std::sqrt(noise_[noise_index(action)].mean())) * std::sqrt(q);
  }
}

void HeadFilter::rescale(double factor) {
  for (auto& one : heads_) one.scale_mean(static_cast<float>(factor));
  for (auto& one : noise_) {
    one.b = options_.noise.b + (one.b - options_.noise.b) * factor * factor;
  }
}

std::size_t HeadFilter::bytes() const {
  std::size_t total = noise_.size() * sizeof(InverseGamma) + (body_ ? body_->bytes() : 0);
  for (const auto& one : heads_) total += one.bytes();
  return total;
}

void HeadFilter::save(ArchiveWriter& out) const {
  if (body_) body_->save(out);
  for (const auto& one : heads_) one.save(out);
  for (const auto& one : noise_) one.save(out);
}

void HeadFilter::load(ArchiveReader& in) {
  if (body_) body_->load(in);
  for (auto& one : heads_) one.load(in);
  for (auto& one : noise_) one.load(in);
}

}  // namespace bandolier
