#include "bandolier/replay/likelihood_matching.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/growing_buffer.h"
#include "bandolier/linalg/cholesky.h"
#include "bandolier/linalg/psd.h"

namespace bandolier {

void LikelihoodMatching::reserve(Index rows, Index dim) {
  as_matrix(product_, rows, dim);
  if (error_.size() < rows) error_.resize(rows);
}

void LikelihoodMatching::variances(const ConstMatrixRef<double>& A,
                                   const ConstMatrixRef<double>& features, VectorRef<double> out) {
  auto product = as_matrix(product_, features.rows(), features.cols());
  product.noalias() = features * A;
  out = product.cwiseProduct(features).rowwise().sum();
}

void LikelihoodMatching::match(const MatchingOptions& options, const ConstVectorRef<double>& target,
                               const ConstMatrixRef<double>& features, Matrix<double>& A) {
  if (features.rows() == 0) return;
  const double share = options.mean ? 1.0 / static_cast<double>(features.rows()) : 1.0;
  // ∇L is Lipschitz with 2 Σ ‖φ_j‖⁴; a step beyond its inverse may raise L, far beyond it diverges.
  const double steepness = 2 * share * features.rowwise().squaredNorm().squaredNorm();
  if (!std::isfinite(steepness)) return;
  const double rate = std::min(options.rate, 1 / steepness);
  reserve(features.rows(), features.cols());
  auto error = error_.head(features.rows());
  for (Index step = 0; step < options.steps; ++step) {
    variances(A, features, error);
    error -= target;
    auto weighted = as_matrix(product_, features.rows(), features.cols());
    weighted = error.asDiagonal() * features;
    A.noalias() -= (2 * rate * share) * features.transpose() * weighted;
    project(options.floor, A);
  }
}

void LikelihoodMatching::project(double floor, Matrix<double>& A) {
  // Below this an eigenvalue is round-off of the largest.
  floor = std::max(floor, 1e-12 * A.trace());
  // A − floor·I has a Cholesky factor if and only if there is nothing to do.
  shifted_ = A;
  shifted_.diagonal().array() -= floor;
  if (factor_cholesky(shifted_)) return;
  project_psd(A, floor);
}

}  // namespace bandolier
