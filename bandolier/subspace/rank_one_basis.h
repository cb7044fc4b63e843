// Random directions of rank one per layer. Column k's block for an affine layer is uₖ vₖᵀ, the bias
// being the last entry of vₖ; u and v are standard normal and a column is scaled to norm 1 as a
// whole, so that a layer carries the same share of a direction's norm as in a Gaussian basis.
//
// A layer then acts without its matrix of d·in·out entries (U: out × d, V: (in + 1) × d):
//   W(z) h + b(z) = W* h + b* + U (z ∘ Vᵀ(h, 1))          O((in + out)·d)
//   W(z)ᵀ δ       = W*ᵀ δ + V (z ∘ Uᵀδ), last row dropped
//   ∂f/∂z         = Σ over layers (Uᵀδ) ∘ (Vᵀ(h, 1))
#pragma once

#include "bandolier/subspace/basis.h"

namespace bandolier {

template <class T>
class RankOneBasis final : public Basis<T> {
 public:
  struct Factors {
    AffineLayer shape;
    Matrix<T> u;  // out × d, scaled
    Matrix<T> v;  // (in + 1) × d
  };

  RankOneBasis(const Network& network, Index dim, const StreamKey& key);

  Index parameters() const override { return parameters_; }
  Index dim() const override { return dim_; }
  void add_image(const ConstVectorRef<T>& z, Vector<T>& scratch, VectorRef<T> theta) const override;
  void project(const ConstVectorRef<T>& g, Vector<T>& scratch, VectorRef<T> out) const override;
  BasisKind kind() const override { return BasisKind::kRankOne; }
  std::size_t bytes() const override;
  void save(ArchiveWriter& out) const override { save_key(key_, out); }

  const std::vector<Factors>& layers() const { return layers_; }

 private:
  StreamKey key_;
  Index parameters_ = 0;
  Index dim_ = 0;
  std::vector<Factors> layers_;
};

}  // namespace bandolier
