// A basis kept as a matrix, a row per parameter: Gaussian directions of norm 1 (Li et al. 2018), or
// directions found in the iterates of training (svd_basis.h).
#pragma once

#include <optional>

#include "bandolier/subspace/basis.h"

namespace bandolier {

template <class T>
class DenseBasis final : public Basis<T> {
 public:
  // Columns are taken as they are.
  explicit DenseBasis(Matrix<T> columns);

  // Entries N(0, 1), columns scaled to norm 1. Row i is drawn from fork(i)'s stream, so that it
  // does not depend on the number of rows before it.
  static DenseBasis gaussian(Index parameters, Index dim, const StreamKey& key);

  Index parameters() const override { return columns_.rows(); }
  Index dim() const override { return columns_.cols(); }
  void add_image(const ConstVectorRef<T>& z, Vector<T>& scratch, VectorRef<T> theta) const override;
  void project(const ConstVectorRef<T>& g, Vector<T>& scratch, VectorRef<T> out) const override;
  BasisKind kind() const override { return key_ ? BasisKind::kGaussian : BasisKind::kSvd; }
  std::size_t bytes() const override {
    return sizeof(T) * static_cast<std::size_t>(columns_.size());
  }
  void save(ArchiveWriter& out) const override;

  const Matrix<T>& columns() const { return columns_; }
  const std::optional<StreamKey>& key() const { return key_; }  // of a Gaussian basis

 private:
  Matrix<T> columns_;             // D × d
  std::optional<StreamKey> key_;  // of a Gaussian basis
};

// Divides every column by its norm.
template <class T>
void normalise_columns(Matrix<T>& columns);

}  // namespace bandolier
