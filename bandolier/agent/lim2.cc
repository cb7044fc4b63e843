#include "bandolier/agent/lim2.h"

#include <algorithm>
#include <numeric>

#include "bandolier/linalg/cholesky.h"
#include "bandolier/replay/likelihood_matching.h"
#include "bandolier/replay/network_regressions.h"
#include "bandolier/replay/regression_scorer.h"
#include "bandolier/replay/trained_network.h"

namespace bandolier {
namespace {

// What a full memory forgets: the oldest row of the same action (the authors' code), or of all
// (Algorithm 4).
enum class Fifo { kPerAction, kShared };
Words words_of(Fifo) {
  static constexpr std::string_view kWords[] = {"per-action", "shared"};
  return kWords;
}

// Over a minibatch: Algorithm 6, or the authors' code.
enum class PgdGradient { kSum, kMean };
Words words_of(PgdGradient) {
  static constexpr std::string_view kWords[] = {"sum", "mean"};
  return kWords;
}

// Defaults: the authors' settings, but for the policy, which is the project's own
// (temperature=pulls). At temperature 1 a regression explores for ever: its posterior rests on the
// rows in the memory alone, and the prior covariance never narrows.
struct Lim2Options : PolicyOptions, OptimiserOptions {
  Lim2Options() {
    optimiser = OptimiserKind::kRmsprop;
    learning_rate = 0.1;
    rate_decay = 0.05;
    gradient_clip = 5;
  }
  std::string model = "mlp:50";
  std::int64_t memory_per_action = 100;  // rows, times the actions
  Fifo fifo = Fifo::kPerAction;
  std::int64_t batch_per_action = 16;  // rows of a minibatch, times the actions
  std::int64_t sgd_steps = 1;          // P1, minibatches per step
  std::int64_t pgd_steps = 1;          // P2, covariance steps per minibatch
  double pgd_rate = 0.01;              // η = pgd_rate / t
  PgdGradient pgd_gradient = PgdGradient::kSum;
  double pgd_floor = 1e-5;  // least eigenvalue of a prior covariance
  double lambda = 1;        // first prior covariance I/λ, in units of the noise
  double a0 = 6, b0 = 6;    // prior of a regression's noise variance: inverse gamma
};

const OptionTable<Lim2Options>& lim2_options() {
  static const OptionTable<Lim2Options> table = [] {
    OptionTable<Lim2Options> rows = {
        {"model", &Lim2Options::model, "the network: mlp:50, mlp:200x200, lenet5, ...",
         Network::check},
        {"memory_per_action", &Lim2Options::memory_per_action,
         "rows of the memory, times the number of actions", between(1, 1e7)},
        {"fifo", &Lim2Options::fifo,
         "what a full memory forgets: the oldest row of the same action, or of all"},
        {"batch_per_action", &Lim2Options::batch_per_action,
         "rows of a minibatch, times the number of actions", between(1, 1e7)},
        {"sgd_steps", &Lim2Options::sgd_steps, "minibatches per step (P1)", at_least(1)},
        {"pgd_steps", &Lim2Options::pgd_steps,
         "steps of the prior covariances after a minibatch (P2)", at_least(1)},
        {"pgd_rate", &Lim2Options::pgd_rate,
         "length of such a step at the first reward; divided by t at the t-th", positive()},
        {"pgd_gradient", &Lim2Options::pgd_gradient,
         "the gradient of such a step: sum over the minibatch, or mean"},
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

TrainingOptions one_step(const OptimiserOptions& optimiser) {
  TrainingOptions options;
  static_cast<OptimiserOptions&>(options) = optimiser;
  options.epochs = 1;
  return options;
}

struct Lim2Scratch final : Scratch {
  ModelScratch<float> model;
  Vector<float> x, work;
  std::optional<RegressionScorer> scorer;

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

class Lim2Agent final : public Agent {
 public:
  Lim2Agent(const Lim2Options& options, const ProblemShape& shape)
      : Agent(shape, options),
        options_(options),
        training_(one_step(options)),
        network_(options.model, Encoding::kMultiHead, shape,
                 options.memory_per_action * shape.actions, options.fifo == Fifo::kPerAction),
        optimiser_(options, network_.network().parameters()),
        regressions_(network_.network(), options.lambda, {options.a0, options.b0}),
        covariances_(
            static_cast<std::size_t>(shape.actions),
            Matrix<double>::Identity(regressions_.dim(), regressions_.dim()) / options.lambda) {}

  std::unique_ptr<Agent> clone() const override { return std::make_unique<Lim2Agent>(*this); }

 private:
  void start(std::span<const Experience> experience, Random& random) override {
    network_.initialise(random);
    Lim2Scratch scratch;
    for (const Experience& one : experience) count(one, learn(one, false, random, scratch));
  }

  std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Lim2Scratch>(); }

  Scorer& bind(const Context& context, Random&, Scratch& scratch) const override {
    auto& own = static_cast<Lim2Scratch&>(scratch);
    network_.model().predict<float>(network_.parameters(), context, own.model);
    regressions_.features(own.model.network, 0, own.x);
    return own.scorer.emplace(regressions_.all(), own.x, own.work);
  }

  bool learn(const Experience& experience, bool, Random& random, Scratch& scratch) override {
    auto& own = static_cast<Lim2Scratch&>(scratch);
    network_.remember(experience);
    for (std::int64_t i = 0; i < options_.sgd_steps; ++i) {
      update_network_and_covariances(random, own);
    }
    update_priors(own);
    own.refit.order.reserve(static_cast<std::size_t>(network_.memory().capacity()));
    regressions_.refit(network_.network(), network_.parameters(), network_.memory().rows(),
                       own.priors, own.refit);
    return true;
  }

  // Algorithm 5: one minibatch for the network, one matching for each prior covariance.
  void update_network_and_covariances(Random& random, Lim2Scratch& work) {
    const TrainingSet stored = network_.memory().rows();
    const auto actions = covariances_.size();
    const auto size = stored.outputs.size();
    const auto batch =
        std::min(size, static_cast<std::size_t>(options_.batch_per_action) * actions);

    // A minibatch without replacement (the first of a shuffle), then in order of its actions.
    auto& rows = work.rows;
    rows.reserve(static_cast<std::size_t>(network_.memory().capacity()));
    rows.resize(size);
    std::iota(rows.begin(), rows.end(), Index{0});
    shuffle_first(rows, batch, random);
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
    work.old_features.resize(count, regressions_.dim());
    regressions_.features(work.training.network, work.old_features);
    const Matrix<float>& outputs =
        network_.network().forward_from<float>(0, network_.parameters(), work.training.network);
    if (!outputs.allFinite()) return;  // the next training puts good weights back
    work.features.resize(count, regressions_.dim());
    work.variances.resize(count);
    work.matching.reserve(count, regressions_.dim());
    regressions_.features(work.training.network, work.features);

    MatchingOptions matching;
    matching.steps = options_.pgd_steps;
    matching.rate = options_.pgd_rate / static_cast<double>(network_.steps());
    matching.mean = options_.pgd_gradient == PgdGradient::kMean;
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

  // μ₀ = the network's last layer, Σ₀⁻¹ from the covariances.
  void update_priors(Lim2Scratch& work) {
    const Layer& last = network_.network().layers().back();
    const Index width = regressions_.dim() - 1;
    const auto parameters = network_.parameters();  // a view: it must outlive its segment
    const auto layer = parameters.segment(last.offset, last.parameters);
    work.priors.resize(covariances_.size());
    for (std::size_t action = 0; action < covariances_.size(); ++action) {
      RegressionPrior& prior = work.priors[action];
      const auto row = static_cast<Index>(action);
      prior.mean.resize(regressions_.dim());
      prior.mean.head(width) = layer.segment(row * width, width).cast<double>();
      prior.mean[width] = static_cast<double>(layer[last.outputs * width + row]);
      prior.noise = regressions_.prior().noise;
      // Σ₀ = LLᵀ, Σ₀⁻¹ = L⁻ᵀL⁻¹.
      work.factor = covariances_[action];
      factor_cholesky(work.factor);
      prior.precision.setIdentity(regressions_.dim(), regressions_.dim());
      work.factor.triangularView<Eigen::Lower>().solveInPlace(prior.precision);
      work.factor.transpose().triangularView<Eigen::Upper>().solveInPlace(prior.precision);
    }
  }

  void describe(AgentReport& report) const override {
    report.belief_bytes += network_.bytes() + optimiser_.bytes() + regressions_.bytes();
    for (const auto& covariance : covariances_) {
      report.belief_bytes += static_cast<std::size_t>(covariance.size()) * sizeof(double);
    }
    report.parameters = network_.network().parameters();
    network_.add_notes(report.notes);
    regressions_.add_notes(report.notes);
  }

  void save_state(ArchiveWriter& out) const override {
    network_.save(out);
    {
      const auto section = out.section("optimiser");
      optimiser_.save(out);
    }
    for (std::size_t i = 0; i < covariances_.size(); ++i) {
      const auto section = out.section("covariance", i);
      out.write("values", covariances_[i]);
    }
    regressions_.save(out);
  }
  void load_state(const ArchiveReader& in) override {
    network_.load(in);
    optimiser_.load(in.section("optimiser"));
    for (std::size_t i = 0; i < covariances_.size(); ++i) {
      in.section("covariance", i).read_into("values", covariances_[i]);
    }
    regressions_.load(in);
  }

  Lim2Options options_;
  TrainingOptions training_;  // one full-batch step on the minibatch
  TrainedNetwork network_;
  Optimiser optimiser_;
  NetworkRegressions regressions_;
  std::vector<Matrix<double>> covariances_;  // Σ₀ of each regression
};

}  // namespace

AgentEntry lim2_agent() {
  return agent_entry<Lim2Agent>("lim2", "neural-linear with limited memory and likelihood matching",
                                lim2_options, true);
}

}  // namespace bandolier
