// LiM2's likelihood matching (Nabati et al. 2021; Algorithm 6 of the paper): when a network's
// features change from φ_old to φ, the prior covariance A of a head is moved so that it gives the
// new features the variances s_j² = φ_oldᵀ A φ_old that it gave the old ones:
//   min over A ≽ floor·I of  L(A) = Σ_j (φ_jᵀ A φ_j − s_j²)²
// by projected gradient descent, ∇L = 2 Σ_j (φ_jᵀ A φ_j − s_j²) φ_j φ_jᵀ. A step is never longer
// than 1 / (2 Σ ‖φ_j‖⁴), so that it never raises L, however large the features are.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier {

struct MatchingOptions {
  Index steps = 1;      // P2
  double rate = 0.01;   // η, at most
  bool mean = false;    // divide the gradient by the number of features, as the authors do
  double floor = 1e-5;  // least eigenvalue of A: the head's posterior needs A⁻¹
};

class LikelihoodMatching {
 public:
  // A ← PGD(A, s², φ); one feature vector per row (m × d). O(m·d² + d³) per step; the eigenvectors
  // are computed only where A has left the cone.
  void match(const MatchingOptions& options, const ConstVectorRef<double>& variances,
             const ConstMatrixRef<double>& features, Matrix<double>& A);

  // So that no call with up to `rows` features of size `dim` allocates.
  void reserve(Index rows, Index dim);

  // φᵀ A φ of every row.
  void variances(const ConstMatrixRef<double>& A, const ConstMatrixRef<double>& features,
                 VectorRef<double> out);

  // Raises the eigenvalues below `floor` to it.
  void project(double floor, Matrix<double>& A);

 private:
  Vector<double> product_;  // m × d; grows only
  Vector<double> error_;    // m; grows only
  Matrix<double> shifted_;  // d × d
};

}  // namespace bandolier
