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

#include <memory>

#include "bandolier/core/archive.h"
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
  bool accepted = true;  // false: the step would have made the belief non-finite; nothing changed
};

template <class T>
class Belief {
 public:
  virtual ~Belief() = default;

  virtual Index dim() const = 0;
  virtual const Vector<T>& mean() const = 0;

  // gᵀPg. Const and thread-safe: `scratch` (resized to dim) is the caller's.
  virtual T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const = 0;

  // out = μ + scale·P^{1/2} ε, ε ~ N(0, I). `noise` is the caller's scratch.
  virtual void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const = 0;

  virtual Innovation<T> update(const ConstVectorRef<T>& g, const Observation<T>& observation) = 0;

  // P ← P + q I, folded in when it is cheap to do so (the total is exact).
  virtual void add_process_noise(T q) = 0;

  // One step of exponential forgetting towards the prior: old evidence counts γ times what it did,
  // and P never exceeds the prior in any direction once folded. γ = 1 changes nothing.
  virtual void forget(T gamma) = 0;

  virtual Matrix<T> covariance() const = 0;  // dense d × d: for tests and reports
  virtual std::size_t bytes() const = 0;     // of what learning writes
  virtual std::unique_ptr<Belief> clone() const = 0;
  virtual void save(ArchiveWriter& out) const = 0;
  virtual void load(ArchiveReader& in) = 0;  // into a belief made with the same sizes
};

}  // namespace bandolier
