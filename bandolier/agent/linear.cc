#include "bandolier/agent/linear.h"

#include "bandolier/agent/filter_agent.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/model/encoding.h"
#include "bandolier/model/preparation.h"
#include "bandolier/replay/regression_batch.h"
#include "bandolier/replay/regression_scorer.h"

namespace bandolier {
namespace {

struct LinearOptions : PolicyOptions {
  LinearOptions() { temperature = 1; }  // classic Thompson sampling

  double lambda = 0.25;  // prior precision of a weight, in units of the noise precision
  double a0 = 6;         // prior of the noise variance: inverse gamma (a0, b0), in squared
  double b0 = 6;         // reward units
  std::optional<double> noise_variance;  // nothing: inferred, one per action
  bool intercept = true;
  bool soft_clip = false;
};

const OptionTable<LinearOptions>& linear_options() {
  using O = LinearOptions;
  static const OptionTable<O> table =
      OptionTable<O>{
          {"lambda", &O::lambda, "prior precision of a weight, in units of the noise precision",
           between(1e-12, 1e12)},
          {"a0", &O::a0, "prior of the noise variance: inverse gamma shape", positive()},
          {"b0", &O::b0, "prior of the noise variance: inverse gamma scale", positive()},
          {"noise_variance", &O::noise_variance,
           "variance of a reward; auto: inferred for each action from (a0, b0)", positive(),
           "auto"},
          {"intercept", &O::intercept, "append a constant 1 to the features"},
          {"soft_clip", &O::soft_clip,
           "features beyond twice their usual size grow by their logarithm only"}}
          .include(policy_options());
  return table;
}

NormalInverseGamma<float> prior(const LinearOptions& options, Index dim) {
  GaussianFull<float> weights(dim, static_cast<float>(1 / options.lambda));
  if (options.noise_variance) {
    return NormalInverseGamma<float>::with_known_variance(std::move(weights),
                                                          *options.noise_variance);
  }
  return {std::move(weights), InverseGamma{options.a0, options.b0}};
}

// Throws Error where there is not enough memory.
const ProblemShape& checked(const ProblemShape& shape) {
  require_available_memory(
      static_cast<double>(shape.actions) * GaussianFull<float>::bytes_needed(shape.features + 1),
      fmt::format("agent 'linear' with {} features and {} actions", shape.features, shape.actions),
      "use fewer features, or auto, which keeps the covariance of the first weights alone",
      static_cast<double>(shape.actions) * GaussianFull<float>::bytes_needed(shape.features));
  return shape;
}

struct LinearScratch final : Scratch {
  PreparedContext prepared;
  Vector<float> x, work;  // dim
  BeliefScratch<float> update;
  RegressionBatchScratch batch;
  std::optional<RegressionScorer> scorer;
  std::optional<RegressionBatchScorer> batch_scorer;
};

class LinearAgent final : public Agent {
 public:
  LinearAgent(const LinearOptions& options, const ProblemShape& shape)
      : Agent(checked(shape), options),
        encoder_(Encoding::kMultiHead, shape),
        dim_(shape.features + (options.intercept ? 1 : 0)),
        preparation_({.soft_clip = options.soft_clip}),
        regressions_(static_cast<std::size_t>(shape.actions), prior(options, dim_)) {}

  std::unique_ptr<Agent> clone() const override { return std::make_unique<LinearAgent>(*this); }

 private:
  void start(std::span<const Experience> experience, Random& random) override {
    preparation_.start(experience, shape());
    LinearScratch scratch;
    for (const Experience& one : experience) count(one, learn(one, false, random, scratch));
  }

  std::unique_ptr<Scratch> new_scratch() const override {
    return std::make_unique<LinearScratch>();
  }

  // x = (s, 1): the context's features and the intercept's constant.
  void encode(const Context& context, LinearScratch& scratch) const {
    scratch.x.resize(dim_);
    scratch.x[dim_ - 1] = 1;
    encoder_.encode_dense(preparation_.apply(context, false, scratch.prepared), 0,
                          scratch.x.head(encoder_.inputs()));
  }

  Scorer& bind(const Context& context, Random&, Scratch& scratch) const override {
    auto& own = static_cast<LinearScratch&>(scratch);
    encode(context, own);
    return own.scorer.emplace(regressions_, own.x, own.work);
  }

  BatchScorer* bind_batch(std::span<const Context> contexts, Scratch& scratch) const override {
    auto& own = static_cast<LinearScratch&>(scratch);
    own.batch.x.resize(static_cast<Index>(contexts.size()), dim_);
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      encode(contexts[i], own);
      own.batch.x.row(static_cast<Index>(i)) = own.x.transpose();
    }
    return &own.batch_scorer.emplace(regressions_, own.batch);
  }

  bool learn(const Experience& experience, bool bound, Random&, Scratch& scratch) override {
    auto& own = static_cast<LinearScratch&>(scratch);
    if (!bound) encode(experience.context, own);
    return regressions_[static_cast<std::size_t>(experience.action)]
        .update(own.x, experience.reward, own.update)
        .accepted;
  }

  void describe(AgentReport& report) const override {
    for (const auto& regression : regressions_) report.belief_bytes += regression.bytes();
    report.parameters = static_cast<Index>(regressions_.size()) * dim_;
  }

  void save_state(ArchiveWriter& out) const override {
    preparation_.save(out);
    save_list("regression", regressions_, out);
  }
  void load_state(const ArchiveReader& in) override {
    preparation_.load(in, shape());
    load_list("regression", regressions_, in);
  }

  Encoder encoder_;
  Index dim_;
  Preparation preparation_;
  std::vector<NormalInverseGamma<float>> regressions_;  // one per action
};

// Where actions change: one regression over (a, s, vec(a sᵀ), 1) for all of them, and an effect of
// each id beside it: a filter over a linear model, with the same prior of weights and noise.
FilterAgentOptions of_changing_actions(const LinearOptions& options) {
  if (!options.intercept) {
    fail("intercept=false is for actions that stay the same: leave it out where they change");
  }
  FilterAgentOptions filter;
  static_cast<PolicyOptions&>(filter) = options;
  filter.model = "linear";
  filter.head = HeadKind::kFull;
  filter.soft_clip = options.soft_clip;
  filter.noise_variance = options.noise_variance;
  filter.noise_a0 = options.a0;
  filter.noise_b0 = options.b0;
  filter.prior_variance =
      options.noise_variance.value_or(InverseGamma{options.a0, options.b0}.mean()) / options.lambda;
  filter.reward_unit = 1;
  return filter;
}

std::unique_ptr<Agent> make_linear(const OptionTexts& texts, const ProblemShape& shape) {
  const LinearOptions options = linear_options().parse("agent 'linear'", texts);
  if (shape.fixed_actions) return std::make_unique<LinearAgent>(options, shape);
  return std::make_unique<FilterAgent>(of_changing_actions(options), shape);
}

}  // namespace

AgentEntry linear_agent() {
  return {"linear", "exact Bayesian linear regression: one per action, noise variance inferred",
          [] { return linear_options().docs(); }, make_linear, true};
}

}  // namespace bandolier
