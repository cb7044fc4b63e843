#include "bandolier/agent/lim2.h"

#include <algorithm>
#include <cmath>

#include "bandolier/replay/carried_posterior.h"
#include "bandolier/replay/likelihood_matching.h"
#include "bandolier/replay/minibatch.h"
#include "bandolier/replay/network_regressions.h"
#include "bandolier/replay/noise_prior.h"
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

// The covariance that is matched, and gets the memory's evidence: the last posterior (the authors'
// code), or the last prior (Algorithms 4 and 5).
enum class Matching { kPosterior, kPrior };
Words words_of(Matching) {
  static constexpr std::string_view kWords[] = {"posterior", "prior"};
  return kWords;
}

// Defaults: the authors' settings, but for the policy, which is the project's own
// (temperature=pulls), as for neural-linear; the authors sample at temperature 1.
struct Lim2Options : PolicyOptions, OptimiserOptions, RewardOptions, NoisePrior {
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
  Matching matching = Matching::kPosterior;
  double pgd_rate = 0.01;   // η = pgd_rate / t
  double pgd_clip = 5;      // largest norm of a covariance's gradient
  double pgd_floor = 1e-5;  // added to a matched covariance's diagonal
  double lambda = 1;        // first covariance I/λ, in units of the noise
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
        {"pgd_steps", &Lim2Options::pgd_steps, "steps of the covariances after a minibatch (P2)",
         at_least(1)},
        {"matching", &Lim2Options::matching,
         "the covariance that is carried over to new features: a head's posterior, or its prior"},
        {"pgd_rate", &Lim2Options::pgd_rate,
         "length of such a step at the first reward; divided by t at the t-th", positive()},
        {"pgd_clip", &Lim2Options::pgd_clip, "largest norm of such a step's gradient", positive()},
        {"pgd_floor", &Lim2Options::pgd_floor,
         "added to the diagonal of a covariance after its steps", positive()},
        {"lambda", &Lim2Options::lambda,
         "first precision of a head's weight, in units of the noise precision",
         between(1e-12, 1e12)}};
    rows.include(noise_prior_options());
    rows.include(reward_options());
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

  Minibatch minibatch;
  TrainingScratch training;
  Matrix<double> old_features, features;
  Vector<double> variances;
  LikelihoodMatching matching;

  Vector<double> prior_mean;
  CarriedPosterior posterior;
  NetworkRegressions::Scratch refit;
};

class Lim2Agent final : public Agent {
 public:
  Lim2Agent(const Lim2Options& options, const ProblemShape& shape)
      : Agent(shape, options, options.reward_offset),
        options_(options),
        training_(one_step(options)),
        network_(options.model, Encoding::kMultiHead, shape,
                 options.memory_per_action * shape.actions, options.reward_unit,
                 options.fifo == Fifo::kPerAction),
        optimiser_(options, network_.network().parameters()),
        regressions_(network_.network(), options.lambda, options.in(network_.reward_unit())) {
    reset();
  }

  std::unique_ptr<Agent> clone() const override { return std::make_unique<Lim2Agent>(*this); }

 private:
  // All but the network as before any reward.
  void reset() {
    const Index dim = regressions_.dim();
    optimiser_.forget();
    regressions_.start(options_.in(network_.reward_unit()));
    covariances_.assign(static_cast<std::size_t>(shape().actions),
                        Matrix<double>::Identity(dim, dim) / options_.lambda);
    squares_ = Vector<double>::Zero(shape().actions);
  }

  void start(std::span<const Experience> experience, Random& random) override {
    network_.start(experience, random);
    reset();
    Lim2Scratch scratch;
    for (const Experience& one : experience) {
      update(one, random, scratch);
      count(one, true);
    }
  }

  std::unique_ptr<Scratch> new_scratch() const override { return std::make_unique<Lim2Scratch>(); }

  Scorer& bind(const Context& context, Random&, Scratch& scratch) const override {
    auto& own = static_cast<Lim2Scratch&>(scratch);
    network_.model().predict<float>(network_.parameters(), context, own.model);
    regressions_.features(own.model.network, 0, own.x);
    return own.scorer.emplace(regressions_.all(), own.x, own.work, network_.unit());
  }

  bool learn(const Experience& experience, bool, Random& random, Scratch& scratch) override {
    const auto factor = network_.measure(experience.reward);
    if (!factor) return false;
    regressions_.rescale(*factor, options_.in(network_.reward_unit()));
    squares_ *= *factor * *factor;
    update(experience, random, static_cast<Lim2Scratch&>(scratch));
    return true;
  }

  // One reward that the unit knows.
  void update(const Experience& experience, Random& random, Lim2Scratch& scratch) {
    network_.remember(experience);
    for (std::int64_t i = 0; i < options_.sgd_steps; ++i) {
      update_network_and_covariances(random, scratch);
    }
    update_heads(experience, scratch);
  }

