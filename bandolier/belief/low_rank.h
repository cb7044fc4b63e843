// A Gaussian belief whose precision is diagonal plus low rank,
//   P⁻¹ = Λ = diag(Υ) + W Wᵀ,  W: d × L,
// in O(dL) memory: the low-rank filter LO-FI, diagonal variant (Chang, Durán-Martín, Shestopaloff,
// Jones and Murphy 2023, "Low-rank extended Kalman filtering for online learning of neural networks
// from streaming data").
//
// An observation adds V g gᵀ to the precision: one more column √V g of W. There is room for
// 2L columns. When it is full, the L largest singular directions are kept and the others join the
// diagonal:
//   W = U S Rᵀ,  W ← first L columns of WR = US,  Υ ← Υ + Σ w ∘ w over its other columns w,
// so that the diagonal of Λ is always exact, and Λ itself for the first 2L − 1 observations. R
// comes from the Gram matrix WᵀW; its round-off moves what is dropped, never what is kept of Λ,
// since R is orthogonal. O(dL²) once in L observations: O(dL) for each.
//
// All else goes through the Cholesky factor C of I + WᵀΥ⁻¹W = CCᵀ. With k = WᵀΥ⁻¹g, Woodbury's
// identity reads
//   Pg = Υ⁻¹r,  r = g − Wm,  m = C⁻ᵀC⁻¹k,  q = gᵀPg = rᵀΥ⁻¹r + mᵀm,
// so that round-off cannot make a variance negative, and a sample is μ + Fε with
//   F = Υ^{-1/2} (I − U X Uᵀ),  U = Υ^{-1/2}W,  X = C⁻ᵀ(I + C)⁻¹,  F Fᵀ = P.
// (X + Xᵀ − X UᵀU Xᵀ = (CCᵀ)⁻¹ once both sides are multiplied by (I + C)Cᵀ and its transpose.) A
// new column appends the row (√V C⁻¹k, √(1 + Vq)) to C. O(dL) per variance, update and sample, each
// reading W twice.
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
  Index rank() const { return rank_; }
  const Vector<T>& mean() const override { return mean_; }
  void scale_mean(T factor, Index first = 0) override { mean_.tail(dim() - first) *= factor; }
  // Leaves Pg and C⁻¹k in the scratch, one after the other.
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
  // k ← C⁻¹k, C⁻ᵀk and (I + C)⁻¹k, in place.
  void solve(VectorRef<T> k, double add = 0) const;
  void solve_transposed(VectorRef<T> k) const;
  // out ← Fε for ε = f.head(d), whose place it takes as scratch; f has d + 2L values.
  void apply_root(Vector<T>& f, VectorRef<T> out) const;
  // W becomes the L largest of its directions, Υ takes the others.
  void compress();
  // Υ^{-1/2} and C, after W or Υ have changed.
  void refresh();
  // root_ ← the Cholesky factor of I + Wᵀ diag(weights) W.
  void factorise(const ConstVectorRef<T>& weights);
  auto used() const { return w_->topRows(used_); }
  Matrix<T> root() const {
    return root_.topLeftCorner(used_, used_).template triangularView<Eigen::Lower>();
  }

  Index rank_;      // L
  Index used_ = 0;  // columns of W, fewer than 2L
  Vector<T> mean_;
  Vector<T> prior_;           // Υ₀
  Vector<T> diagonal_;        // Υ
  Vector<T> scale_;           // Υ^{-1/2}
  CopyOnWrite<Matrix<T>> w_;  // Wᵀ: 2L × d, of which `used_` rows count
  Matrix<T> root_;            // C, in the lower triangle of its first rows and columns

  // Scratch of updates, so that they allocate nothing: a few kB beside W.
  Vector<T> weights_;
  Matrix<T> rotated_, rotation_;
  Eigen::MatrixXd inner_, gram_, vectors_;
};

}  // namespace bandolier
