// A Gaussian belief with a block-diagonal covariance: each block in full, no correlation between
// blocks. One block per layer is the decoupled extended Kalman filter (appendix; Puskorius and
// Feldkamp 2003). Every step keeps the exact diagonal blocks of the joint update (square_root.h).
// O(Σ dᵢ²).
#pragma once

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
  void scale_mean(T factor, Index first = 0) override { mean_.tail(dim() - first) *= factor; }
  T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const override;
  void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const override;
  T project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const override;
  void correct(const ConstVectorRef<T>& g, const Observation<T>& observation, T q_others,
               BeliefScratch<T>& scratch) override;
  void add_process_noise(T q) override;
  void forget(T gamma, BeliefScratch<T>& scratch) override;
  void fold(BeliefScratch<T>& scratch) override;
  void reset(const ConstVectorRef<T>& mean) override;
  Matrix<T> covariance() const override;
  std::size_t bytes() const override;
  static double bytes_needed(std::span<const Index> sizes);
  std::unique_ptr<Belief<T>> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(const ArchiveReader& in) override;

  Index blocks() const { return static_cast<Index>(roots_.size()); }
  Index offset(Index block) const { return offsets_[static_cast<std::size_t>(block)]; }
  Index size(Index block) const { return root(block).dim(); }

 private:
  const SquareRoot<T>& root(Index block) const { return roots_[static_cast<std::size_t>(block)]; }

  Vector<T> mean_;
  std::vector<SquareRoot<T>> roots_;
  std::vector<Index> offsets_;
};

}  // namespace bandolier