  // Algorithm 5: one minibatch for the network, one matching for each covariance.
  void update_network_and_covariances(Random& random, Lim2Scratch& work) {
    const auto batch = static_cast<std::size_t>(options_.batch_per_action) * covariances_.size();
    work.minibatch.draw(network_.memory().rows(), batch, random);
    const TrainingSet rows = work.minibatch.rows();

    // The training's own forward pass has left the features as they were before its step.
    if (network_.fit(training_, optimiser_, rows, random, work.training).diverged) return;
    work.old_features.resize(rows.size(), regressions_.dim());
    regressions_.features(work.training.network, work.old_features);
    const Matrix<float>& outputs =
        network_.network().forward_from<float>(0, network_.parameters(), work.training.network);
    if (!outputs.allFinite()) return;  // the next training puts good weights back
    work.features.resize(rows.size(), regressions_.dim());
    work.variances.resize(rows.size());
    work.matching.reserve(rows.size(), regressions_.dim());
    regressions_.features(work.training.network, work.features);

    MatchingOptions matching;
    matching.steps = options_.pgd_steps;
    matching.rate = options_.pgd_rate / static_cast<double>(network_.steps());
    matching.clip = options_.pgd_clip;
    matching.floor = options_.pgd_floor;
    for (std::size_t begin = 0, end = 0; begin < batch; begin = end) {
      end = work.minibatch.end_of(begin);
      const auto first = static_cast<Index>(begin), length = static_cast<Index>(end - begin);
      Matrix<double>& covariance = covariances_[static_cast<std::size_t>(rows.outputs[begin])];
      auto variances = work.variances.head(length);
      work.matching.variances(covariance, work.old_features.middleRows(first, length), variances);
      work.matching.match(matching, variances, work.features.middleRows(first, length), covariance);
    }
  }

  // Of every head Σ = (Σ₀⁻¹ + Φ)⁻¹, Σ₀ the matched covariance and Φ the memory's evidence at the
  // new features. Of the played action (Algorithm 4: of every action) besides, with μ₀ the
  // network's own last layer and ψ, R², N of the memory:
  //   μ = Σ(Σ₀⁻¹μ₀ + ψ),   b = b₀ + ½ (R² + μ₀ᵀΣ₀⁻¹μ₀ − μᵀΣ⁻¹μ),   a = a₀ + N/2.
  // Where posteriors are matched, N and R² of a and b are of all rewards ever seen, and Σ is the
  // next step's covariance to match.
  void update_heads(const Experience& experience, Lim2Scratch& work) {
    const TrainingSet stored = network_.memory().rows();
    const bool carried = options_.matching == Matching::kPosterior;
    const RegressionStatistics& memory = work.refit.statistics;
    const InverseGamma& prior = regressions_.prior().noise;
    squares_[experience.action] +=
        std::pow(static_cast<double>(network_.in_units(experience.reward)), 2);
    work.refit.order.reserve(static_cast<std::size_t>(network_.memory().capacity()));
    regressions_.begin(network_.network(), stored, work.refit);
    for (Index action = 0; action < squares_.size(); ++action) {
      Matrix<double>& covariance = covariances_[static_cast<std::size_t>(action)];
      regressions_.gather(network_.network(), network_.parameters(), stored, action, work.refit);
      if (!work.posterior.compute_covariance(covariance, memory)) {
        regressions_.refuse();
        continue;
      }
      if (carried) covariance = work.posterior.covariance();
      if (carried && action != experience.action) {
        regressions_.assign_root(action, work.posterior.root(), work.refit);
        continue;
      }
      find_prior_mean(action, work.prior_mean);
      if (!work.posterior.compute_mean(work.prior_mean, memory)) {
        regressions_.refuse();
        continue;
      }
      const auto& head = regressions_.all()[static_cast<std::size_t>(action)];
      InverseGamma noise{prior.a + memory.count / 2, prior.b + work.posterior.spread() / 2};
      if (carried) {
        noise.a = head.noise().a + 0.5;
        noise.b += std::max(0.0, squares_[action] - memory.squares) / 2;
      }
      regressions_.assign(action, work.posterior.mean(), work.posterior.root(), noise, work.refit);
    }
  }

  // The network's last layer: an action's weights, then its bias.
  void find_prior_mean(Index action, Vector<double>& mean) const {
    const Layer& last = network_.network().layers().back();
    const Index width = regressions_.dim() - 1;
    const Vector<float>& parameters = network_.parameters();
    const auto layer = parameters.segment(last.offset, last.parameters);
    mean.resize(regressions_.dim());
    mean.head(width) = layer.segment(action * width, width).cast<double>();
    mean[width] = static_cast<double>(layer[last.outputs * width + action]);
  }

  void describe(AgentReport& report) const override {
    report.belief_bytes += network_.bytes() + optimiser_.bytes() + regressions_.bytes() +
                           static_cast<std::size_t>(squares_.size()) * sizeof(double);
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
    out.write("squares", squares_);
    regressions_.save(out);
  }
  void load_state(const ArchiveReader& in) override {
    network_.load(in);
    optimiser_.load(in.section("optimiser"));
    for (std::size_t i = 0; i < covariances_.size(); ++i) {
      const ArchiveReader section = in.section("covariance", i);
      section.read_into("values", covariances_[i], {-1e30, 1e30});
      if (const double least = covariances_[i].diagonal().minCoeff(); !(least > 0)) {
        fail("{} has a variance of {}: expected more than 0", section.where("values"), least);
      }
    }
    in.read_into("squares", squares_, {0, 1e95});
    regressions_.load(in, options_.in(network_.reward_unit()));
  }

  Lim2Options options_;
  TrainingOptions training_;  // one full-batch step on the minibatch
  TrainedNetwork network_;
  Optimiser optimiser_;
  NetworkRegressions regressions_;
  std::vector<Matrix<double>> covariances_;  // what is matched next: Σ (or Σ₀) of each regression
  Vector<double> squares_;                   // of all rewards of each action
};

}  // namespace

AgentEntry lim2_agent() {
  return agent_entry<Lim2Agent>("lim2", "neural-linear with limited memory and likelihood matching",
                                lim2_options, true);
}

}  // namespace bandolier
