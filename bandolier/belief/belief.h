// The contract of a belief: a Gaussian over a parameter vector w ∈ R^d that learns from one scalar
// observation at a time through the gradient g of its predictor η(w).
//
// An observation enters as the slope and curvature of its log-likelihood in η (see likelihood.h):
//   slope l = ∂ log p(y|η)/∂η,  curvature V = −E ∂² log p(y|η)/∂η²
// so that with q = gᵀPg and s = 1 + Vq
//   μ ← μ + P g l / s,   P ← P − (V/s) P g gᵀ P.
// For a Gaussian of variance R: l = (y − η)/R, V = 1/R, and these are the Kalman updates. Nothing
// divides by V, so saturated observations (V → 0) are safe. (Ollivier 2018.)
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "bandolier/core/archive.h"
#include "bandolier/core/error.h"
#include "bandolier/core/random.h"
#include "bandolier/core/types.h"

namespace bandolier {

template <class T>
struct Observation {
  T slope = 0;
  T curvature = 0;
};

template <class T>
struct Innovation {
  T variance = 0;        // q = gᵀPg, before the update: the predictor's variance
  bool accepted = true;  // false: the step was not acceptable (below); nothing changed
};

// Whether a belief takes an observation whose predictor has the variance q. Refused are values that
// are not finite, negative curvature, and a move of the mean by more than 10¹⁰ of its own standard
// deviations along g (√q·|l|/s): no data are like that, and a network at such a mean overflows.
template <class T>
bool acceptable(const Observation<T>& observation, T q) {
  const T s = 1 + observation.curvature * q;
  return observation.curvature >= 0 && std::isfinite(s) && std::isfinite(q) &&
         std::abs(observation.slope) / s * std::sqrt(q) <= T(1e10);
}

// What a saved belief may hold: beyond these, sums of squares overflow a float. Learning stays far
// within them (see acceptable).
inline constexpr Bounds kSavedMeans{-1e15, 1e15}, kSavedRoots{-1e15, 1e15};
inline constexpr Bounds kSavedVariances{1e-37, 1e30}, kSavedPrecisions{1e-30, 1e37};

// `ratios` are variances of a saved belief over the prior's, or the other way round.
template <class Derived>
void check_proportions(const ArchiveReader& in, std::string_view tag,
                       const Eigen::DenseBase<Derived>& ratios) {
  constexpr double kMost = 1e18;
  const double most = ratios.size() == 0 ? 0 : static_cast<double>(ratios.maxCoeff());
  if (!(most <= kMost)) {
    fail("{} is up to {:g} times what the prior lets expect: expected at most {:g}", in.where(tag),
         most, kMost);
  }
}

// Arguments that every belief checks at the door.
inline void check_size(std::string_view what, Index found, Index expected) {
  if (found != expected) fail("{} has {} values: this belief expects {}", what, found, expected);
}
template <class T>
void check_prior(const ConstVectorRef<T>& variances) {
  if (variances.size() == 0) fail("a belief needs at least one dimension: found 0");
  for (Index i = 0; i < variances.size(); ++i) {
    if (!(variances[i] > 0) || !std::isfinite(variances[i])) {
      fail("prior variance {} is {}: expected a positive number", i, variances[i]);
    }
  }
}
template <class T>
void check_process_noise(T q) {
  if (!(q >= 0) || !std::isfinite(q)) {
    fail("process noise is {}: expected a finite variance of at least 0", q);
  }
}
template <class T>
void check_forgetting(T gamma) {
  if (!(gamma > 0 && gamma <= 1)) {
    fail("forgetting is {}: expected a factor above 0 and at most 1", gamma);
  }
}

// A caller's memory for updates of beliefs of one size: what project leaves for correct, and what a
// fold works in. Grows on first use.
template <class T>
struct BeliefScratch {
  Vector<T> projected;   // Fᵀg of the last project, P = FFᵀ
  T q = 0;               // its square
  Vector<T> gain;        // Pg, up to a factor
  Matrix<T> gram, wide;  // d × d: of folds
};

// A caller's memory for many samples.
template <class T>
struct SampleNoise {
  Matrix<T> rows;
  Vector<T> one;
};

template <class T>
class GaussianFull;

template <class T>
class Belief {
 public:
  virtual ~Belief() = default;

