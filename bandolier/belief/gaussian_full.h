// A Gaussian belief with full covariance in square-root form (square_root.h): exact for linear
// predictors, the extended Kalman filter for others. O(d²) time and memory; an update reads S twice
// and writes it once, a sample reads it once.
#pragma once

#include "bandolier/belief/square_root.h"

namespace bandolier {

struct FoldOptions {
  Index fold_every = 0;  // steps between folds of noise and forgetting; 0: as square_root.h chooses
};

template <class T>
class GaussianFull final : public Belief<T> {
 public:
  // N(mean, diag(variances)).
  GaussianFull(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances,
               const FoldOptions& options = {});
  // N(0, variance·I).
  GaussianFull(Index dim, T variance, const FoldOptions& options = {});

  GaussianFull* as_full() override { return this; }
  const GaussianFull* as_full() const override { return this; }
  Index dim() const override { return mean_.size(); }
  const Vector<T>& mean() const override { return mean_; }
  void scale_mean(T factor, Index first = 0) override { mean_.tail(dim() - first) *= factor; }
  T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const override;
  T variance_bound(T squared_norm) const override { return root_.variance_bound(squared_norm); }
  void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const override;
  void sample_batch(std::span<Random> random, std::span<const T> scale, SampleNoise<T>& noise,
                    MatrixRef<T> out) const override;
  // gᵀPg of every row g of `rows` (n × d); scratch is the caller's. One matrix product.
  void variances(const ConstMatrixRef<T>& rows, Matrix<T>& scratch, VectorRef<T> out) const {
    root_.variances(rows, scratch, out);
  }
  T project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const override;
  void correct(const ConstVectorRef<T>& g, const Observation<T>& observation, T q_others,
               BeliefScratch<T>& scratch) override;
  // Many observations (batch_update.h): `project` those that are wanted, `learn` each in turn by
  // the batch, then `correct` by all that were learnt. O(m d²) each, by products of matrices.
  void project(BatchUpdate<T>& batch, BatchRows rows) const;
  void correct(BatchUpdate<T>& batch, BatchRows rows, BatchScratch<T>& scratch) {
    root_.correct(batch, rows, scratch, mean_);
  }
  void add_process_noise(T q) override { root_.add_process_noise(q); }
  void forget(T gamma, BeliefScratch<T>& scratch) override { root_.forget(gamma, scratch); }
  void fold(BeliefScratch<T>& scratch) override { root_.fold(scratch); }
  void reset(const ConstVectorRef<T>& mean) override;
  Matrix<T> covariance() const override { return root_.covariance(); }
  std::size_t bytes() const override;
  static double bytes_needed(Index dim) {
    return SquareRoot<T>::bytes_needed(dim) + static_cast<double>(dim) * sizeof(T);
  }
  std::unique_ptr<Belief<T>> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(const ArchiveReader& in) override;

  // N(mean, root·rootᵀ) in place of what was believed: for posteriors computed in batch.
  void assign(const ConstVectorRef<T>& mean, const ConstMatrixRef<T>& root) {
    mean_ = mean;
    root_.assign(root);
  }

 private:
  Vector<T> mean_;
  SquareRoot<T> root_;
};

}  // namespace bandolier
