#include "bandolier/agent/linear.h"

#include "bandolier/agent/filter_agent.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/model/encoding.h"
#include "bandolier/model/input_options.h"
#include "bandolier/model/preparation.h"
#include "bandolier/model/reward_options.h"
#include "bandolier/model/reward_unit.h"
#include "bandolier/replay/noise_prior.h"
#include "bandolier/replay/regression_batch.h"
#include "bandolier/replay/regression_scorer.h"

namespace bandolier {
namespace {

struct LinearOptions : PolicyOptions, InputOptions, RewardOptions, NoisePrior {
  LinearOptions() { temperature = 1; }  // classic Thompson sampling

  double lambda = 0.25;  // prior precision of a weight, in units of the noise precision
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
          {"noise_variance", &O::noise_variance,
           "variance of a reward; auto: inferred for each action from (a0, b0)", positive(),
           "auto"},
          {"intercept", &O::intercept, "append a constant 1 to the features"},
          {"soft_clip", &O::soft_clip,
           "features beyond twice their usual size grow by their logarithm only"}}
          .include(noise_prior_options())
          .include(input_options())
          .include(reward_options())
          .include(policy_options());
  return table;
}

// One regression before any reward, rewards in this unit.
NormalInverseGamma<float> prior(const LinearOptions& options, Index dim, const RewardUnit& unit) {
  GaussianFull<float> weights(dim, static_cast<float>(1 / options.lambda));
  if (options.noise_variance) {
    return NormalInverseGamma<float>::with_known_variance(std::move(weights),
                                                          *options.noise_variance);
  }
  return {std::move(weights), options.in(unit)};
}

RewardUnit reward_unit(const LinearOptions& options) {
  return RewardUnit(RewardUnit::Of::kSize,
                    options.reward_unit.value_or(options.noise_variance ? 1 : 0));
}

void require_memory(const ProblemShape& shape) {
  require_available_memory(
      static_cast<double>(shape.actions) * GaussianFull<float>::bytes_needed(shape.features + 1),
      fmt::format("agent 'linear' with {} features and {} actions", shape.features, shape.actions),
      "use fewer features, or auto, which keeps the covariance of the first weights alone",
      static_cast<double>(shape.actions) * GaussianFull<float>::bytes_needed(shape.features));
}

struct LinearScratch final : Scratch {
  PreparedContext prepared;
  Vector<float> x, work;  // dim
  BeliefScratch<float> update;
  RegressionBatchScratch batch;
  std::optional<RegressionScorer> scorer;
  std::optional<RegressionBatchScorer> batch_scorer;
  struct Block {  // of rewards that are learnt at once
    std::vector<Index> actions;
    BatchGroups groups;  // by action
    Matrix<float> x;     // a row per reward, grouped
    BatchUpdate<float> update;
    BatchScratch<float> write;
  };
  Block block;
};

class LinearAgent final : public Agent {
 public:
  LinearAgent(const LinearOptions& options, const ProblemShape& shape)
      : Agent(shape, options, options.reward_offset, filters_of(options)),
        options_(options),
        encoder_(Encoding::kMultiHead, shape),
        preparation_({.soft_clip = options.soft_clip}),
        unit_(reward_unit(options)) {
    reset(shape_to_see(shape, filters_of(options)));
  }

  std::unique_ptr<Agent> clone() const override { return std::make_unique<LinearAgent>(*this); }
  bool takes_weights() const override { return true; }

 private:
  // For contexts of this shape. Throws Error where there is not enough memory.
  void reset(const ProblemShape& seen) {
    require_memory(seen);
    encoder_ = Encoder(Encoding::kMultiHead, seen);
    dim_ = seen.features + (options_.intercept ? 1 : 0);
    regressions_.assign(static_cast<std::size_t>(shape().actions), prior(options_, dim_, unit_));
  }

  void start(std::span<const Experience> experience, Random&) override {
    unit_ = reward_unit(options_);
    unit_.start(rewards_of(experience));
    preparation_.start(experience, seen_shape());
    reset(seen_shape());
    LinearScratch scratch;
    for (const Experience& one : experience) {
      encode(one.context, scratch);
      count(one, update(one, scratch));
    }
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
    return own.scorer.emplace(regressions_, own.x, own.work, unit_.unit());
  }

  BatchScorer* bind_batch(std::span<const Context> contexts, Scratch& scratch) const override {
    auto& own = static_cast<LinearScratch&>(scratch);
    own.batch.x.resize(static_cast<Index>(contexts.size()), dim_);
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      encode(contexts[i], own);
      own.batch.x.row(static_cast<Index>(i)) = own.x.transpose();
    }
    return &own.batch_scorer.emplace(regressions_, own.batch, unit_.unit());
  }

