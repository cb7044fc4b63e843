// The textbook filter that tests hold beliefs against: a dense covariance in double, Joseph's form,
// and a mask for what a belief of that structure keeps.
#pragma once

#include "bandolier/core/types.h"

namespace bandolier::testing {

struct ReferenceFilter {
  Vector<double> mean;
  Matrix<double> p;
  Matrix<double> mask;  // 1 where the covariance is kept, else 0
  Matrix<double> prior = p;

  // l = e/R and V = 1/R: P ← (I − Kgᵀ)P(I − Kgᵀ)ᵀ + KRKᵀ. Needs V > 0.
  void update(const Vector<double>& g, double slope, double curvature);
  void add_process_noise(double q);
  void forget(double gamma);  // P⁻¹ ← γP⁻¹ + (1 − γ)P₀⁻¹
};

}  // namespace bandolier::testing
