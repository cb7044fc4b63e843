#include "bandolier/replay/carried_posterior.h"

#include <algorithm>
#include <cmath>

#include "bandolier/linalg/cholesky.h"

namespace bandolier {

bool CarriedPosterior::compute_covariance(const Matrix<double>& prior,
                                          const RegressionStatistics& rows) {
  const Index dim = prior.rows();
  gram_ = rows.gram;
  gram_.triangularView<Eigen::StrictlyUpper>() = rows.gram.transpose();
  factor_ = prior;
  if (!factor_cholesky(factor_)) return false;
  factor_.triangularView<Eigen::StrictlyUpper>().setZero();
  product_.resize(dim, dim);
  product_.noalias() = gram_ * factor_;
  inner_.setIdentity(dim, dim);
  inner_.noalias() += factor_.transpose() * product_;
  if (!inner_.allFinite() || !factor_cholesky(inner_)) return false;
  // Sᵀ = M⁻¹Lᵀ.
  product_ = factor_.transpose();
  inner_.triangularView<Eigen::Lower>().solveInPlace(product_);
  root_ = product_.transpose();
  covariance_.resize(dim, dim);
  covariance_.noalias() = root_ * product_;
  return covariance_.allFinite();
}

bool CarriedPosterior::compute_mean(const Vector<double>& prior, const RegressionStatistics& rows) {
  moment_.noalias() = gram_ * prior;
  const double errors = rows.squares + prior.dot(moment_) - 2 * rows.moment.dot(prior);
  moment_ = rows.moment - moment_;
  projected_.noalias() = root_.transpose() * moment_;
  mean_ = prior;
  mean_.noalias() += root_ * projected_;
  spread_ = std::max(0.0, errors - projected_.squaredNorm());
  return mean_.allFinite() && std::isfinite(spread_);
}

}  // namespace bandolier
