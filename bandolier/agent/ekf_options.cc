#include "bandolier/agent/ekf_options.h"

#include <cmath>

namespace bandolier {

const OptionTable<EkfOptions>& ekf_options() {
  static const OptionTable<EkfOptions> table = [] {
    OptionTable<EkfOptions> rows = {
        {"model", &EkfOptions::model, "linear, mlp:50, mlp:200x200, mlp:50:tanh or lenet5"},
        {"encoding", &EkfOptions::encoding, "how context and action become the network's input",
         Choices{{"multi-head", "concat", "outer"}}},
        {"covariance", &EkfOptions::covariance,
         "of the belief; block: one block a layer, in the original space only",
         Choices{{"full", "diag", "block", "low-rank"}}},
        {"rank", &EkfOptions::rank,
         "covariance=low-rank: directions of the precision kept beside its diagonal", at_least(1)},
        {"likelihood", &EkfOptions::likelihood, "how a reward arises from a prediction"},
        {"prior_variance", &EkfOptions::prior_variance,
         "of a coordinate; auto: set by the prior predictive variance of a reward", positive(),
         "auto"},
        {"prior_predictive", &EkfOptions::prior_predictive,
         "prior_variance=auto: that variance, in units of the noise variance", positive()},
        {"noise_variance", &EkfOptions::noise_variance, "of a reward; auto: inferred", positive(),
         "auto"},
        {"noise_a0", &EkfOptions::noise_a0,
         "noise_variance=auto: inverse gamma shape before any reward", positive()},
        {"noise_b0", &EkfOptions::noise_b0,
         "noise_variance=auto: inverse gamma scale, in units of the rewards' variance", positive()},
        {"process_noise", &EkfOptions::process_noise,
         "variance that a coordinate gains with every reward", non_negative()},
        {"forgetting", &EkfOptions::forgetting,
         "what old evidence counts after every further reward", above_up_to(0, 1)},
        {"reward_unit", &EkfOptions::reward_unit,
         "rewards are divided by it; auto: their spread, or 1 where noise_variance is a number",
         positive(), "auto"},
        {"offset", &EkfOptions::offset,
         "initial weights: random, or trained on the warm-up; auto: sgd for basis=svd, else random",
         Choices{{"auto", "random", "sgd"}}},
        {"filter_warmup", &EkfOptions::filter_warmup,
         "whether the filter learns from the warm-up rewards too"},
        {"centre", &EkfOptions::centre,
         "subtract what the offset predicts; auto: where the offset is random",
         Choices{{"auto", "true", "false"}}}};
    rows.include(policy_options());
    rows.include(training_options());
    return rows;
  }();
  return table;
}

const OptionTable<SubspaceEkfOptions>& subspace_ekf_options() {
  static const OptionTable<SubspaceEkfOptions> table = [] {
    OptionTable<SubspaceEkfOptions> rows = {
        {"basis", &SubspaceEkfOptions::basis, "the subspace's directions"},
        {"precision", &SubspaceEkfOptions::precision,
         "in which basis=gaussian and svd are stored; arithmetic is in float"},
        {"dim", &SubspaceEkfOptions::dim,
         "of the subspace; below 1, for svd: the share of the iterates' variance to explain",
         positive(), "auto"},
        {"thinning", &SubspaceEkfOptions::thinning,
         "svd: every how many-th iterate of training is kept", at_least(1)},
        {"head", &SubspaceEkfOptions::head,
         "full: the last layer's weights as they are, beside the subspace of the rest",
         Choices{{"subspace", "full"}}},
        {"skip", &SubspaceEkfOptions::skip,
         "head=full: feed it from the input and every stage, not the last hidden layer alone"},
        {"joint", &SubspaceEkfOptions::joint,
         "head=full: one covariance of everything, not one block an action and one of the body"}};
    rows.include(ekf_options());
    return rows;
  }();
  return table;
}

void check(const SubspaceEkfOptions& options) {
  if (options.covariance == "block" && options.basis != BasisKind::kIdentity) {
    fail(
        "covariance=block has one block a layer, and a coordinate of basis={} moves all layers: "
        "use "
        "covariance=full or diag, or basis=identity",
        to_word(options.basis));
  }
  if (options.basis == BasisKind::kSvd && options.offset == "random") {
    fail("basis=svd is made from training, so that its offset is trained: leave offset out");
  }
  if (options.precision == BasisPrecision::kHalf && options.basis != BasisKind::kGaussian &&
      options.basis != BasisKind::kSvd) {
    fail("precision=half is for a basis that is stored: use basis=gaussian or svd, not {}",
         to_word(options.basis));
  }
  if (options.likelihood != Likelihood::Family::kGaussian && options.noise_variance) {
    fail("likelihood={} has no noise_variance: leave it out", to_word(options.likelihood));
  }
  if (options.head == "subspace" && (options.skip || options.joint)) {
    fail("skip and joint are for head=full: add head=full, or leave them out");
  }
  if (!options.dim) return;
  const double dim = *options.dim;
  if (options.basis == BasisKind::kIdentity) {
    fail("basis=identity has one dimension a weight: leave dim out");
  }
  if (dim < 1 && options.basis != BasisKind::kSvd) {
    fail("dim={}: a share of variance is for basis=svd: expected a whole number", to_text(dim));
  }
  if (dim >= 1 && dim != std::floor(dim)) {
    fail("dim={}: expected a whole number, or a share of variance below 1", to_text(dim));
  }
}

}  // namespace bandolier
