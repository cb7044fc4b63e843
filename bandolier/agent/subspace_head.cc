#include "bandolier/agent/subspace_head.h"

namespace bandolier {
namespace {

// d where nothing is asked for: the head holds what a larger body would be needed for.
constexpr Index kDefaultDim = 200;

void require(bool holds, const char* option, const char* expected) {
  if (!holds) fail("{} does not go with head=full: expected {}", option, expected);
}

}  // namespace

BankOptions subspace_head_bank(const SubspaceEkfOptions& options) {
  check(options);
  const bool random_basis =
      options.basis != BasisKind::kSvd && options.basis != BasisKind::kIdentity;
  require(random_basis, "basis=svd or identity", "basis=gaussian, hadamard or rank-one");
  require(options.precision == BasisPrecision::kFloat, "precision=half", "precision=float");
  require(options.offset != "sgd", "offset=sgd", "offset=random");
  require(options.centre != "true", "centre=true", "centre=false");
  require(options.covariance == "full", "another covariance",
          "covariance=full, in blocks (joint=false) or not (joint=true)");
  require(options.likelihood == Likelihood::Family::kGaussian, "another likelihood",
          "likelihood=gaussian");
  require(!options.noise_variance && !options.reward_unit, "noise_variance or reward_unit",
          "both to be left out: they are inferred");
  require(options.process_noise == 0, "process_noise", "forgetting in its place");
  require(options.filter_warmup, "filter_warmup=false", "filter_warmup=true");

  BankOptions bank;
  bank.policy = options;
  bank.encoding = options.encoding;
  const auto dim = static_cast<Index>(options.dim.value_or(kDefaultDim));
  bank.models.push_back({options.model, {options.skip, options.basis, dim}});
  HeadFilterOptions filter;
  filter.noise = {options.noise_a0, options.noise_b0};
  filter.forgetting = options.forgetting;
  filter.joint = options.joint;
  double prior_predictive = options.prior_predictive;
  if (options.prior_variance) {
    filter.prior_variance = *options.prior_variance / filter.noise.mean();
    prior_predictive = 0;
  }
  bank.members.push_back({"filter", 0, prior_predictive, filter});
  return bank;
}

}  // namespace bandolier
