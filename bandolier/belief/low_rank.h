// A Gaussian belief whose precision is diagonal plus low rank,
//   P⁻¹ = Λ = diag(Υ) + W Wᵀ,  W: d × L,
// in O(dL) memory: the low-rank filter LO-FI, diagonal variant (Chang, Durán-Martín, Shestopaloff,
// Jones and Murphy 2023, "Low-rank extended Kalman filtering for online learning of neural networks
// from streaming data").
//
// An observation adds V g gᵀ to the precision: W̃ = [W, √V g] has one column too many. Of its
// singular directions the L largest are kept and the smallest, w, joins the diagonal:
//   W̃ = U S Rᵀ,  W ← first L columns of W̃R = US,  Υ ← Υ + w ∘ w,
// so that the diagonal of Λ is always exact, and Λ itself until L + 1 observations are in. R comes
// from the (L+1) × (L+1) Gram matrix W̃ᵀW̃; its round-off moves what is dropped, never what is kept
// of Λ, since R is orthogonal.
//
// With U = Υ^{-1/2}W and UᵀU = Q diag(ν) Qᵀ, Woodbury's identity for the square root reads
//   P = F Fᵀ,  F = Υ^{-1/2} (I − U B Uᵀ),  B = Q diag(1 / (r(r + 1))) Qᵀ,  r = √(1 + ν)
// (nothing is divided by ν). A sample is μ + Fε, a variance ‖Fᵀg‖², which round-off cannot make
// negative. The L × L matrix B is renewed with each update: O(dL²) per update, O(dL) per variance
// or sample.
#pragma once

#include "bandolier/belief/belief.h"
#include "bandolier/core/copy_on_write.h"

namespace bandolier {

template <class T>
class LowRank final : public Belief<T> {
 public:
  // N(mean, diag(variances)) with room for `rank` directions, at least 1; more than the dimension
  // is the dimension.
  LowRank(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances, Index rank);
  // N(0, variance·I).
  LowRank(Index dim, T variance, Index rank);

  Index dim() const override { return mean_.size(); }
  Index rank() const { return w_->cols(); }
  const Vector<T>& mean() const override { return mean_; }
  void scale_mean(T factor, Index first = 0) override { mean_.tail(dim() - first) *= factor; }
  T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const override;
  void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const override;
  T project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const override;
  void correct(const ConstVectorRef<T>& g, const Observation<T>& observation, T q_others,
               BeliefScratch<T>& scratch) override;

  // P + qI is again of this form, with Υ' = Υ/(1 + qΥ) and
  //   W' = (1 + qΥ)⁻¹ W C^{-T/2},  C = I + Wᵀ q(1 + qΥ)⁻¹ W.  O(dL²).
  void add_process_noise(T q) override;

  // Υ ← γΥ + (1 − γ)Υ₀, W ← √γ W. O(dL²).
  void forget(T gamma, BeliefScratch<T>& scratch) override;

  void reset(const ConstVectorRef<T>& mean) override;
  Matrix<T> covariance() const override;
  Matrix<T> precision() const;  // dense, as covariance()
  std::size_t bytes() const override;
  static double bytes_needed(Index dim, Index rank);
  std::unique_ptr<Belief<T>> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(const ArchiveReader& in) override;

 private:
  using Small = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

  // f ← (I − U B Uᵀ) f, in scratch.head(d); scratch has d + 2L values. O(dL).
  void shrink(Vector<T>& scratch) const;
  // scratch.head(d) ← Fᵀg.
  void apply_root(const ConstVectorRef<T>& g, Vector<T>& scratch) const;
  // W, and Υ with what is dropped, from W̃ = [W, column].
  void absorb(const ConstVectorRef<T>& column);
  // Υ^{-1/2} and B, after W or Υ have changed.
  void refresh();
  // sum ← Σ over rows i of weights_i · (row i of W)(row i of W)ᵀ.
  void weighted_gram(const ConstVectorRef<T>& weights, Small& sum);

  Vector<T> mean_;
  Vector<T> prior_;           // Υ₀
  Vector<T> diagonal_;        // Υ
  Vector<T> scale_;           // Υ^{-1/2}
  CopyOnWrite<Matrix<T>> w_;  // d × L
  Small b_;                   // L × L

  // Scratch of updates, so that they allocate nothing: a few kB beside W.
  Vector<T> column_;
  Matrix<T> rows_, rotated_;           // some rows of W̃ and of W̃R
  Small gram_, gram_wide_, rotation_;  // L × L, (L+1) × (L+1), (L+1) × (L+1)
  Eigen::MatrixXd square_, vectors_, scaled_, square_wide_, vectors_wide_;
};

}  // namespace bandolier
