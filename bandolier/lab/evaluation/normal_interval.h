// Normal intervals of functions of means, by the delta method.
#pragma once

#include "bandolier/lab/evaluation/estimator.h"
#include "bandolier/lab/evaluation/interval.h"

namespace bandolier {

double normal_distribution(double x);  // Φ
double normal_quantile(double p);      // Φ⁻¹, 0 < p < 1; relative error about 1e-13

// g(m) ± Φ⁻¹(½ + level/2) √(∇gᵀ C ∇g), C the covariance of the means m; ∇g by central differences.
// Unbounded where there are fewer than two rows.
Interval normal_interval(const Estimator& estimator, Index choice, const TermMoments& moments,
                         const WeightBounds& weights, double level);

// Of a function of as many means: √(∇gᵀ C ∇g).
double deviation(const Estimator& estimator, Index choice, const TermMoments& moments,
                 const WeightBounds& weights);

}  // namespace bandolier
