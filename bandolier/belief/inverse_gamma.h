// What is known of a Gaussian's unknown noise variance: σ² ~ IG(a, b), of density
// ∝ σ^(−2(a+1)) exp(−b/σ²). It goes with a Gaussian belief about weights whose covariance is kept
// in units of σ² (normal-inverse-gamma; appendix A.1.2, West and Harrison 1997, section 4.6).
#pragma once

#include <limits>

#include "bandolier/core/archive.h"
#include "bandolier/core/random.h"

namespace bandolier {

struct InverseGamma {
  double a = 6;
  double b = 6;

  // E σ² = b/(a − 1) where it exists (a > 1), else 1/E σ⁻² = b/a.
  double mean() const { return b / (a > 1 ? a - 1 : a); }

  double sample(Random& random) const { return random.inverse_gamma(a, b); }

  // One reward with error e = y − η, whose predictor had the variance q·σ², and whose likelihood
  // counts `weight` times (noise of variance σ²/w): a ← a + w/2, b ← b + w e²/(2(1 + wq)).
  void update(double error, double q, double weight = 1);

  // Old evidence counts γ times what it did: (a, b) ← prior + γ((a, b) − prior).
  void forget(double gamma, const InverseGamma& prior);

  // log p(e): e/√(s b/a) is Student-t with 2a degrees of freedom; with `most` of them at most, its
  // tails stay heavy however much is known of the variance.
  double log_predictive(double error, double s,
                        double most = std::numeric_limits<double>::infinity()) const;

  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);
};

}  // namespace bandolier