  bool learn(const Experience& experience, bool bound, Random&, Scratch& scratch) override {
    auto& own = static_cast<LinearScratch&>(scratch);
    if (!unit_.plausible(static_cast<double>(experience.reward))) return false;
    if (!bound) encode(experience.context, own);
    const RewardUnit before = unit_;
    const double factor = unit_.add(static_cast<double>(experience.reward));
    if (is_another(before, factor)) rescale(before, factor);
    return update(experience, own);
  }

  // Whether a reward that was taken in has changed what rewards or the noise are measured in.
  bool is_another(const RewardUnit& before, double factor) const {
    return factor != 1 || options_.in(unit_).b != options_.in(before).b;
  }
  void rescale(const RewardUnit& before, double factor) {
    for (auto& regression : regressions_) {
      regression.rescale(factor, options_.in(before), options_.in(unit_));
    }
  }

  bool learns_batches() const override { return true; }

  void learn_batch(std::span<const Experience> rewards, Scratch& scratch,
                   std::span<bool> accepted) override {
    auto& own = static_cast<LinearScratch&>(scratch);
    while (!rewards.empty()) {
      const std::size_t learnt = learn_block(rewards, own, accepted);
      rewards = rewards.subspan(learnt);
      accepted = accepted.subspan(learnt);
    }
  }

  // As many of the first rewards as fit into one block and have the first one's unit; how many. A
  // regression learns from its own alone.
  std::size_t learn_block(std::span<const Experience> rewards, LinearScratch& scratch,
                          std::span<bool> accepted) {
    auto& [actions, groups, x, update, write] = scratch.block;
    actions.clear();
    for (const Experience& one : rewards.first(std::min(rewards.size(), kMostBatch))) {
      actions.push_back(one.action);
    }
    std::size_t count = groups.fit(actions, shape().actions);
    for (std::size_t i = 0; i < count; ++i) {
      const auto y = static_cast<double>(rewards[i].reward);
      accepted[i] = unit_.plausible(y);
      if (!accepted[i]) continue;
      const RewardUnit before = unit_;
      const double factor = unit_.add(y);
      if (!is_another(before, factor)) continue;
      if (i == 0) {
        rescale(before, factor);
      } else {
        unit_ = before;
        count = i;
      }
    }
    actions.resize(count);
    groups.group(actions, shape().actions);
    x.resize(static_cast<Index>(kMostBatch), dim_);
    for (std::size_t i = 0; i < count; ++i) {
      encode(rewards[i].context, scratch);
      x.row(groups.row(i)) = scratch.x.transpose();
    }
    update.start(x.data(), static_cast<Index>(count), dim_);
    for (std::size_t i = 0; i < count; ++i) {
      if (accepted[i]) update.want(groups.row(i));
    }
    for (const auto& [action, rows] : groups.groups()) regression(action).project(update, rows);
    for (std::size_t i = 0; i < count; ++i) {
      accepted[i] = accepted[i] && regression(rewards[i].action)
                                       .update(update, groups.row(i), groups.of(i).rows.end,
                                               unit_.in_units(rewards[i].reward));
    }
    for (const auto& [action, rows] : groups.groups()) {
      regression(action).correct(update, rows, write);
    }
    return count;
  }

  NormalInverseGamma<float>& regression(Index action) {
    return regressions_[static_cast<std::size_t>(action)];
  }

  bool update(const Experience& experience, LinearScratch& scratch) {
    return regression(experience.action)
        .update(scratch.x, unit_.in_units(experience.reward), scratch.update, experience.weight)
        .accepted;
  }

  void describe(AgentReport& report) const override {
    for (const auto& regression : regressions_) report.belief_bytes += regression.bytes();
    report.parameters = static_cast<Index>(regressions_.size()) * dim_;
  }

  void save_state(ArchiveWriter& out) const override {
    preparation_.save(out);
    unit_.save_section(out);
    save_list("regression", regressions_, out);
  }
  void load_state(const ArchiveReader& in) override {
    reset(seen_shape());
    preparation_.load(in, seen_shape());
    unit_.load_section(in);
    load_list("regression", regressions_, in);
  }

  LinearOptions options_;
  Encoder encoder_;
  Index dim_ = 0;
  Preparation preparation_;
  RewardUnit unit_;
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
  static_cast<InputOptions&>(filter) = options;
  static_cast<RewardOptions&>(filter) = options;
  // Rewards are as they are where the noise is given in them.
  if (options.b0 && !options.reward_unit) filter.reward_unit = 1;
  const InverseGamma noise =
      options.in(RewardUnit(RewardUnit::Of::kSize, filter.reward_unit.value_or(1)));
  filter.noise_a0 = noise.a;
  filter.noise_b0 = noise.b;
  filter.prior_variance = options.noise_variance.value_or(noise.mean()) / options.lambda;
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
