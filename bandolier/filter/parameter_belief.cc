#include "bandolier/filter/parameter_belief.h"

#include <cmath>

namespace bandolier {

template <class T>
ParameterBelief<T>::ParameterBelief(const ParameterLayout& layout,
                                    const ConstMatrixRef<T>& prior_means, T variance,
                                    const ParameterBeliefOptions& options)
    : layout_(layout), joint_(options.joint && layout.heads > 0) {
  if (options.effect_variance > 0) effects_.emplace(static_cast<T>(options.effect_variance));
  Matrix<T> variances = Matrix<T>::Constant(layout.heads, layout.features, variance);
  variances.leftCols(layout.hidden) *= static_cast<T>(options.hidden_variance);
  if (joint_) {
    body_.emplace(make_belief<T>(options.body, joined(0, prior_means),
                                 ConstVectorRef<T>(joined(variance, variances))));
    return;
  }
  if (layout.body > 0) {
    body_.emplace(make_belief<T>(options.body, Vector<T>::Zero(layout.body), variance));
  }
  for (Index k = 0; k < layout.heads; ++k) {
    heads_.emplace_back(make_belief<T>(options.head, prior_means.row(k).transpose(),
                                       ConstVectorRef<T>(variances.row(k).transpose())));
  }
}

template <class T>
Vector<T> ParameterBelief<T>::joined(T body, const ConstMatrixRef<T>& heads) const {
  Vector<T> all = Vector<T>::Constant(layout_.size(), body);
  for (Index k = 0; k < layout_.heads; ++k) {
    all.segment(offset(k), layout_.features) = heads.row(k).transpose();
  }
  return all;
}

template <class T>
ConstVectorMap<T> ParameterBelief<T>::body_mean() const {
  return {body_ ? (*body_)->mean().data() : nullptr, layout_.body};
}

template <class T>
ConstVectorMap<T> ParameterBelief<T>::head_mean(Index index) const {
  if (layout_.heads == 0) return {nullptr, 0};
  const T* weights = joint_ ? (*body_)->mean().data() + offset(index) : head(index).mean().data();
  return {weights, layout_.features};
}

template <class T>
const Vector<T>& ParameterBelief<T>::spread(const Linearised<T>& at, Vector<T>& all) const {
  all.setZero(layout_.size());
  all.head(layout_.body) = at.body;
  all.segment(offset(at.head), layout_.features) = at.phi;
  return all;
}

template <class T>
T ParameterBelief<T>::variance(const Linearised<T>& at, SampleScratch<T>& draw) const {
  const T own = effect(at.action_id).variance;
  if (joint_) return own + (*body_)->variance(spread(at, draw.all), draw.noise);
  const T q = own + (body_ ? (*body_)->variance(at.body, draw.noise) : 0);
  return heads_.empty() ? q : q + head(at.head).variance(at.phi, draw.head_noise);
}

template <class T>
T ParameterBelief<T>::project(const Linearised<T>& at, ParameterScratch<T>& scratch) const {
  scratch.q_body = scratch.q_head = 0;
  scratch.q_effect = effect(at.action_id).variance;
  if (joint_) {
    scratch.q_body = (*body_)->project(spread(at, scratch.all), scratch.body);
  } else {
    if (body_) scratch.q_body = (*body_)->project(at.body, scratch.body);
    if (!heads_.empty()) scratch.q_head = head(at.head).project(at.phi, scratch.head);
  }
  return scratch.q_body + scratch.q_head + scratch.q_effect;
}

template <class T>
void ParameterBelief<T>::correct(const Linearised<T>& at, const Observation<T>& observation,
                                 ParameterScratch<T>& scratch) {
  const T q_body = scratch.q_body, q_head = scratch.q_head, q_effect = scratch.q_effect;
  if (effects_) effects_->correct(at.action_id, observation, q_body + q_head);
  if (joint_) {
    (*body_)->correct(scratch.all, observation, q_effect, scratch.body);
    return;
  }
  if (!heads_.empty()) {
    heads_[static_cast<std::size_t>(at.head)]->correct(at.phi, observation, q_body + q_effect,
                                                       scratch.head);
  }
  if (body_) (*body_)->correct(at.body, observation, q_head + q_effect, scratch.body);
}

template <class T>
bool ParameterBelief<T>::learns_batches() const {
  return !body_ && !effects_ && !heads_.empty() && head(0).as_full() != nullptr;
}

// Heads that are apart are drawn when their features are known: φᵀ(w − μ) is √(φᵀPφ)·ε exactly. One
// head for all actions has one sample of its weights.
template <class T>
void ParameterBelief<T>::draw_body(Random& random, T body_scale, SampleScratch<T>& draw,
                                   VectorRef<T> z) const {
  if (joint_) {
    draw.all.resize(layout_.size());
    (*body_)->sample(random, 1, draw.noise, draw.all);
    draw.all -= (*body_)->mean();
    z = body_mean() + body_scale * draw.all.head(layout_.body);
    return;
  }
  if (body_) (*body_)->sample(random, body_scale, draw.noise, z);
  if (one_head()) {
    draw.all.resize(layout_.features);
    head(0).sample(random, 1, draw.head_noise, draw.all);
    draw.all -= head(0).mean();
  }
}

template <class T>
T ParameterBelief<T>::draw_head(Index index, const ConstVectorRef<T>& phi, Random& random,
                                SampleScratch<T>& draw) const {
  if (joint_) return phi.dot(draw.all.segment(offset(index), layout_.features));
  if (one_head()) return phi.dot(draw.all);
  return head_deviation(index, phi, draw) * static_cast<T>(random.normal());
}

template <class T>
T ParameterBelief<T>::head_deviation(Index index, const ConstVectorRef<T>& phi,
                                     SampleScratch<T>& draw) const {
  return std::sqrt(head(index).variance(phi, draw.head_noise));
}

template <class T>
void ParameterBelief<T>::draw_bodies(std::span<Random> random, std::span<const T> scale,
                                     SampleNoise<T>& noise, MatrixRef<T> z) const {
  (*body_)->sample_batch(random, scale, noise, z);
}

template <class T>
void ParameterBelief<T>::draw_heads(std::span<Random> random, SampleScratch<T>& draw,
                                    MatrixRef<T> deviations) const {
  draw.scale.assign(random.size(), 1);
  head(0).sample_batch(random, draw.scale, draw.noises, deviations);
  deviations.rowwise() -= head(0).mean().transpose();
}

template <class T>
void ParameterBelief<T>::scale_rewards(T factor) {
  for (auto& one : heads_) one->scale_mean(factor);
  if (heads_.empty() && body_) (*body_)->scale_mean(factor, joint_ ? layout_.body : 0);
  if (effects_) effects_->scale_means(factor);
}

template <class T>
void ParameterBelief<T>::forget(T gamma, ParameterScratch<T>& scratch) {
  if (body_) (*body_)->forget(gamma, scratch.body);
  for (auto& one : heads_) one->forget(gamma, scratch.head);
  if (effects_) effects_->forget(gamma);
}

template <class T>
void ParameterBelief<T>::add_process_noise(T q) {
  if (body_) (*body_)->add_process_noise(q);
  for (auto& one : heads_) one->add_process_noise(q);
  if (effects_) effects_->add_process_noise(q);
}

template <class T>
void ParameterBelief<T>::reset(const ConstMatrixRef<T>& prior_means) {
  if (effects_) effects_->reset();
  if (joint_) {
    (*body_)->reset(joined(0, prior_means));
    return;
  }
  if (body_) (*body_)->reset(Vector<T>::Zero(layout_.body));
  for (Index k = 0; k < layout_.heads; ++k) {
    heads_[static_cast<std::size_t>(k)]->reset(prior_means.row(k).transpose());
  }
}

template <class T>
Matrix<T> ParameterBelief<T>::covariance() const {
  if (joint_) return (*body_)->covariance();
  Matrix<T> p = Matrix<T>::Zero(layout_.size(), layout_.size());
  if (body_) p.topLeftCorner(layout_.body, layout_.body) = (*body_)->covariance();
  for (Index k = 0; k < layout_.heads; ++k) {
    p.block(offset(k), offset(k), layout_.features, layout_.features) = head(k).covariance();
  }
  return p;
}

template <class T>
std::size_t ParameterBelief<T>::bytes() const {
  std::size_t total = body_ ? (*body_)->bytes() : 0;
  for (const auto& one : heads_) total += one->bytes();
  if (effects_) total += effects_->bytes();
  return total;
}

template <class T>
void ParameterBelief<T>::save(ArchiveWriter& out) const {
  if (body_) {
    const auto section = out.section(joint_ ? "joint" : "body");
    (*body_)->save(out);
  }
  for (std::size_t k = 0; k < heads_.size(); ++k) {
    const auto section = out.section("head", k);
    heads_[k]->save(out);
  }
  if (effects_) {
    const auto section = out.section("effects");
    effects_->save(out);
  }
}

template <class T>
void ParameterBelief<T>::load(const ArchiveReader& in) {
  if (body_) (*body_)->load(in.section(joint_ ? "joint" : "body"));
  for (std::size_t k = 0; k < heads_.size(); ++k) heads_[k]->load(in.section("head", k));
  if (effects_) effects_->load(in.section("effects"));
}

template class ParameterBelief<float>;
template class ParameterBelief<double>;

double bytes_needed(const ParameterLayout& layout, const ParameterBeliefOptions& options) {
  double bytes =
      options.effect_variance > 0 ? static_cast<double>(ActionEffects<float>::bytes_needed()) : 0;
  if (options.joint && layout.heads > 0) {
    return bytes + belief_bytes_needed(options.body, layout.size());
  }
  if (layout.body > 0) bytes += belief_bytes_needed(options.body, layout.body);
  if (layout.heads > 0) {
    bytes += static_cast<double>(layout.heads) * belief_bytes_needed(options.head, layout.features);
  }
  return bytes;
}

}  // namespace bandolier
