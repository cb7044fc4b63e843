// The posterior of a linear head whose prior covariance was carried over from earlier features
// (LiM2), so that it is the covariance that is given and not its inverse. With Σ₀ = LLᵀ and of the
// stored rows Φ = Σ x xᵀ, ψ = Σ x y, R² = Σ y²:
//   I + LᵀΦL = MMᵀ,  S = LM⁻ᵀ,  Σ = (Σ₀⁻¹ + Φ)⁻¹ = SSᵀ
//   m = ψ − Φμ₀,     μ = Σ(Σ₀⁻¹μ₀ + ψ) = μ₀ + Σm
//   R² + μ₀ᵀΣ₀⁻¹μ₀ − μᵀΣ⁻¹μ = (R² − 2ψᵀμ₀ + μ₀ᵀΦμ₀) − mᵀΣm
// No matrix is inverted, and nothing is the difference of two large numbers where Σ₀ is small.
#pragma once

#include "bandolier/replay/network_regressions.h"

namespace bandolier {

class CarriedPosterior {
 public:
  // S and Σ. False, with both spoilt, where Σ₀ is not positive definite or Φ is not finite. O(d³).
  bool compute_covariance(const Matrix<double>& prior, const RegressionStatistics& rows);
  // μ and the spread, from what compute_covariance left. False where they are not finite. O(d²).
  bool compute_mean(const Vector<double>& prior, const RegressionStatistics& rows);

  const Matrix<double>& root() const { return root_; }              // S
  const Matrix<double>& covariance() const { return covariance_; }  // Σ
  const Vector<double>& mean() const { return mean_; }              // μ
  // R² + μ₀ᵀΣ₀⁻¹μ₀ − μᵀΣ⁻¹μ: the least Σ (y − xᵀw)² + (w − μ₀)ᵀΣ₀⁻¹(w − μ₀). Never negative.
  double spread() const { return spread_; }

 private:
  Matrix<double> factor_, gram_, product_, inner_;  // L, all of Φ, ΦL, I + LᵀΦL
  Matrix<double> root_, covariance_;
  Vector<double> mean_, moment_, projected_;
  double spread_ = 0;
};

}  // namespace bandolier
