// The leading part of a singular value decomposition, A ≈ U diag(σ) Vᵀ, of a tall or wide matrix.
#pragma once

#include "bandolier/core/random.h"
#include "bandolier/core/types.h"

namespace bandolier {

template <class T>
struct Svd {
  Matrix<T> left;    // U: rows × k, orthonormal columns
  Vector<T> values;  // σ: k, descending
  Matrix<T> right;   // V: cols × k, orthonormal columns
};

// Exact, from the eigenvectors of the smaller Gram matrix (AAᵀ or AᵀA), which is summed and solved
// in double: O(m²n + m³) for the smaller side m and the larger n. Gives min(rank, the numerical
// rank) triples; values below 10⁻⁷ of the largest count as zero.
template <class T>
Svd<T> gram_svd(const ConstMatrixRef<T>& a, Index rank);

struct RandomisedSvdOptions {
  Index oversampling = 10;   // directions beyond those asked for
  int power_iterations = 2;  // each costs two more passes over A; more for slowly falling values
};

// Randomised (Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.1): the range of A is found by
// multiplying a Gaussian matrix by (AAᵀ)^p A with an orthonormalisation after every product, and
// the small matrix of A's coordinates in it is decomposed exactly. O(rows·cols·rank).
template <class T>
Svd<T> randomised_svd(const ConstMatrixRef<T>& a, Index rank, Random& random,
                      const RandomisedSvdOptions& options = {});

}  // namespace bandolier
