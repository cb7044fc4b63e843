#include "bandolier/agent/filter_design.h"

#include <algorithm>
#include <cmath>

#include "bandolier/belief/square_root.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/filter/prior_scale.h"

namespace bandolier {
namespace {

// c of the robust weight c²/(c² + e²): a reward 5 standard deviations off counts half.
constexpr double kRobust = 5;
// d of a body under full heads where nothing is asked for: the heads hold what a larger one would
// be needed for.
constexpr double kBodyDim = 200;
// Prior variance of a weight of the linear member over the noise variance, as in agent `linear`.
constexpr double kLinearVariance = 4;
// Its weight before any reward: it must explain rewards better by 32 nats. Where the rare reward
// is still to be found, a simple model explains all others best, is sure of them too soon, and no
// longer looks.
constexpr double kLinearWeight = 1e-14;
// The nearly linear member: its c, the prior variance of a weight on a hidden unit over that of one
// on an input, and its weight before any reward. It is less sure of what it has not seen than the
// linear one, and 9 nats are enough.
constexpr double kNearLinearPredictive = 30;
constexpr double kNearLinearHidden = 0.03;
constexpr double kNearLinearWeight = 1e-4;

// Checked, and what the inputs settle settled: nothing is gained by hidden units over patches, nor
// by more than one prior, since a wide one fits what little is known of each best.
FilterAgentOptions settled(FilterAgentOptions options, bool patches) {
  check(options);
  if (options.model == "auto") {
    options.model = patches ? "linear" : "mlp:100";
    if (patches) options.linear = options.near_linear = false;
    if (patches && options.prior_predictive.size() > 1) options.prior_predictive.resize(1);
  }
  return options;
}

}  // namespace

FilterDesign::FilterDesign(const FilterAgentOptions& asked, const ProblemShape& shape, bool patches)
    : options_(settled(asked, patches)), fixed_actions_(shape.fixed_actions) {
  const FilterAgentOptions& options = options_;
  models_.emplace_back(options.model, body_sees_products() ? encoding() : Encoding::kConcat, shape);
  if (options.prior_variance) {
    plans_.push_back({"filter", 0, std::nullopt, options.forgetting});
  } else {
    const bool several = options.prior_predictive.size() > 1;
    for (const double c : options.prior_predictive) {
      plans_.push_back({several ? "prior_" + to_text(c) : "filter", 0, c, options.forgetting});
    }
  }
  if (options.tracker < 1) {
    plans_.push_back(
        {"tracker", 0, plans_.front().prior_predictive, options.forgetting * options.tracker});
  }
  if (options.near_linear) {
    const ParameterLayout sizes = head_layout(models_[0], head_options(0));
    const bool inputs_and_units = sizes.hidden > 0 && sizes.hidden + 1 < sizes.features;
    if (inputs_and_units) {
      plans_.push_back({"near_linear", 0, kNearLinearPredictive, options.forgetting,
                        kNearLinearHidden, kNearLinearWeight});
    }
  }
  if (options.linear) {
    models_.emplace_back("linear", encoding(), shape);
    plans_.push_back({"linear", 1, std::nullopt, options.forgetting, 1, kLinearWeight});
  }
  if (has_heads(0)) {
    require_memory(head_layout(models_[0], head_options(0)).body);
  } else if (const auto dim = known_dim(options, models_[0])) {
    if (options.covariance == BeliefKind::kLowRank && options.rank > *dim) {
      fail("rank={}: expected at most {}, the dimensions of the belief", options.rank, *dim);
    }
    require_memory(*dim);
  }
}

Encoding FilterDesign::encoding() const {
  return options_.encoding.value_or(fixed_actions_ ? Encoding::kMultiHead : Encoding::kInteract);
}

// Heads take them as they are: a body finds its own among fewer inputs, which cost every action
// less.
bool FilterDesign::body_sees_products() const {
  return encoding() != Encoding::kInteract || options_.head != HeadKind::kFull || !options_.skip ||
         options_.model == "linear";
}

bool FilterDesign::has_heads(std::size_t predictor) const {
  return predictor > 0 || options_.head == HeadKind::kFull;
}

HeadPredictorOptions FilterDesign::head_options(std::size_t predictor) const {
  if (predictor > 0) return {};
  HeadPredictorOptions options;
  options.skip = options_.skip;
  options.body = options_.body;
  options.units = options_.units;
  if (!body_sees_products()) options.head_encoding = encoding();
  options.basis = options_.basis;
  options.dim = static_cast<Index>(options_.dim.value_or(kBodyDim));
  return options;
}

ParameterBeliefOptions FilterDesign::belief_options(const Plan& plan, double noise) const {
  ParameterBeliefOptions options;
  if (!fixed_actions_) options.effect_variance = options_.action_effect * noise;
  options.hidden_variance = plan.hidden_variance;
  if (plan.predictor > 0) {
    options.head.kind = BeliefKind::kSplit;
    return options;
  }
  options.head = {options_.head_covariance, options_.rank, {}};
  const BeliefKind body = options_.body == BodyKind::kDiagonal  ? BeliefKind::kDiagonal
                          : options_.body == BodyKind::kLowRank ? BeliefKind::kLowRank
                                                                : options_.covariance;
  options.body = {body, options_.rank, {}};
  options.joint = options_.joint;
  if (options_.covariance == BeliefKind::kBlock) {
    for (const AffineLayer& layer : affine_layers(models_[0].network())) {
      options.body.blocks.push_back(layer.parameters());
    }
  }
  return options;
}

void FilterDesign::require_memory(Index body) const {
  // The basis, the offset and a sample's weights.
  double bytes =
      basis_bytes_needed(options_.basis, models_[0].network(), body, options_.precision) +
      2 * sizeof(float) * static_cast<double>(models_[0].parameters());
  double saved = 0;
  double largest = 0;
  for (const Plan& plan : plans_) {
    const ParameterLayout layout =
        has_heads(plan.predictor)
            ? head_layout(models_[plan.predictor], head_options(plan.predictor))
            : ParameterLayout{body, 0, 0};
    ParameterBeliefOptions belief = belief_options(plan, 1);
    bytes += bytes_needed(layout, belief);
    largest = std::max(largest, bytes_needed(layout, belief));
    belief.effect_variance = 0;  // few of their places may be taken
    saved += bytes_needed(layout, belief) / 2;
    if (plan.forgetting == 1) continue;
    bytes += SquareRoot<float>::fold_bytes_needed(
        full_part(belief.body.kind, belief.joint ? layout.size() : layout.body));
    if (belief.joint) continue;
    bytes += SquareRoot<float>::fold_bytes_needed(full_part(belief.head.kind, layout.features));
  }
  if (options_.challenger > 0) bytes += largest;  // it may be of any member's size
  const std::string heads = has_heads(0)
                                ? fmt::format(" and heads over {} features",
                                              head_layout(models_[0], head_options(0)).features)
                                : "";
  require_available_memory(
      bytes,
      fmt::format("basis={}, covariance={} with {} dimensions of {} parameters{}",
                  to_word(options_.basis), to_word(options_.covariance), body,
                  models_[0].parameters(), heads),
      heads.empty() ? "use a smaller dim or model, basis=rank-one, or covariance=diag or low-rank"
                    : "use fewer features or a smaller model, or subspace-ekf with head=subspace, "
                      "whose belief does not grow with them",
      saved);
}

bool FilterDesign::infers_noise() const {
  return options_.likelihood == Likelihood::Family::kGaussian && !options_.noise_variance;
}

RewardUnit FilterDesign::reward_unit() const {
  return RewardUnit(has_heads(0) ? RewardUnit::Of::kSize : RewardUnit::Of::kSpread,
                    options_.reward_unit.value_or(infers_noise() ? 0 : 1));
}

double FilterDesign::noise_variance(double unit) const {
  return options_.noise_variance ? *options_.noise_variance / (unit * unit) : 1;
}

Likelihood FilterDesign::likelihood(double unit) const {
  return Likelihood::make(options_.likelihood, noise_variance(unit));
}

double FilterDesign::prior_variance(std::size_t member, const Predictor& predictor,
                                    double squared_gradient, double unit) const {
  const Plan& plan = plans_[member];
  const double noise = noise_variance(unit);
  if (plan.predictor > 0) return kLinearVariance * noise;
  // From a parameter's variance to P, which is in units of an inferred noise variance.
  const double guess =
      infers_noise() ? InverseGamma{options_.noise_a0, options_.noise_b0}.mean() : 1;
  if (!plan.prior_predictive) return *options_.prior_variance / guess;
  const bool usable = squared_gradient > 0 && std::isfinite(squared_gradient);
  const double asked = usable ? *plan.prior_predictive * noise / squared_gradient : noise;
  const double most = options_.prior_limit * mean_squared_weight(predictor) / guess;
  return most > 0 ? std::min(asked, most) : asked;
}

MixtureMember FilterDesign::make_member(std::size_t member, const Predictor& predictor,
                                        double prior_variance, double unit) const {
  const Plan& plan = plans_[member];
  FilterOptions options;
  options.likelihood = likelihood(unit);
  if (infers_noise()) options.noise = InverseGamma{options_.noise_a0, options_.noise_b0};
  options.forgetting = plan.forgetting;
  options.process_noise = options_.process_noise;
  options.robust = options_.robust ? kRobust : 0;
  options.degrees = options_.degrees;
  ParameterBelief<float> belief(predictor.layout(), predictor.head_means(),
                                static_cast<float>(prior_variance),
                                belief_options(plan, noise_variance(unit)));
  return {plan.name, plan.predictor, Filter<float>(std::move(belief), options), plan.weight};
}

}  // namespace bandolier
