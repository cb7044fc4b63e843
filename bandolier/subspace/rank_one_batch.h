// Many inputs at once through dense layers in a rank-one basis (rank_one_basis.h): a row per input,
// with coordinates z of its own or one z for all:
//   Y = H W*ᵀ + b* + ((H V + v_b) ∘ Z) Uᵀ,   H: rows × in, Z: rows × d
// Three matrix products per layer, 2·rows·(in·out + (in + out)·d) flops. The first layer's products
// with the inputs go over their non-zeros, as for one input: images are mostly 0.
#pragma once

#include <span>
#include <vector>

#include "bandolier/model/encoding.h"
#include "bandolier/subspace/rank_one_basis.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {

template <class T>
struct RankOneBatch final : BoundScratch {
  Matrix<T> first_loading;             // X V + v_b of the first layer: rows × d
  Matrix<T> first_base;                // X W*ᵀ + b*: rows × outputs
  Matrix<T> loading;                   // of a later layer, then ∘ Z
  std::vector<Matrix<T>> activations;  // outputs of every layer
  EncodedInputs encoded;               // one input
};

// What does not depend on z: the first layer's products with the inputs, W* of that layer given
// transposed (inputs × outputs). Multi-head only.
template <class T>
void bind_rank_one_batch(const Encoder& encoder, const Matrix<T>& first_weights,
                         const Vector<T>& offset, const RankOneBasis<T>& basis,
                         std::span<const Context> contexts, RankOneBatch<T>& work);

// The network's outputs at θ(z), a row per input; z has as many rows, or one.
template <class T>
void predict_rank_one_batch(const Network& network, const Vector<T>& offset,
                            const RankOneBasis<T>& basis, const ConstMatrixRef<T>& z,
                            RankOneBatch<T>& work, MatrixRef<T> outputs);

}  // namespace bandolier
