// A structured basis stored in O(D) (the sparse orthogonal matrices of Choromanski et al. 2017):
//   A = D^{-1/2} · S · R · H · C
// with H the D' × D' Walsh–Hadamard matrix of ±1 (D' the power of two at or above D), C the choice
// of d of its columns, R the choice of D of its rows, both random, and S random signs. Entries are
// ±D^{-1/2}, so columns have norm 1 exactly; they are orthogonal where D = D', and nearly so
// otherwise. Az and Aᵀg take one fast transform, O(D' log D').
#pragma once

#include <cstdint>

#include "bandolier/subspace/basis.h"

namespace bandolier {

template <class T>
class HadamardBasis final : public Basis<T> {
 public:
  HadamardBasis(Index parameters, Index dim, const StreamKey& key);

  Index parameters() const override { return static_cast<Index>(rows_.size()); }
  Index dim() const override { return static_cast<Index>(columns_.size()); }
  void add_image(const ConstVectorRef<T>& z, Vector<T>& scratch, VectorRef<T> theta) const override;
  void project(const ConstVectorRef<T>& g, Vector<T>& scratch, VectorRef<T> out) const override;
  BasisKind kind() const override { return BasisKind::kHadamard; }
  std::size_t bytes() const override;
  void save(ArchiveWriter& out) const override { save_key(key_, out); }

 private:
  StreamKey key_;
  Index order_ = 1;                    // D'
  std::vector<std::int32_t> rows_;     // of H, one per parameter
  std::vector<std::int32_t> columns_;  // of H, one per dimension
  Vector<T> signs_;                    // ±D^{-1/2}, one per parameter
};

// x ← H x in place; the size is a power of two. O(n log n).
template <class T>
void walsh_hadamard(VectorRef<T> x);

}  // namespace bandolier
