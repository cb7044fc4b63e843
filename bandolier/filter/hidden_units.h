// Weights of hidden units that nobody has trained.
//   dense    each unit of the first layer reads all inputs
//   sparse   each reads 6 of them, drawn by how many values they have taken, so that one of two
//            values is not drowned by one of thousands; its kink lies where the contexts are
// Sparse units find what a few inputs say together, as where some are binary; dense ones what all
// say together. `auto` takes sparse ones where a quarter of the inputs, or more, are binary.
#pragma once

#include <span>

#include "bandolier/core/random.h"
#include "bandolier/core/words.h"
#include "bandolier/filter/predictor.h"

namespace bandolier {

enum class UnitKind { kAuto, kDense, kSparse };
Words words_of(UnitKind);

// Inputs of the pulls as a network sees them, one per row.
Matrix<float> inputs_of(const Encoder& encoder, const Preparation& preparation, bool convolutional,
                        std::span<const Experience> pulls);

// Whether `auto` takes sparse units for contexts like these.
bool suits_sparse_units(const ConstMatrixRef<float>& inputs);

// LeCun-normal weights, and biases of standard deviation 0.3: without them every unit's kink goes
// through the origin, and a head fed from them sees nothing of how far a context is from it.
// Pixels are not centred, and their kinks are spread without.
Vector<float> dense_units(const Network& body, bool image, Random random);

// Of a body whose first layer is dense; the other layers as above. Unit u reads inputs j₁ … j₆,
// drawn with replacement, P(j) ∝ (distinct values of input j) − 1:
//   w ~ N(0, 1/6),  b ~ N(0, (0.7 r)²),  r² the mean of (wᵀx)² over the inputs given.
Vector<float> sparse_units(const Network& body, const ConstMatrixRef<float>& inputs, Random random);

}  // namespace bandolier
