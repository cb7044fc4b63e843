// Bayesian linear regression with unknown noise variance: the exact posterior of
//   y = xᵀw + noise,  noise ~ N(0, σ²),  w | σ² ~ N(μ, σ² P),  σ² ~ IG(a, b)
// by the inversion-free recursion of appendix A.1.2 (e = y − xᵀμ, s = 1 + xᵀPx):
//   μ ← μ + P x e / s,  P ← P − P x xᵀ P / s,  a ← a + 1/2,  b ← b + e² / (2s)
// with P kept as a square root, so that no step and no sample factorises anything. A known σ² is
// the same with σ² in place of its belief. Equal to the batch formulas
//   P_n = (P₀⁻¹ + XᵀX)⁻¹,  μ_n = P_n (P₀⁻¹μ₀ + Xᵀy),
//   b_n = b₀ + ½ (yᵀy + μ₀ᵀP₀⁻¹μ₀ − μ_nᵀP_n⁻¹μ_n).
#pragma once

#include <optional>

#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/inverse_gamma.h"

namespace bandolier {

// A reward's prediction: its error has variance σ²(1 + q).
template <class T>
struct LinearPrediction {
  T mean = 0;  // xᵀμ
  T q = 0;     // xᵀPx
};

template <class T>
class NormalInverseGamma {
 public:
  // `weights` is the prior of w in units of σ².
  NormalInverseGamma(GaussianFull<T> weights, const InverseGamma& noise)
      : weights_(std::move(weights)), noise_(noise) {}
  static NormalInverseGamma with_known_variance(GaussianFull<T> weights, double noise_variance);

  Index dim() const { return weights_.dim(); }
  const GaussianFull<T>& weights() const { return weights_; }
  const InverseGamma& noise() const { return noise_; }  // of no meaning where σ² is known

  // E σ², or σ².
  double noise_variance() const { return known_variance_ ? *known_variance_ : noise_.mean(); }
  double sample_noise_variance(Random& random) const {
    return known_variance_ ? *known_variance_ : noise_.sample(random);
  }

  // O(d²). `scratch` is the caller's.
  LinearPrediction<T> predict(const ConstVectorRef<T>& x, Vector<T>& scratch) const;

  // out = μ + scale·σ̃ S ε with σ̃² from its belief, P = SSᵀ, ε ~ N(0, I). O(d²).
  void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const;

  // Learns from one reward, which counts `weight` times: s = 1 + w xᵀPx, μ ← μ + P x w e/s,
  // P ← P − w P x xᵀ P/s, a ← a + w/2, b ← b + w e²/(2s). O(d²).
  Innovation<T> update(const ConstVectorRef<T>& x, T y, BeliefScratch<T>& scratch, T weight = 1);

  // From many (batch_update.h): after `project`, one by one in the order of `rows`, then `correct`.
  void project(BatchUpdate<T>& batch, BatchRows rows) const { weights_.project(batch, rows); }
  bool update(BatchUpdate<T>& batch, Index row, Index end, T y);
  void correct(BatchUpdate<T>& batch, BatchRows rows, BatchScratch<T>& scratch) {
    weights_.correct(batch, rows, scratch);
  }

  // A posterior computed in batch, in place of what was believed: w | σ² ~ N(mean, σ² root·rootᵀ).
  void assign(const ConstVectorRef<T>& mean, const ConstMatrixRef<T>& root,
              const InverseGamma& noise) {
    weights_.assign(mean, root);
    noise_ = noise;
  }

  // Rewards are seen in another unit from now on, in which the same reward is `factor` times what
  // it was: μ ← factor·μ, and b − b₀ ← factor²·(b − b₀), where `before` and `after` hold b₀ then
  // and now. P is in units of σ² and stays.
  void rescale(double factor, const InverseGamma& before, const InverseGamma& after);

  // log p(y) before seeing y: Student-t (normal where σ² is known).
  double log_predictive(const LinearPrediction<T>& prediction, T y) const;

  std::size_t bytes() const;
  // Of one whose noise variance is not known, before it is made.
  static double bytes_needed(Index dim) {
    return GaussianFull<T>::bytes_needed(dim) + sizeof(InverseGamma);
  }
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  GaussianFull<T> weights_;
  InverseGamma noise_;
  std::optional<double> known_variance_;
};

extern template class NormalInverseGamma<float>;
extern template class NormalInverseGamma<double>;

}  // namespace bandolier
