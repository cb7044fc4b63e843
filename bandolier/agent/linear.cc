#include "bandolier/agent/linear.h"

#include <algorithm>

#include "bandolier/core/memory_limit.h"
#include "bandolier/replay/regression_batch.h"
#include "bandolier/replay/regression_scorer.h"

namespace bandolier {
namespace {

struct LinearScratch final : Scratch {
  Vector<float> x;     // dim
  Vector<float> work;  // dim
  std::vector<float> buffer;
  RegressionBatch batch;
};

NormalInverseGamma<float> prior(const LinearOptions& options, Index dim) {
  GaussianFull<float> weights(dim, static_cast<float>(1 / options.lambda));
  if (options.noise_variance) {
    return NormalInverseGamma<float>::with_known_variance(std::move(weights),
                                                          *options.noise_variance);
  }
  return {std::move(weights), InverseGamma{options.a0, options.b0}};
}

const ProblemShape& checked(const ProblemShape& shape) {
  if (!shape.fixed_actions) {
    fail(
        "agent 'linear' keeps one model an action, and this problem's actions change from step to "
        "step: use an agent with encoding=concat or encoding=outer");
  }
  const auto features = static_cast<double>(shape.features);
  require_available_memory(
      sizeof(float) * static_cast<double>(shape.actions) * features * features,
      fmt::format("agent 'linear' with {} features and {} actions", shape.features, shape.actions),
      "use fewer features, or subspace-ekf, whose belief does not grow with them");
  return shape;
}

}  // namespace

const OptionTable<LinearOptions>& linear_options() {
  static const OptionTable<LinearOptions> table = [] {
    OptionTable<LinearOptions> rows = {
        {"lambda", &LinearOptions::lambda,
         "prior precision of a weight, in units of the noise precision", between(1e-12, 1e12)},
        {"a0", &LinearOptions::a0, "prior of the noise variance: inverse gamma shape", positive()},
        {"b0", &LinearOptions::b0, "prior of the noise variance: inverse gamma scale", positive()},
        {"noise_variance", &LinearOptions::noise_variance,
         "variance of a reward; auto: inferred for each action from (a0, b0)", positive(), "auto"},
        {"intercept", &LinearOptions::intercept, "append a constant 1 to the features"},
        {"soft_clip", &LinearOptions::soft_clip,
         "features beyond twice their usual size grow by their logarithm only"}};
    rows.include(policy_options());
    return rows;
  }();
  return table;
}

LinearAgent::LinearAgent(const LinearOptions& options, const ProblemShape& shape)
    : encoder_(Encoding::kMultiHead, checked(shape)),
      dim_(shape.features + (options.intercept ? 1 : 0)),
      policy_(options, shape.actions),
      heads_(static_cast<std::size_t>(shape.actions), prior(options, dim_)) {
  if (options.soft_clip) clip_.emplace();
}

void LinearAgent::encode(const Context& context, Vector<float>& x) const {
  x.resize(dim_);
  x[dim_ - 1] = 1;
  encoder_.encode_dense(context, 0, x.head(encoder_.inputs()));
  if (clip_) clip_->apply(std::span(x.data(), static_cast<std::size_t>(encoder_.inputs())));
}

void LinearAgent::learn(const Experience& experience, Vector<float>& x) {
  encode(experience.context, x);
  auto& head = heads_[static_cast<std::size_t>(experience.action)];
  const bool accepted = head.update(x, experience.reward).accepted;
  ++(accepted ? steps_ : refused_);
  policy_.count(experience.context, experience.action, experience.reward);
}

void LinearAgent::warm_up(std::span<const Experience> experience, Random&) {
  for (const auto& one : experience) check(one, encoder_.shape());
  if (clip_) clip_->start(experience);
  Vector<float> x;
  for (const auto& one : experience) learn(one, x);
}

std::unique_ptr<Scratch> LinearAgent::make_scratch() const {
  return std::make_unique<LinearScratch>();
}

Decision LinearAgent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, encoder_.shape());
  auto& memory = static_cast<LinearScratch&>(scratch);
  encode(context, memory.x);
  RegressionScorer scorer(heads_, memory.x, memory.work);
  return policy_.choose(scorer, context, random, scratch, memory.buffer);
}

void LinearAgent::choose_batch(std::span<const Context> contexts, Random& random, Scratch& scratch,
                               std::span<Index> actions) const {
  check_batch(contexts, actions);
  for (const Context& context : contexts) check(context, encoder_.shape());
  auto& memory = static_cast<LinearScratch&>(scratch);
  for (std::size_t first = 0; first < contexts.size(); first += kBatchRows) {
    const auto some = contexts.subspan(first, std::min(kBatchRows, contexts.size() - first));
    memory.batch.x.resize(static_cast<Index>(some.size()), dim_);
    for (std::size_t i = 0; i < some.size(); ++i) {
      encode(some[i], memory.x);
      memory.batch.x.row(static_cast<Index>(i)) = memory.x.transpose();
    }
    RegressionBatchScorer scorer(heads_, memory.batch);
    policy_.choose_batch(scorer, some, random, static_cast<std::uint32_t>(first),
                         memory.batch.scores, actions.subspan(first, some.size()));
  }
}

void LinearAgent::observe(const Feedback& feedback, Random&, Scratch& scratch) {
  check(feedback, encoder_.shape());
  learn({feedback.context, feedback.action, feedback.reward},
        static_cast<LinearScratch&>(scratch).x);
}

AgentReport LinearAgent::report() const {
  AgentReport report;
  report.belief_bytes = policy_.bytes();
  for (const auto& head : heads_) report.belief_bytes += head.bytes();
  report.parameters = static_cast<Index>(heads_.size()) * dim_;
  report.steps = steps_;
  if (refused_ > 0) {
    report.notes.push_back(
        fmt::format("{} rewards were refused: they would have made the belief infinite", refused_));
  }
  return report;
}

std::unique_ptr<Agent> LinearAgent::clone() const { return std::make_unique<LinearAgent>(*this); }

void LinearAgent::save(ArchiveWriter& out) const {
  out.write("steps", steps_);
  out.write("refused", refused_);
  policy_.save(out);
  if (clip_) clip_->save(out);
  for (const auto& head : heads_) head.save(out);
}

void LinearAgent::load(ArchiveReader& in) {
  steps_ = in.read_integer("steps");
  refused_ = in.read_integer("refused");
  policy_.load(in);
  if (clip_) clip_->load(in);
  for (auto& head : heads_) head.load(in);
}

AgentEntry linear_agent() {
  return {"linear", "one exact Bayesian linear regression an action, noise variance inferred",
          [] { return linear_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            return std::make_unique<LinearAgent>(linear_options().parse("agent 'linear'", texts),
                                                 shape);
          },
          true};
}

}  // namespace bandolier
