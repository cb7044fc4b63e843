// The directions of a subspace: A, parameters × dim (D × d), columns of norm 1. A basis is
// immutable and shared; the kinds differ in what they store and in how fast they multiply:
//
//   kind       stored                 θ = Az and Aᵀg              where it comes from
//   gaussian   D·d (from a key)       O(D·d)                      i.i.d. normal entries
//   svd        D·d                    O(D·d)                      the iterates of warm-up training
//   (both also in half precision: half_basis.h)
//   rank-one   Σ (in + out + 1)·d     O(Σ in·out·d), see below    uₖvₖᵀ in every layer
//   hadamard   O(D)                   O(D log D)                  signs · Walsh–Hadamard · subset
//   identity   nothing                O(D)                        the original space, d = D
//
// A model bound to a basis (subspace.h) seldom multiplies by A as a whole: dense and rank-one bases
// have models that never form θ(z).
#pragma once

#include <memory>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/random.h"
#include "bandolier/core/stream_key.h"
#include "bandolier/core/types.h"
#include "bandolier/core/words.h"
#include "bandolier/nn/network.h"

namespace bandolier {

enum class BasisKind { kSvd, kGaussian, kHadamard, kRankOne, kIdentity };
inline Words words_of(BasisKind) {
  static constexpr std::string_view kWords[] = {"svd", "gaussian", "hadamard", "rank-one",
                                                "identity"};
  return kWords;
}

// The precision that a basis is stored in.
enum class BasisPrecision { kFloat, kHalf };
inline Words words_of(BasisPrecision) {
  static constexpr std::string_view kWords[] = {"float", "half"};
  return kWords;
}

// What a basis needs to know of a network: its affine layers, y = W h + b, in the order of their
// parameters (W row by row, then b). A convolution is the matrix filters × patch.
struct AffineLayer {
  Index layer = 0;   // its place in Network::layers()
  Index in = 0;      // columns of W: inputs, or a convolution's patch
  Index out = 0;     // rows of W: outputs, or a convolution's filters
  Index offset = 0;  // of W in the parameters; b is at offset + in·out
  Index parameters() const { return out * (in + 1); }
};
std::vector<AffineLayer> affine_layers(const Network& network);

template <class T>
class Basis {
 public:
  virtual ~Basis() = default;

  virtual Index parameters() const = 0;  // D
  virtual Index dim() const = 0;         // d

  // θ += A z. `scratch` is the caller's; it grows on first use.
  virtual void add_image(const ConstVectorRef<T>& z, Vector<T>& scratch,
                         VectorRef<T> theta) const = 0;
  // out = Aᵀ g.
  virtual void project(const ConstVectorRef<T>& g, Vector<T>& scratch, VectorRef<T> out) const = 0;

  // A itself: for tests and small problems.
  Matrix<T> matrix() const;

  virtual BasisKind kind() const = 0;
  virtual BasisPrecision precision() const { return BasisPrecision::kFloat; }
  virtual std::size_t bytes() const = 0;
  // What the kind needs to be made again for the same network: a key, a matrix, or nothing.
  virtual void save(ArchiveWriter& out) const = 0;
};

// The kinds that need nothing but a stream.
const std::vector<BasisKind>& random_basis_kinds();  // gaussian, rank-one, hadamard

// A random basis: the same for the same key, whatever has been drawn from the stream. Throws Error
// for a kind that is not random and for dim outside 1 .. parameters.
template <class T>
std::shared_ptr<const Basis<T>> make_random_basis(BasisKind kind, const Network& network, Index dim,
                                                  const StreamKey& key);

template <class T>
std::shared_ptr<const Basis<T>> make_identity_basis(const Network& network);

// The bytes that making a basis takes. Half precision, for the kinds that have it (gaussian, svd),
// also counts the floats that the basis is made from.
double basis_bytes_needed(BasisKind kind, const Network& network, Index dim,
                          BasisPrecision precision);

// Kind (`gaussian`, or `gaussian-half` in half precision), dim and what the kind keeps.
template <class T>
void save_basis(const Basis<T>& basis, ArchiveWriter& out);
template <class T>
std::shared_ptr<const Basis<T>> load_basis(const Network& network, const ArchiveReader& in);

// Throws Error unless 1 <= dim <= parameters.
void check_dim(Index dim, Index parameters);

}  // namespace bandolier
