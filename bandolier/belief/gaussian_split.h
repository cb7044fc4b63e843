// A Gaussian belief for many parameters of which the first matter together: their covariance in
// full, that of the others diagonal, no correlation between the two. Every step keeps the exact
// diagonal blocks of the joint update (square_root.h). O(n² + d) for n of d in full.
#pragma once

#include "bandolier/belief/gaussian_full.h"

namespace bandolier {

template <class T>
class GaussianSplit final : public Belief<T> {
 public:
  // N(mean, diag(variances)) at first; the first `full` parameters in full, 1 <= full < d.
  GaussianSplit(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances, Index full,
                const FoldOptions& options = {});

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
  void fold(BeliefScratch<T>& scratch) override { root_.fold(scratch); }
  void reset(const ConstVectorRef<T>& mean) override;
  Matrix<T> covariance() const override;
  std::size_t bytes() const override;
  static double bytes_needed(Index dim, Index full);
  std::unique_ptr<Belief<T>> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(const ArchiveReader& in) override;

 private:
  Index full() const { return root_.dim(); }
  Index rest() const { return dim() - full(); }

  Vector<T> mean_;
  SquareRoot<T> root_;            // of the first
  CopyOnWrite<Vector<T>> prior_;  // variances of the rest: before any reward,
  CopyOnWrite<Vector<T>> v_;      // and now
};

}  // namespace bandolier
