// What is believed of a body's coordinates z and of the weights w_1 … w_K of the heads over it
// (head_model.h), in units of the noise's standard deviation.
//   block  independent covariances of z and of every w_k; an update is the exact marginal of the
//          joint one.                                   choose O(d² + K·h²)   observe O(d² + h²)
//   joint  one covariance of all d + K·h.                        both O((d + K·h)²)
#pragma once

#include <memory>

#include "bandolier/agent/head_model.h"
#include "bandolier/belief/belief.h"

namespace bandolier {

// A caller's memory for posterior samples and variances.
struct HeadDraw {
  Vector<float> noise, scratch;
  Vector<float> all;    // joint: of everything
  Vector<float> heads;  // block, one head: the deviation of its weights
};

class HeadBelief {
 public:
  virtual ~HeadBelief() = default;

  virtual ConstVectorMap<float> body_mean() const = 0;            // d, empty without a body
  virtual ConstVectorMap<float> head_mean(Index head) const = 0;  // h

  // An update in two phases: the predictor's variance q for its gradients with respect to z and
  // to the head's weights; then the step itself, false and no change if it is not acceptable.
  virtual float project(Index head, const ConstVectorRef<float>& gradient,
                        const ConstVectorRef<float>& phi) = 0;
  virtual bool correct(const Observation<float>& observation) = 0;

  virtual float variance(Index head, const ConstVectorRef<float>& gradient,
                         const ConstVectorRef<float>& phi, HeadDraw& draw) const = 0;

  // One sample: z = its mean plus body_scale times a deviation, and then, for features φ of that z,
  // the deviation φᵀ(w_head − its mean).
  virtual void draw_body(Random& random, float body_scale, HeadDraw& draw,
                         VectorRef<float> z) const = 0;
  virtual float draw_head(Index head, const ConstVectorRef<float>& phi, Random& random,
                          HeadDraw& draw) const = 0;

  virtual void scale_heads(float factor) = 0;  // their means
  virtual void forget(float gamma) = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::unique_ptr<HeadBelief> clone() const = 0;
  virtual void save(ArchiveWriter& out) const = 0;
  virtual void load(ArchiveReader& in) = 0;
};

struct HeadBeliefOptions {
  bool joint = false;
  double prior_variance = 1;  // of every weight and coordinate
  double forgetting = 1;      // what forget() will be called with: it is folded in accordingly
};
std::unique_ptr<HeadBelief> make_head_belief(const HeadModel& model,
                                             const HeadBeliefOptions& options);

}  // namespace bandolier
