#include "bandolier/replay/likelihood_matching.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/growing_buffer.h"
#include "bandolier/core/stop.h"
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
  reserve(features.rows(), features.cols());
  auto error = error_.head(features.rows());
  gradient_.resize(A.rows(), A.cols());
  for (Index step = 0; step < options.steps; ++step) {
    throw_if_stopped();
    variances(A, features, error);
    error -= target;
    auto weighted = as_matrix(product_, features.rows(), features.cols());
    weighted = (2.0 / static_cast<double>(features.rows())) * error.asDiagonal() * features;
    gradient_.noalias() = features.transpose() * weighted;
    const double norm = gradient_.norm();
    if (!std::isfinite(norm)) return;
    A -= (options.rate * std::min(1.0, options.clip / norm)) * gradient_;
    project(A);
  }
  // Below 1e-12 of the trace an eigenvalue is round-off of the largest.
  A.diagonal().array() += std::max(options.floor, 1e-12 * A.trace());
}

void LikelihoodMatching::project(Matrix<double>& A) {
  // A has a Cholesky factor if and only if there is nothing to do.
  factor_ = A;
  if (!factor_cholesky(factor_)) project_psd(A, 0);
}

}  // namespace bandolier
