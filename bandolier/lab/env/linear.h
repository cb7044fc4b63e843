// Rewards linear in the context (Riquelme et al. 2018), with dense or sparse weights.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

// x ~ N(0, I). Action j pays xᵀβⱼ + N(0, σⱼ²) with σⱼ = noise·(j + 1); βⱼ has `nonzero` entries
// drawn from U(−1, 1), the rest 0, and is scaled to unit norm. β is drawn anew for every trial.
struct LinearProblemOptions {
  std::int64_t features = 10;
  std::int64_t actions = 8;
  double noise = 0.01;
};
const OptionTable<LinearProblemOptions>& linear_problem_options();
std::unique_ptr<Environment> make_linear_problem(const LinearProblemOptions& options);

struct SparseLinearOptions {
  std::int64_t features = 10;
  std::int64_t actions = 7;
  std::int64_t nonzero = 3;
  double noise = 0.01;
};
const OptionTable<SparseLinearOptions>& sparse_linear_options();
std::unique_ptr<Environment> make_sparse_linear(const SparseLinearOptions& options);

}  // namespace bandolier
