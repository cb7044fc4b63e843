// Rewards linear in the context (Riquelme et al. 2018), with dense or sparse weights; and others
// about the same scores that are rare, skewed or heavy-tailed.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/core/words.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

// How action j, of score η = xᵀβⱼ and deviation σⱼ = noise·(j + 1), pays:
//   normal   η + N(0, σⱼ²)
//   rare     1 with probability 1/(1 + exp(4 − 2η)), 7 % over all contexts, else 0
//   skewed   exp(η)·L, L log-normal of mean 1: log L ~ N(−½, 1)
//   heavy    η + σⱼ t₃/√3: Student's t of 3 degrees of freedom, scaled to variance 1
enum class Payoff { kNormal, kRare, kSkewed, kHeavy };
Words words_of(Payoff);

// x ~ N(0, I). βⱼ has `nonzero` entries drawn from U(−1, 1), the rest 0, and is scaled to unit
// norm. β is drawn anew for every trial.
struct LinearProblemOptions {
  std::int64_t features = 10;
  std::int64_t actions = 8;
  double noise = 0.01;
  Payoff payoff = Payoff::kNormal;
};
const OptionTable<LinearProblemOptions>& linear_problem_options();
std::unique_ptr<Environment> make_linear_problem(const LinearProblemOptions& options);

struct SparseLinearOptions {
  std::int64_t features = 10;
  std::int64_t actions = 7;
  std::int64_t nonzero = 3;
  double noise = 0.01;
  Payoff payoff = Payoff::kNormal;
};
const OptionTable<SparseLinearOptions>& sparse_linear_options();
std::unique_ptr<Environment> make_sparse_linear(const SparseLinearOptions& options);

}  // namespace bandolier
