// Many observations of one belief P = σ²SSᵀ, learnt one after the other and written into S at once:
// what m rewards cost is two products of matrices with S in place of 3m passes over it.
//
// Observation i sees f_i = σS_{i−1}ᵀx_i, q_i = f_iᵀf_i and η_i = x_iᵀμ_{i−1}, and changes
//   S_i = S_{i−1} (I − c_i f_i f_iᵀ),   μ_i = μ_{i−1} + σS_{i−1} f_i a_i,   a_i = l_i/s_i.
// The projections of the observations to come change as the rows of S do,
//   f_k ← f_k − c_i (f_kᵀf_i) f_i,   η_k ← η_k + a_i f_kᵀf_i,   k > i,
// so that each sees what it would have seen had S been written before it: O(m h) per reward for h
// parameters, beside O(h²). Written at once, with the f_i as rows of F and C = diag(c),
//   S_m = S_0 − (S_0 Fᵀ) W,   W = C (F − G W),   μ_m = μ_0 + σ(S_0 Fᵀ) b,   b = a − C G b,
// where G is FFᵀ above its diagonal: W and b from the last row to the first. Nothing divides by c,
// and no intermediate grows (docs/beliefs.md).
#pragma once

#include <array>
#include <vector>

#include "bandolier/belief/batch_rows.h"
#include "bandolier/belief/belief.h"

namespace bandolier {

// A caller's memory for writing beliefs of any size.
template <class T>
struct BatchScratch {
  std::vector<T> w;     // W: kMostBatchRows × h
  std::vector<T> ft;    // Fᵀ: h × kMostBatchRows
  std::vector<T> gain;  // h
  std::array<T, kMostBatchRows> b{}, inner{};

  // At least for h parameters.
  void reserve(Index h) {
    const auto size = static_cast<std::size_t>(h);
    if (gain.size() >= size) return;
    gain.resize(size);
    for (std::vector<T>* one : {&w, &ft}) one->resize(size * kMostBatchRows);
  }
};

// c of the update by one observation of curvature V, where s = 1 + V(q + q') (square_root.h).
template <class T>
T potter_step(T v, T s, T q_others = 0) {
  return (v / s) / (1 + std::sqrt((1 + v * q_others) / s));
}

// A caller's memory for the observations of a batch, of one belief or of several of one size, each
// with rows of its own. Grows on first use.
template <class T>
class BatchUpdate {
 public:
  // Of gradients x: rows × dim, in the caller's memory as long as the batch is. No row is wanted.
  void start(const T* x, Index rows, Index dim);

  // Before the belief projects: an observation that will be weighed. One that comes to be wanted
  // later is projected by itself.
  void want(Index row) { states_[static_cast<std::size_t>(row)] = State::kWanted; }
  bool wanted(Index row) const { return state(row) == State::kWanted; }
  bool projected(Index row) const { return state(row) >= State::kProjected; }

  const T* gradient(Index row) const { return x_ + row * dim_; }
  T* projection(Index row) { return f_.data() + row * dim_; }
  const T* projection(Index row) const { return f_.data() + row * dim_; }

  // The wanted of these rows hold σSᵀx, S as it was when the batch began: they see the mean, and
  // what the rows before them have taught since.
  void see(BatchRows rows, const Vector<T>& mean);

  // What the next observation sees, and that it is learnt: it changes the rows that follow, up to
  // `end`.
  T value(Index row) const { return value_[row]; }  // η
  T q(Index row) const;
  void learn(Index row, Index end, const Observation<T>& observation);

  // Moves those of the rows that were learnt together, as the first of them; returns these.
  BatchRows gather_learnt(BatchRows rows);
  // Of such a row: P changes by c f fᵀ, the mean by a.
  T c(Index row) const { return c_[row]; }
  T a(Index row) const { return a_[row]; }
  // W, Fᵀ and b of such rows, into memory for them.
  void prepare(BatchRows learnt, BatchScratch<T>& scratch) const;

 private:
  enum class State : std::uint8_t { kIdle, kWanted, kProjected, kLearnt };
  State state(Index row) const { return states_[static_cast<std::size_t>(row)]; }
  // The rows of [begin, end), all projected, follow one that was learnt.
  void follow(Index learnt, Index begin, Index end);

  const T* x_ = nullptr;
  Index dim_ = 0;
  std::vector<State> states_;
  std::vector<T> f_;         // rows × dim
  Vector<T> value_, c_, a_;  // per row
  Vector<T> inner_;          // f_kᵀf_i
};

extern template class BatchUpdate<float>;
extern template class BatchUpdate<double>;

}  // namespace bandolier
