// A covariance kept as its square root, P = σ²SSᵀ, and the rank-one updates of it that a scalar
// observation makes (Potter 1963; Bierman 1977, section V.3). Whatever the round-off, P stays
// positive semi-definite, and σSε with ε ~ N(0, I) is a sample of N(0, P). Copies share S until one
// of them changes it.
//
// With f = σSᵀg, q = fᵀf and s = 1 + V(q + q'), where q' is the variance that g has in blocks
// independent of this one,
//   P − (V/s) P g gᵀ P = σ²S (I − (V/s) f fᵀ) Sᵀ = σ²S (I − c f fᵀ)² Sᵀ,
//   c = (V/s) / (1 + √((1 + Vq')/s)),
// the exact diagonal block of the joint update. q' = 0 gives the Potter step.
#pragma once

#include "bandolier/belief/batch_update.h"
#include "bandolier/core/copy_on_write.h"

namespace bandolier {

template <class T>
class SquareRoot {
 public:
  // P₀ = diag(prior). Process noise and forgetting are folded in every `fold_every` steps. 0: noise
  // every d steps, which makes its O(d³) an O(d²) per step, and forgetting as seldom as keeps it
  // well conditioned.
  SquareRoot(const ConstVectorRef<T>& prior, Index fold_every);

  Index dim() const { return prior_->size(); }

  // gᵀPg; scratch = Sᵀg. Reads S once.
  T variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const;

  // At least gᵀPg for any g of this ‖g‖²: the prior's, while nothing but rewards has changed P.
  T variance_bound(T squared_norm) const {
    return only_rewards_ ? kRounding * largest_ * squared_norm : std::numeric_limits<T>::infinity();
  }

  // out = scale·σSε. Reads S once.
  void deviate(T scale, const ConstVectorRef<T>& epsilon, VectorRef<T> out) const;

  // The same for rows (n × d), each by one matrix product: out_i = g_iᵀPg_i, out_i = σSε_i.
  void variances(const ConstMatrixRef<T>& g, Matrix<T>& scratch, VectorRef<T> out) const;
  void deviate_rows(const ConstMatrixRef<T>& epsilon, MatrixRef<T> out) const;

  // f ← σSᵀg, and returns q = fᵀf. Reads S once.
  T project(const ConstVectorRef<T>& g, VectorRef<T> f) const;

  // The update by the g of f: mean += P g l/s, S ← S − c (Sf) fᵀ; `gain` ← Sf is scratch. Reads and
  // writes S once.
  void correct(const Observation<T>& observation, const ConstVectorRef<T>& f, T q, T q_others,
               VectorRef<T> gain, VectorRef<T> mean);

  // The same of a batch (batch_update.h): the f of rows that are wanted, and the update by those
  // that were learnt. Each reads S once, the second writes it once.
  void project(BatchUpdate<T>& batch, BatchRows rows) const;
  void correct(BatchUpdate<T>& batch, BatchRows rows, BatchScratch<T>& scratch, VectorRef<T> mean);

  // P ← P + qI, pending until folded: [σS √q I] = LQ (Householder), S ← L. A fold allocates.
  void add_process_noise(T q);

  // P⁻¹ ← γP⁻¹ + (1 − γ)P₀⁻¹. The first term is free (σ² ← σ²/γ) and shows at once; the second is
  // pending: with G the product of the pending γ and I + (1 − G)σ²SᵀP₀⁻¹S = LLᵀ, S ← SL⁻ᵀ. It is
  // folded in at the latest when Σ(1 − γ) reaches 1, so LLᵀ has a condition number of at most e.
  // The precision after a fold is the one that folding at every step gives.
  void forget(T gamma, BeliefScratch<T>& scratch);

  void fold(BeliefScratch<T>& scratch);

  // P ← root·rootᵀ, whatever it was (d × d); the prior that forgetting returns to stays.
  void assign(const ConstMatrixRef<T>& root);

  void reset();  // P ← P₀

  Matrix<T> covariance() const;
  std::size_t bytes() const { return static_cast<std::size_t>(s_->size()) * sizeof(T); }
  // The same before it is made.
  static double bytes_needed(Index dim) {
    const auto d = static_cast<double>(dim);
    return d * d * sizeof(T);
  }
  // What a fold of forgetting works in (BeliefScratch), in the caller's memory.
  static double fold_bytes_needed(Index dim) { return 2 * bytes_needed(dim); }
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  void drop_pending();
  void fold_noise();
  void fold_prior(BeliefScratch<T>& scratch);

  static constexpr T kRounding = T(1.01);  // what many updates may add to P

  CopyOnWrite<Vector<T>> prior_;
  T largest_ = 0;             // of the prior variances
  bool only_rewards_ = true;  // have changed P
  CopyOnWrite<Matrix<T>> s_;
  T scale_ = 1;  // σ

  Index fold_every_;
  double noise_ = 0;  // pending process noise
  Index noise_steps_ = 0;
  double kept_ = 1;   // G
  double faded_ = 0;  // Σ(1 − γ)
  Index forget_steps_ = 0;
};

}  // namespace bandolier
