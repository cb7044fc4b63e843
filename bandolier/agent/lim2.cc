#include "bandolier/agent/lim2.h"

#include <algorithm>
#include <numeric>

#include "bandolier/replay/regression_scorer.h"
#include "bandolier/linalg/cholesky.h"

namespace bandolier {
namespace {

TrainingOptions one_step(const OptimiserOptions& optimiser) {
  TrainingOptions options;
  static_cast<OptimiserOptions&>(options) = optimiser;
  options.epochs = 1;
  return options;
}

}  // namespace

struct Lim2Agent::Work final : Scratch {
  ModelScratch<float> model;
  Vector<float> x, work;
  std::vector<float> buffer;

  // The minibatch, in order of its actions.
  std::vector<Index> rows;
  Matrix<float> inputs;
  std::vector<Index> outputs;
  std::vector<float> targets;
  TrainingScratch training;
  Matrix<double> old_features, features;
  Vector<double> variances;
  LikelihoodMatching matching;

  std::vector<RegressionPrior> priors;
  Matrix<double> factor;
  NetworkRegressions::Scratch refit;
};

const OptionTable<Lim2Options>& lim2_options() {
  static const OptionTable<Lim2Options> table = [] {
    OptionTable<Lim2Options> rows = {
        {"model", &Lim2Options::model, "the network: mlp:50, mlp:200x200, lenet5, ..."},
        {"memory_per_action", &Lim2Options::memory_per_action,
         "rows of the memory, times the number of actions", between(1, 1e7)},
        {"fifo", &Lim2Options::fifo,
         "what a full memory forgets: the oldest row of the same action, or of all",
         Choices{{"per-action", "shared"}}},
        {"batch_per_action", &Lim2Options::batch_per_action,
         "rows of a minibatch, times the number of actions", between(1, 1e7)},
        {"sgd_steps", &Lim2Options::sgd_steps, "minibatches a step (P1)", at_least(1)},
        {"pgd_steps", &Lim2Options::pgd_steps,
         "steps of the prior covariances after a minibatch (P2)", at_least(1)},
        {"pgd_rate", &Lim2Options::pgd_rate,
         "length of such a step at the first reward; divided by t at the t-th", positive()},
        {"pgd_gradient", &Lim2Options::pgd_gradient,
         "the gradient of such a step: sum over the minibatch, or mean", Choices{{"sum", "mean"}}},
        {"pgd_floor", &Lim2Options::pgd_floor, "least eigenvalue of a prior covariance",
         positive()},
        {"lambda", &Lim2Options::lambda,
         "first prior precision of a head's weight, in units of the noise precision",
         between(1e-12, 1e12)},
        {"a0", &Lim2Options::a0, "prior of a head's noise variance: inverse gamma shape",
         positive()},
        {"b0", &Lim2Options::b0, "prior of a head's noise variance: inverse gamma scale",
         positive()}};
    rows.include(optimiser_options());
    rows.include(policy_options());
    return rows;
  }();
  return table;
}

Lim2Agent::Lim2Agent(const Lim2Options& options, const ProblemShape& shape)
    : options_(options),
      training_(one_step(options)),
      network_(options.model, Encoding::kMultiHead, shape,
               options.memory_per_action * shape.actions, options.fifo == "per-action"),
      optimiser_(options, network_.network().parameters()),
      heads_(network_.network(), options.lambda, {options.a0, options.b0}),
      covariances_(static_cast<std::size_t>(shape.actions),
                   Matrix<double>::Identity(heads_.dim(), heads_.dim()) / options.lambda),
      policy_(options, shape.actions) {}

void Lim2Agent::warm_up(std::span<const Experience> experience, Random& random) {
  for (const auto& one : experience) check(one, network_.encoder().shape());
  network_.initialise(random);
  Work work;
  for (const auto& one : experience) learn(one, random, work);
}

std::unique_ptr<Scratch> Lim2Agent::make_scratch() const { return std::make_unique<Work>(); }

Decision Lim2Agent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, network_.encoder().shape());
  auto& memory = static_cast<Work&>(scratch);
  network_.model().predict<float>(network_.parameters(), context, memory.model);
  heads_.features(memory.model.network, 0, memory.x);
  RegressionScorer scorer(heads_.heads(), memory.x, memory.work);
  return policy_.choose(scorer, context, random, scratch, memory.buffer);
}

void Lim2Agent::observe(const Feedback& feedback, Random& random, Scratch& scratch) {
  check(feedback, network_.encoder().shape());
  learn({feedback.context, feedback.action, feedback.reward}, random, static_cast<Work&>(scratch));
}

void Lim2Agent::learn(const Experience& experience, Random& random, Work& work) {
  network_.remember(experience.context, experience.action, experience.reward);
  policy_.count(experience.context, experience.action, experience.reward);
  for (std::int64_t i = 0; i < options_.sgd_steps; ++i) {
    update_network_and_covariances(random, work);
  }
  update_priors(work);
  work.refit.order.reserve(static_cast<std::size_t>(network_.memory().capacity()));
  heads_.refit(network_.network(), network_.parameters(), network_.memory().rows(), work.priors,
               work.refit);
}

