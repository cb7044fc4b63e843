// What is believed of a predictor's parameters: the coordinates z of its body, the weights
// w_1 … w_H of its heads (predictor.h), and, where actions change, one effect per action id
// (action_effects.h). Blocks are independent of one another, and each may be of any kind
// (belief/make_belief.h):
//   apart   one block for z, one per head; an update is the exact marginal of the joint one.
//           Full blocks: choose O(d² + K·h²), observe O(d² + h²).
//   joint   one block for all d + H·h. Full: both O((d + H·h)²).
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/make_belief.h"
#include "bandolier/core/cloned.h"
#include "bandolier/filter/action_effects.h"

namespace bandolier {

// Sizes of a predictor's parameters.
struct ParameterLayout {
  Index body = 0;      // d: coordinates of z; 0: no body
  Index heads = 0;     // H; 0: the body predicts rewards itself
  Index features = 0;  // h: weights per head
  Index hidden = 0;    // those on hidden units, the first of them
  Index size() const { return body + heads * features; }
};

// A reward's predictor at the belief's mean: its value, the effect of its action's id included, and
// its gradient with respect to z and to the weights of the one head that it depends on (empty where
// there are none).
template <class T>
struct Linearised {
  T value = 0;
  Index head = 0;
  ConstVectorMap<T> body{nullptr, 0};  // ∂/∂z: d values
  ConstVectorMap<T> phi{nullptr, 0};   // ∂/∂w_head: h values
  std::int64_t action_id = 0;          // whose effect it has, where ids have one
};

struct ParameterBeliefOptions {
  BeliefOptions body;
  BeliefOptions head;
  bool joint = false;  // one block, of the kind of `body`
  double hidden_variance =
      1;  // prior variance of a head's weight on a hidden unit over the others'
  double effect_variance = 0;  // prior variance of an action id's effect; 0: ids have none
};

// A caller's memory for samples and variances.
template <class T>
struct SampleScratch {
  Vector<T> noise, head_noise;  // their sizes differ
  Vector<T> all;          // joint: of everything. apart, one head for all actions: of its weights
  SampleNoise<T> noises;  // of many samples
  std::vector<T> scale;   // the same
};

// A caller's memory for one update.
template <class T>
struct ParameterScratch {
  BeliefScratch<T> body, head;
  T q_body = 0, q_head = 0, q_effect = 0;
  Vector<T> all;  // joint: the gradient with respect to everything
};

template <class T>
class ParameterBelief {
 public:
  // `prior_means` of the heads: H × h. `variance` of every parameter but those on hidden units.
  ParameterBelief(const ParameterLayout& layout, const ConstMatrixRef<T>& prior_means, T variance,
                  const ParameterBeliefOptions& options);

  const ParameterLayout& layout() const { return layout_; }
  ConstVectorMap<T> body_mean() const;
  ConstVectorMap<T> head_mean(Index head) const;
  // Of an action's id; 0 where ids have none.
  typename ActionEffects<T>::Effect effect(std::int64_t action_id) const {
    return effects_ ? effects_->of(action_id) : typename ActionEffects<T>::Effect{};
  }
  bool has_effects() const { return effects_.has_value(); }

  // The variance q of a predictor of these gradients.
  T variance(const Linearised<T>& at, SampleScratch<T>& draw) const;

  // An update in two phases (belief.h).
  T project(const Linearised<T>& at, ParameterScratch<T>& scratch) const;
  void correct(const Linearised<T>& at, const Observation<T>& observation,
               ParameterScratch<T>& scratch);

  // Many updates of heads that are apart, at once (batch_update.h): of a predictor that depends on
  // nothing else.
  bool learns_batches() const;
  const GaussianFull<T>* full_head(Index index) const { return head(index).as_full(); }
  GaussianFull<T>* full_head(Index index) {
    return heads_[static_cast<std::size_t>(index)]->as_full();
  }

  // One sample: z = its mean plus body_scale times a deviation; then, for features φ of that z, the
  // deviation φᵀ(w_head − its mean).
  void draw_body(Random& random, T body_scale, SampleScratch<T>& draw, VectorRef<T> z) const;
  T draw_head(Index head, const ConstVectorRef<T>& phi, Random& random,
              SampleScratch<T>& draw) const;
  // Rows w − its mean of the one head that serves all actions, as draw_body draws them: row i with
  // random[i].
  void draw_heads(std::span<Random> random, SampleScratch<T>& draw, MatrixRef<T> deviations) const;
  // The deviation's own, given z, where heads are independent of one another and of z: draw_head is
  // then this times a standard normal.
  bool heads_independent() const { return !joint_ && layout_.heads > 1; }
  bool one_head() const { return !joint_ && layout_.heads == 1; }
  T head_deviation(Index head, const ConstVectorRef<T>& phi, SampleScratch<T>& draw) const;
  // At least that, of features of this ‖φ‖²; heads are apart.
  T head_deviation_bound(Index index, T squared_norm) const {
    return std::sqrt(head(index).variance_bound(squared_norm));
  }
  // Row i of z is what draw_body gives with random[i] and scale[i]; for a belief about a body
  // alone.
  void draw_bodies(std::span<Random> random, std::span<const T> scale, SampleNoise<T>& noise,
                   MatrixRef<T> z) const;

  // Means of what rewards are linear in: the heads, or, without them, z (about a predictor that is
  // 0 at z = 0 and about linear).
  void scale_rewards(T factor);
  void forget(T gamma, ParameterScratch<T>& scratch);
  void add_process_noise(T q);

  // Back to what it was made as; `prior_means` of the heads.
  void reset(const ConstMatrixRef<T>& prior_means);

  Matrix<T> covariance() const;  // dense, of (z, w_1 … w_H): for tests
  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  const Belief<T>& head(Index index) const { return *heads_[static_cast<std::size_t>(index)]; }
  Index offset(Index head) const { return layout_.body + head * layout_.features; }
  const Vector<T>& spread(const Linearised<T>& at, Vector<T>& all) const;
  // (body, w_1 … w_H), where `heads` has a row per head: of the joint belief's prior.
  Vector<T> joined(T body, const ConstMatrixRef<T>& heads) const;

  ParameterLayout layout_;
  bool joint_;
  std::optional<Cloned<Belief<T>>> body_;  // joint: of everything
  std::vector<Cloned<Belief<T>>> heads_;   // apart
  std::optional<ActionEffects<T>> effects_;
};

// What it takes in float, in bytes.
double bytes_needed(const ParameterLayout& layout, const ParameterBeliefOptions& options);

}  // namespace bandolier
