#include "bandolier/agent/filter_agent_options.h"

namespace bandolier {

Words words_of(HeadKind) {
  static constexpr std::string_view kWords[] = {"subspace", "full"};
  return kWords;
}

const OptionTable<FilterAgentOptions>& filter_agent_options() {
  using O = FilterAgentOptions;
  static const OptionTable<O> table = [] {
    OptionTable<O> rows = {
        {"model", &O::model,
         "the network: linear, mlp:50, mlp:200x200, mlp:50:tanh or lenet5; auto: mlp:100, but on "
         "patches linear, with the first of the priors and no further linear member",
         [](const std::string& text) {
           if (text != "auto") Network::check(text);
         }},
        {"encoding", &O::encoding,
         "how context and action become its input; auto: multi-head, or interact where actions "
         "change",
         "auto"},
        {"head", &O::head,
         "full: the last layer's weights as they are, beside the subspace of the rest"},
        {"skip", &O::skip,
         "head=full: feed it from the input and every stage, not the last hidden layer alone"},
        {"body", &O::body,
         "head=full: what is learnt of the layers before it: nothing, a subspace, or all weights "
         "with a diagonal or low-rank covariance"},
        {"units", &O::units,
         "head=full: hidden units that read all inputs or 6 each; auto: sparse where a quarter of "
         "the inputs is binary"},
        {"soft_clip", &O::soft_clip,
         "features beyond twice their usual size grow by their logarithm only"},
        {"centre_image", &O::centre_image,
         "subtract the warm-up's mean image from pixels, for networks without convolutions"},
        {"filter_warmup", &O::filter_warmup,
         "whether the filter learns from the warm-up rewards too"},
        {"covariance", &O::covariance,
         "of the belief; block: one block per layer, in the original space only"},
        {"head_covariance",
         &O::head_covariance,
         "head=full: of each head's weights; split: full, but of more than 1,024 weights for the "
         "first 512 alone, diag for the rest",
         {BeliefKind::kSplit, BeliefKind::kFull, BeliefKind::kDiagonal, BeliefKind::kLowRank}},
        {"joint", &O::joint,
         "head=full: one covariance of everything, not one block per action and one of the body"},
        {"rank", &O::rank,
         "low-rank: directions of the precision that are kept beside its diagonal", at_least(1)},
        {"prior_variance", &O::prior_variance,
         "of a coordinate; auto: set by the prior predictive variance of a reward", positive(),
         "auto"},
        {"prior_predictive", &O::prior_predictive,
         "prior_variance=auto: that variance over the noise variance; one member each", positive()},
        {"action_effect", &O::action_effect,
         "where actions change: prior variance of an action id's own effect over the noise "
         "variance; 0: none",
         non_negative()},
        {"likelihood", &O::likelihood, "how a reward arises from a prediction"},
        {"noise_variance", &O::noise_variance, "of a reward; auto: inferred", positive(), "auto"},
        {"noise_a0", &O::noise_a0, "noise_variance=auto: inverse gamma shape before any reward",
         positive()},
        {"noise_b0", &O::noise_b0,
         "noise_variance=auto: inverse gamma scale, in squares of the rewards' unit", positive()},
        {"process_noise", &O::process_noise, "variance that a coordinate gains with every reward",
         non_negative()},
        {"forgetting", &O::forgetting, "what old evidence counts after every further reward",
         above_up_to(0, 1)},
        {"robust", &O::robust, "weigh down rewards far from anything expected"},
        {"tracker", &O::tracker,
         "one more member that follows changes: what old evidence counts for it; 1: none",
         above_up_to(0, 1)},
        {"challenger", &O::challenger,
         "one more member that begins anew after so many rewards, and leads where the world has "
         "changed; 0: none",
         non_negative()},
        {"linear", &O::linear, "one more member that is the linear model"},
        {"near_linear", &O::near_linear,
         "head=full, skip=true: one more member that expects little of hidden units"},
        {"degrees", &O::degrees,
         "members are weighed by a Student-t with at most so many degrees of freedom", positive()},
        {"share", &O::share,
         "part of the weight that is dealt out anew to all members after each reward",
         between(0, 1)}};
    rows.include(automatic_input_options());
    rows.include(reward_options());
    rows.include(subspace_options());
    rows.include(policy_options());
    return rows;
  }();
  return table;
}

const OptionTable<FilterAgentOptions>& original_space_options() {
  using O = FilterAgentOptions;
  static const OptionTable<O> table = [] {
    OptionTable<O> rows = {{"prior_limit", &O::prior_limit,
                            "prior_variance=auto: at most this times the mean square of the first "
                            "weights; 0: no limit",
                            non_negative()}};
    rows.include(filter_agent_options().without({"head", "skip", "body", "units", "near_linear",
                                                 "basis", "precision", "dim", "thinning",
                                                 "head_covariance", "joint"}));
    return rows;
  }();
  return table;
}

void check(const FilterAgentOptions& options) {
  check(static_cast<const SubspaceOptions&>(options));
  if (options.likelihood != Likelihood::Family::kGaussian &&
      (options.noise_variance || options.reward_unit || options.reward_offset)) {
    fail("likelihood={} has no noise_variance and sees rewards as they are: leave {} out",
         to_word(options.likelihood),
         options.noise_variance ? "noise_variance"
         : options.reward_unit  ? "reward_unit"
                                : "reward_offset");
  }
  const bool original = options.basis == BasisKind::kIdentity;
  if (options.covariance == BeliefKind::kBlock && (!original || options.head == HeadKind::kFull)) {
    fail(
        "covariance=block has one block per layer, and a coordinate of basis={} moves all layers: "
        "use covariance=full or diag, or basis=identity",
        to_word(options.basis));
  }
  if (options.head == HeadKind::kSubspace) {
    const bool asked = options.head_covariance != BeliefKind::kSplit &&
                       options.head_covariance != BeliefKind::kFull;
    if (options.skip || options.near_linear || options.joint || asked ||
        options.body != BodyKind::kSubspace || options.units != UnitKind::kDense) {
      fail(
          "skip, near_linear, body, units, joint and head_covariance are for head=full: add "
          "head=full, or leave them out");
    }
    return;
  }
  const auto require = [](bool holds, const char* option, const char* expected) {
    if (!holds) fail("{} does not go with head=full: expected {}", option, expected);
  };
  require(!original && options.basis != BasisKind::kSvd, "basis=svd or identity",
          "basis=gaussian, hadamard or rank-one");
  require(options.precision == BasisPrecision::kFloat, "precision=half", "precision=float");
  require(options.offset != OffsetKind::kSgd, "offset=sgd", "offset=random");
  require(options.centre != CentreKind::kTrue, "centre=true", "centre=false");
}

}  // namespace bandolier