void Lim2Agent::update_network_and_covariances(Random& random, Work& work) {
  const TrainingSet stored = network_.memory().rows();
  const auto actions = covariances_.size();
  const auto size = stored.outputs.size();
  const auto batch = std::min(size, static_cast<std::size_t>(options_.batch_per_action) * actions);

  // A minibatch without replacement (the first of a shuffle), then in order of its actions.
  auto& rows = work.rows;
  rows.reserve(static_cast<std::size_t>(network_.memory().capacity()));
  rows.resize(size);
  std::iota(rows.begin(), rows.end(), Index{0});
  for (std::size_t i = 0; i < batch; ++i) std::swap(rows[i], rows[i + random.below(size - i)]);
  const auto output = [&](Index row) { return stored.outputs[static_cast<std::size_t>(row)]; };
  std::sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(batch),
            [&](Index one, Index other) {
              return std::pair(output(one), one) < std::pair(output(other), other);
            });
  work.inputs.resize(static_cast<Index>(batch), stored.inputs.cols());
  work.outputs.resize(batch);
  work.targets.resize(batch);
  for (std::size_t i = 0; i < batch; ++i) {
    work.inputs.row(static_cast<Index>(i)) = stored.inputs.row(rows[i]);
    work.outputs[i] = output(rows[i]);
    work.targets[i] = stored.targets[static_cast<std::size_t>(rows[i])];
  }

  // The training's own forward pass has left the features as they were before its step.
  const TrainingSet minibatch{work.inputs, work.outputs, work.targets};
  const auto count = static_cast<Index>(batch);
  if (network_.fit(training_, optimiser_, minibatch, random, work.training).diverged) return;
  work.old_features.resize(count, heads_.dim());
  heads_.features(work.training.network, work.old_features);
  const Matrix<float>& outputs =
      network_.network().forward_from<float>(0, network_.parameters(), work.training.network);
  if (!outputs.allFinite()) return;  // the next training puts good weights back
  work.features.resize(count, heads_.dim());
  work.variances.resize(count);
  work.matching.reserve(count, heads_.dim());
  heads_.features(work.training.network, work.features);

  MatchingOptions matching;
  matching.steps = options_.pgd_steps;
  matching.rate = options_.pgd_rate / static_cast<double>(network_.steps());
  matching.mean = options_.pgd_gradient == "mean";
  matching.floor = options_.pgd_floor;
  for (std::size_t begin = 0, end = 0; begin < batch; begin = end) {
    while (end < batch && work.outputs[end] == work.outputs[begin]) ++end;
    const auto first = static_cast<Index>(begin), length = static_cast<Index>(end - begin);
    Matrix<double>& covariance = covariances_[static_cast<std::size_t>(work.outputs[begin])];
    auto variances = work.variances.head(length);
    work.matching.variances(covariance, work.old_features.middleRows(first, length), variances);
    work.matching.match(matching, variances, work.features.middleRows(first, length), covariance);
  }
}

void Lim2Agent::update_priors(Work& work) {
  const Layer& last = network_.network().layers().back();
  const Index width = heads_.dim() - 1;
  const auto parameters = network_.parameters();  // a view: it must outlive its segment
  const auto layer = parameters.segment(last.offset, last.parameters);
  work.priors.resize(covariances_.size());
  for (std::size_t action = 0; action < covariances_.size(); ++action) {
    RegressionPrior& prior = work.priors[action];
    const auto row = static_cast<Index>(action);
    prior.mean.resize(heads_.dim());
    prior.mean.head(width) = layer.segment(row * width, width).cast<double>();
    prior.mean[width] = static_cast<double>(layer[last.outputs * width + row]);
    prior.noise = heads_.prior().noise;
    // Σ₀ = LLᵀ, Σ₀⁻¹ = L⁻ᵀL⁻¹.
    work.factor = covariances_[action];
    factor_cholesky(work.factor);
    prior.precision.setIdentity(heads_.dim(), heads_.dim());
    work.factor.triangularView<Eigen::Lower>().solveInPlace(prior.precision);
    work.factor.transpose().triangularView<Eigen::Upper>().solveInPlace(prior.precision);
  }
}

AgentReport Lim2Agent::report() const {
  AgentReport report;
  report.belief_bytes = network_.bytes();
  report.parameters = network_.network().parameters();
  report.steps = network_.steps();
  report.notes = network_.notes();
  report.belief_bytes += optimiser_.bytes() + heads_.bytes() + policy_.bytes();
  for (const auto& covariance : covariances_) {
    report.belief_bytes += static_cast<std::size_t>(covariance.size()) * sizeof(double);
  }
  for (auto& note : heads_.notes()) report.notes.push_back(std::move(note));
  return report;
}

std::unique_ptr<Agent> Lim2Agent::clone() const { return std::make_unique<Lim2Agent>(*this); }

void Lim2Agent::save(ArchiveWriter& out) const {
  policy_.save(out);
  network_.save(out);
  optimiser_.save(out);
  for (const auto& covariance : covariances_) out.write("covariance", covariance);
  heads_.save(out);
}

void Lim2Agent::load(ArchiveReader& in) {
  policy_.load(in);
  network_.load(in);
  optimiser_.load(in);
  for (auto& covariance : covariances_) in.read_into("covariance", covariance);
  heads_.load(in);
}

AgentEntry lim2_agent() {
  return {"lim2", "neural-linear with limited memory and likelihood matching",
          [] { return lim2_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            return std::make_unique<Lim2Agent>(lim2_options().parse("agent 'lim2'", texts), shape);
          },
          true};
}

}  // namespace bandolier
