#include "bandolier/agent/head_belief.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "bandolier/belief/gaussian_full.h"

namespace bandolier {
namespace {

// Forgetting is folded in as seldom as keeps it exact: a fold is cubic in a block's size.
FoldOptions folds(const HeadBeliefOptions& options) {
  return {static_cast<Index>(std::ceil(1 / std::max(1 - options.forgetting, 1e-6)))};
}

ConstVectorMap<float> view(const Vector<float>& values, Index from, Index size) {
  return {values.data() + from, size};
}

class BlockHeadBelief final : public HeadBelief {
 public:
  BlockHeadBelief(const HeadModel& model, const HeadBeliefOptions& options) {
    const auto variance = static_cast<float>(options.prior_variance);
    if (model.dim() > 0) body_.emplace(model.dim(), variance, folds(options));
    for (Index k = 0; k < model.heads(); ++k) {
      heads_.emplace_back(model.head_offset().row(k).transpose(),
                          Vector<float>::Constant(model.features(), variance), folds(options));
    }
  }

  ConstVectorMap<float> body_mean() const override {
    return body_ ? view(body_->mean(), 0, body_->dim()) : ConstVectorMap<float>(nullptr, 0);
  }
  ConstVectorMap<float> head_mean(Index head) const override {
    return view(of(head).mean(), 0, of(head).dim());
  }

  float project(Index head, const ConstVectorRef<float>& gradient,
                const ConstVectorRef<float>& phi) override {
    projected_ = head;
    q_body_ = body_ ? body_->project(gradient) : 0;
    q_head_ = of(head).project(phi);
    return q_body_ + q_head_;
  }
  bool correct(const Observation<float>& observation) override {
    return acceptable(observation, q_body_ + q_head_) &&
           of(projected_).correct(observation, q_body_) &&
           (!body_ || body_->correct(observation, q_head_));
  }
  float variance(Index head, const ConstVectorRef<float>& gradient,
                 const ConstVectorRef<float>& phi, HeadDraw& draw) const override {
    const float q = of(head).variance(phi, draw.scratch);
    return body_ ? q + body_->variance(gradient, draw.scratch) : q;
  }

  // Heads are drawn when their features are known: φᵀ(w − μ) is √(φᵀPφ)·ε exactly. One head for
  // all actions has one sample of its weights.
  void draw_body(Random& random, float body_scale, HeadDraw& draw,
                 VectorRef<float> z) const override {
    if (body_) body_->sample(random, body_scale, draw.noise, z);
    if (heads_.size() == 1) {
      draw.heads.resize(heads_.front().dim());
      heads_.front().sample(random, 1, draw.noise, draw.heads);
      draw.heads -= heads_.front().mean();
    }
  }
  float draw_head(Index head, const ConstVectorRef<float>& phi, Random& random,
                  HeadDraw& draw) const override {
    if (heads_.size() == 1) return phi.dot(draw.heads);
    return std::sqrt(of(head).variance(phi, draw.scratch)) * static_cast<float>(random.normal());
  }

  void scale_heads(float factor) override {
    for (auto& one : heads_) one.scale_mean(factor);
  }
  void forget(float gamma) override {
    if (body_) body_->forget(gamma);
    for (auto& one : heads_) one.forget(gamma);
  }
  std::size_t bytes() const override {
    std::size_t total = body_ ? body_->bytes() : 0;
    for (const auto& one : heads_) total += one.bytes();
    return total;
  }
  std::unique_ptr<HeadBelief> clone() const override {
    return std::make_unique<BlockHeadBelief>(*this);
  }
  void save(ArchiveWriter& out) const override {
    if (body_) body_->save(out);
    for (const auto& one : heads_) one.save(out);
  }
  void load(ArchiveReader& in) override {
    if (body_) body_->load(in);
    for (auto& one : heads_) one.load(in);
  }

 private:
  GaussianFull<float>& of(Index head) { return heads_[static_cast<std::size_t>(head)]; }
  const GaussianFull<float>& of(Index head) const { return heads_[static_cast<std::size_t>(head)]; }

  std::optional<GaussianFull<float>> body_;
  std::vector<GaussianFull<float>> heads_;
  Index projected_ = 0;
  float q_body_ = 0, q_head_ = 0;
};

// The parameters in the order z, w_1 … w_K.
class JointHeadBelief final : public HeadBelief {
 public:
  JointHeadBelief(const HeadModel& model, const HeadBeliefOptions& options)
      : body_(model.dim()),
        features_(model.features()),
        all_(prior_mean(model),
             Vector<float>::Constant(body_ + model.heads() * features_,
                                     static_cast<float>(options.prior_variance)),
             folds(options)) {}

  ConstVectorMap<float> body_mean() const override { return view(all_.mean(), 0, body_); }
  ConstVectorMap<float> head_mean(Index head) const override {
    return view(all_.mean(), at(head), features_);
  }

  float project(Index head, const ConstVectorRef<float>& gradient,
                const ConstVectorRef<float>& phi) override {
    spread(head, gradient, phi, gradient_);
    return all_.project(gradient_);
  }
  bool correct(const Observation<float>& observation) override {
    return all_.correct(observation, 0);
  }
  float variance(Index head, const ConstVectorRef<float>& gradient,
                 const ConstVectorRef<float>& phi, HeadDraw& draw) const override {
    spread(head, gradient, phi, draw.all);
    return all_.variance(draw.all, draw.scratch);
  }

  void draw_body(Random& random, float body_scale, HeadDraw& draw,
                 VectorRef<float> z) const override {
    draw.all.resize(all_.dim());
    all_.sample(random, 1, draw.noise, draw.all);
    draw.all -= all_.mean();
    z = body_mean() + body_scale * draw.all.head(body_);
  }
  float draw_head(Index head, const ConstVectorRef<float>& phi, Random&,
                  HeadDraw& draw) const override {
    return phi.dot(draw.all.segment(at(head), features_));
  }

  void scale_heads(float factor) override { all_.scale_mean_from(body_, factor); }
  void forget(float gamma) override { all_.forget(gamma); }
  std::size_t bytes() const override { return all_.bytes(); }
  std::unique_ptr<HeadBelief> clone() const override {
    return std::make_unique<JointHeadBelief>(*this);
  }
  void save(ArchiveWriter& out) const override { all_.save(out); }
  void load(ArchiveReader& in) override { all_.load(in); }

 private:
  static Vector<float> prior_mean(const HeadModel& model) {
    Vector<float> mean = Vector<float>::Zero(model.dim() + model.heads() * model.features());
    for (Index k = 0; k < model.heads(); ++k) {
      mean.segment(model.dim() + k * model.features(), model.features()) =
          model.head_offset().row(k).transpose();
    }
    return mean;
  }

  Index at(Index head) const { return body_ + head * features_; }
  void spread(Index head, const ConstVectorRef<float>& gradient, const ConstVectorRef<float>& phi,
              Vector<float>& whole) const {
    whole.setZero(all_.dim());
    whole.head(body_) = gradient;
    whole.segment(at(head), features_) = phi;
  }

  Index body_, features_;
  GaussianFull<float> all_;
  Vector<float> gradient_;
};

}  // namespace

std::unique_ptr<HeadBelief> make_head_belief(const HeadModel& model,
                                             const HeadBeliefOptions& options) {
  if (options.joint) return std::make_unique<JointHeadBelief>(model, options);
  return std::make_unique<BlockHeadBelief>(model, options);
}

}  // namespace bandolier
