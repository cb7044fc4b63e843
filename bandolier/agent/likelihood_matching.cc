#include "bandolier/agent/likelihood_matching.h"

#include <Eigen/Cholesky>
#include <algorithm>

namespace bandolier {

void LikelihoodMatching::variances(const ConstMatrixRef<double>& A,
                                   const ConstMatrixRef<double>& features, Matrix<double>& product,
                                   VectorRef<double> out) {
  product.resize(features.rows(), features.cols());
  product.noalias() = features * A;
  out = product.cwiseProduct(features).rowwise().sum();
}

void LikelihoodMatching::match(const MatchingOptions& options, const ConstVectorRef<double>& target,
                               const ConstMatrixRef<double>& features, MatrixRef<double> A) {
  if (features.rows() == 0) return;
  const double share = options.mean ? 1.0 / static_cast<double>(features.rows()) : 1.0;
  // ∇L is Lipschitz with 2 Σ ‖φ_j‖⁴; a step beyond its inverse may raise L, far beyond it diverges.
  const double steepness = 2 * share * features.rowwise().squaredNorm().squaredNorm();
  const double rate = std::min(options.rate, 1 / steepness);
  error_.resize(features.rows());
  for (Index step = 0; step < options.steps; ++step) {
    variances(A, features, product_, error_);
    error_ -= target;
    product_ = error_.asDiagonal() * features;
    A.noalias() -= (2 * rate * share) * features.transpose() * product_;
    project(options.floor, A);
  }
}

void LikelihoodMatching::project(double floor, MatrixRef<double> A) {
  // A − floor·I has a Cholesky factor if and only if there is nothing to do.
  shifted_ = A;
  shifted_.diagonal().array() -= floor;
  const Eigen::LLT<Eigen::Ref<Matrix<double>>> llt(shifted_);
  if (llt.info() == Eigen::Success) return;
  eigen_.compute(A);
  A.noalias() = eigen_.eigenvectors() * eigen_.eigenvalues().cwiseMax(floor).asDiagonal() *
                eigen_.eigenvectors().transpose();
}

}  // namespace bandolier
