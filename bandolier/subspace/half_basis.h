// A dense basis stored in half precision: half the memory, and half the time of a step that reads
// it. Arithmetic stays in float. Entries of a column of norm 1 are about D^{-1/2}, and are rounded
// by at most 2⁻¹¹ of themselves (2⁻²⁵ where below 6·10⁻⁵).
#pragma once

#include <optional>
#include <vector>

#include "bandolier/linalg/half.h"
#include "bandolier/subspace/dense_basis.h"

namespace bandolier {

class HalfBasis final : public Basis<float> {
 public:
  explicit HalfBasis(const DenseBasis<float>& basis);

  Index parameters() const override { return parameters_; }
  Index dim() const override { return dim_; }
  void add_image(const ConstVectorRef<float>& z, Vector<float>& scratch,
                 VectorRef<float> theta) const override;
  void project(const ConstVectorRef<float>& g, Vector<float>& scratch,
               VectorRef<float> out) const override;
  BasisKind kind() const override { return key_ ? BasisKind::kGaussian : BasisKind::kSvd; }
  BasisPrecision precision() const override { return BasisPrecision::kHalf; }
  std::size_t bytes() const override { return sizeof(Half) * rows_.size(); }
  // As the dense basis: a Gaussian one by its key, another as floats, which hold halves exactly.
  void save(ArchiveWriter& out) const override;

  const Half* rows() const { return rows_.data(); }  // D × d, row by row

 private:
  Index parameters_, dim_;
  std::vector<Half> rows_;
  std::optional<StreamKey> key_;  // of a Gaussian basis
};

// Throws Error for a basis that is not dense.
std::shared_ptr<const HalfBasis> make_half_basis(const Basis<float>& basis);

}  // namespace bandolier
