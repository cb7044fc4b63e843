// LiM2's likelihood matching (Nabati et al. 2021; Algorithm 6 of the paper): when a network's
// features change from φ_old to φ, the covariance A of a head is moved so that it gives the new
// features the variances s_j² = φ_oldᵀ A φ_old that it gave the old ones:
//   min over A ≽ 0 of  L(A) = mean_j (φ_jᵀ A φ_j − s_j²)²
// by projected gradient descent, ∇L = 2 mean_j (φ_jᵀ A φ_j − s_j²) φ_j φ_jᵀ, as the authors' code
// has it: the gradient is shortened to a Frobenius norm of `clip`, and floor·I is added at the end,
// because a head's posterior needs A positive definite. A step never moves A by more than
// rate·clip, however large the features are.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

struct MatchingOptions {
  Index steps = 1;      // P2
  double rate = 0.01;   // η
  double clip = 5;      // largest Frobenius norm of a gradient
  double floor = 1e-5;  // added to A's diagonal after the steps
};

class LikelihoodMatching {
 public:
  // A ← PGD(A, s², φ) + floor·I; one feature vector per row (m × d). No rows, or features too large
  // for a finite gradient: A stays. O(m·d² + d³) per step. The eigenvectors are computed, and
  // memory for them is allocated, only where A has left the cone: in the first, longest steps of a
  // run.
  void match(const MatchingOptions& options, const ConstVectorRef<double>& variances,
             const ConstMatrixRef<double>& features, Matrix<double>& A);

  // So that no call with up to `rows` features of size `dim` allocates.
  void reserve(Index rows, Index dim);

  // φᵀ A φ of every row.
  void variances(const ConstMatrixRef<double>& A, const ConstMatrixRef<double>& features,
                 VectorRef<double> out);

  // Raises negative eigenvalues to 0.
  void project(Matrix<double>& A);

 private:
  Vector<double> product_;   // m × d; grows only
  Vector<double> error_;     // m; grows only
  Matrix<double> gradient_;  // d × d
  Matrix<double> factor_;    // d × d
};

}  // namespace bandolier