  // This, where it can learn from many observations at once: one Gaussian of full covariance
  // (gaussian_full.h). Null: it learns from one after the other.
  virtual GaussianFull<T>* as_full() { return nullptr; }
  virtual const GaussianFull<T>* as_full() const { return nullptr; }

  virtual Index dim() const = 0;
  virtual const Vector<T>& mean() const = 0;

  // μ ← factor·μ from coordinate `first` on: what is predicted is from now on given in another
  // unit.
  virtual void scale_mean(T factor, Index first = 0) = 0;

  // gᵀPg. Const and thread-safe: `scratch` (resized to dim) is the caller's.
  virtual T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const = 0;

  // At least gᵀPg, from ‖g‖² alone: P never exceeds the prior where time adds no noise and nothing
  // is forgotten. Infinite where no bound is known.
  virtual T variance_bound(T /*squared_norm*/) const { return std::numeric_limits<T>::infinity(); }

  // out = μ + scale·P^{1/2} ε, ε ~ N(0, I). `noise` is the caller's scratch.
  virtual void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const = 0;

  // Row i of `out` is what sample gives with random[i] and scale[i].
  virtual void sample_batch(std::span<Random> random, std::span<const T> scale,
                            SampleNoise<T>& noise, MatrixRef<T> out) const {
    for (std::size_t i = 0; i < random.size(); ++i) {
      T* row = out.row(static_cast<Index>(i)).data();
      sample(random[i], scale[i], noise.one, VectorMap<T>(row, dim()));
    }
  }

  // An update in two phases, so that a reward can be refused before anything has changed, and for a
  // predictor that also depends on parameters independent of these. project: q = gᵀPg. correct: the
  // exact marginal of the joint update by the g last projected, where the others' variance is
  // q_others; the observation must be acceptable at q + q_others. For these parameters the others'
  // uncertainty is noise: l and V count 1/(1 + Vq') of what they would alone.
  virtual T project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const = 0;
  virtual void correct(const ConstVectorRef<T>& g, const Observation<T>& observation, T q_others,
                       BeliefScratch<T>& scratch) = 0;

  // Both, where no other parameters are involved; no change if it is not acceptable.
  Innovation<T> update(const ConstVectorRef<T>& g, const Observation<T>& observation,
                       BeliefScratch<T>& scratch) {
    const T q = project(g, scratch);
    const bool accepted = acceptable(observation, q);
    if (accepted) correct(g, observation, 0, scratch);
    return {q, accepted};
  }
  Innovation<T> update(const ConstVectorRef<T>& g, const Observation<T>& observation) {
    BeliefScratch<T> own;
    return update(g, observation, own);
  }

  // P ← P + q I, folded in when it is cheap to do so (the total is exact).
  virtual void add_process_noise(T q) = 0;

  // One step of exponential forgetting towards the prior: old evidence counts γ times what it did,
  // and P never exceeds the prior in any direction once folded. γ = 1 changes nothing.
  virtual void forget(T gamma, BeliefScratch<T>& scratch) = 0;

  // Folds in what add_process_noise and forget have left pending. Until then they show nowhere.
  virtual void fold(BeliefScratch<T>& /*scratch*/) {}

  // Back to N(mean, P₀), P₀ the prior that it was made with.
  virtual void reset(const ConstVectorRef<T>& mean) = 0;

  virtual Matrix<T> covariance() const = 0;  // dense d × d: for tests and reports

  // Of what learning writes; a belief's static bytes_needed() says the same before it is made.
  virtual std::size_t bytes() const = 0;

  virtual std::unique_ptr<Belief> clone() const = 0;
  virtual void save(ArchiveWriter& out) const = 0;
  virtual void load(const ArchiveReader& in) = 0;  // into a belief made with the same sizes
};

}  // namespace bandolier
