// A Gaussian belief with a diagonal covariance P = diag(v): the exact diagonal of the joint update
// at every step (the fully decoupled extended Kalman filter). v holds variances. O(d) throughout.
#pragma once

#include "bandolier/belief/belief.h"

namespace bandolier {

template <class T>
class GaussianDiagonal final : public Belief<T> {
 public:
  // N(mean, diag(variances)).
  GaussianDiagonal(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances);
  // N(0, variance·I).
  GaussianDiagonal(Index dim, T variance);

  Index dim() const override { return mean_.size(); }
  const Vector<T>& mean() const override { return mean_; }
  void scale_mean(T factor, Index first = 0) override { mean_.tail(dim() - first) *= factor; }
  const Vector<T>& variances() const { return v_; }
  T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const override;
  void sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const override;
  T project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const override;
  void correct(const ConstVectorRef<T>& g, const Observation<T>& observation, T q_others,
               BeliefScratch<T>& scratch) override;
  void add_process_noise(T q) override;
  void forget(T gamma, BeliefScratch<T>& scratch) override;
  void reset(const ConstVectorRef<T>& mean) override;
  Matrix<T> covariance() const override { return v_.asDiagonal(); }
  std::size_t bytes() const override { return 2 * static_cast<std::size_t>(dim()) * sizeof(T); }
  static double bytes_needed(Index dim) { return 2 * static_cast<double>(dim) * sizeof(T); }
  std::unique_ptr<Belief<T>> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(const ArchiveReader& in) override;

 private:
  Vector<T> prior_;
  Vector<T> mean_;
  Vector<T> v_;
};

}  // namespace bandolier
