// A Gaussian belief with a block-diagonal covariance: each block in full, no correlation between
// blocks. One block per layer is the decoupled extended Kalman filter (appendix; Puskorius and
// Feldkamp 2003); one for a network's body and one per action for its last layer is a head over a
// body. Every step keeps the exact diagonal blocks of the joint update (square_root.h).
//
// An observation whose predictor depends on few blocks costs these blocks alone: the calls that
// take a list of active blocks are O(Σ dᵢ²) over the list.
#pragma once

#include <span>
#include <vector>

#include "bandolier/belief/gaussian_full.h"

namespace bandolier {

template <class T>
class GaussianBlock final : public Belief<T> {
 public:
  // N(mean, diag(variances)) at first; `sizes` are the blocks' dimensions, in order.
  GaussianBlock(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances,
                const std::vector<Index>& sizes, const FoldOptions& options = {});

  Index dim() const override { return mean_.size(); }
  const Vector<T>& mean() const override { return mean_; }
  void scale_mean(T factor) override { mean_ *= factor; }
  T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const override;
  void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const override;
  Innovation<T> update(const ConstVectorRef<T>& g, const Observation<T>& observation) override;
  void add_process_noise(T q) override;
  void forget(T gamma) override;
  void fold() override;
  Matrix<T> covariance() const override;
  std::size_t bytes() const override;
  // `forgets`: with the scratch of forget().
  static double bytes_needed(std::span<const Index> sizes, bool forgets = false);
  std::unique_ptr<Belief<T>> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(const ArchiveReader& in) override;

  Index blocks() const { return static_cast<Index>(roots_.size()); }
  Index offset(Index block) const { return offsets_[static_cast<std::size_t>(block)]; }
  Index size(Index block) const { return root(block).dim(); }
  auto mean(Index block) const { return mean_.segment(offset(block), size(block)); }

  // The same as variance and update for a gradient that is zero outside the blocks `active` (each
  // named once): `g` holds the active blocks' parts one after the other, in the order of the list.
  T variance(std::span<const Index> active, const ConstVectorRef<T>& g, Vector<T>& scratch) const;
  Innovation<T> update(std::span<const Index> active, const ConstVectorRef<T>& g,
                       const Observation<T>& observation);

  // A sample of one block, independent of all others.
  void sample(Index block, Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const;

 private:
  const SquareRoot<T>& root(Index block) const { return roots_[static_cast<std::size_t>(block)]; }
  SquareRoot<T>& root(Index block) { return roots_[static_cast<std::size_t>(block)]; }
  void check_active(std::span<const Index> active, Index size) const;

  Vector<T> mean_;
  std::vector<SquareRoot<T>> roots_;
  std::vector<Index> offsets_;
  std::vector<Index> all_;  // 0 .. blocks − 1
  std::vector<T> q_;        // of the active blocks, by their place in the list
};

}  // namespace bandolier
