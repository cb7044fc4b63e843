#include "bandolier/agent/neural_ts.h"

#include <algorithm>
#include <cmath>

#include "bandolier/replay/tangent_precision.h"
#include "bandolier/replay/trained_network.h"

namespace bandolier {
namespace {

// Defaults: the authors' settings, with the training schedule of Neural-UCB for both: steps on
// single rows, at most 1,000 per training, until an epoch's mean squared error is 1e-3.
struct NeuralTsOptions : PolicyOptions, TrainingOptions, RewardOptions {
  NeuralTsOptions() {
    temperature = 1;
    optimiser = OptimiserKind::kSgd;
    learning_rate = 0.01;
    momentum = 0;
    batch_size = 1;
    max_steps = 1000;
    stop_loss = 5e-4;
  }
  std::string model = "mlp:100";
  Encoding encoding = Encoding::kOuter;
  TangentCovariance covariance = TangentCovariance::kDiag;  // of U
  double lambda = 1e-5;                // prior precision; also the weight decay λ/t of a training
  double nu = 1e-5;                    // scale of the variance, in squared units of the rewards
  bool normalise = true;               // contexts are scaled to length 1, as the theory asks
  std::optional<std::int64_t> memory;  // nothing: unlimited
  std::int64_t every_step_until = 2000;  // trains at every step up to this one,
  std::int64_t update_every = 100;       // then at every so-many-th
};

struct NeuralUcbOptions : NeuralTsOptions {
  NeuralUcbOptions() { policy = PolicyKind::kUcb; }
};

const OptionTable<NeuralTsOptions>& neural_ts_options() {
  using O = NeuralTsOptions;
  static const OptionTable<O> table =
      OptionTable<O>{
          {"model", &O::model, "the network: mlp:100, mlp:200x200, lenet5, ...", Network::check},
          {"encoding", &O::encoding, "how context and action become an input"},
          {"covariance", &O::covariance,
           "of the tangent features: diagonal, or full for small networks"},
          {"lambda", &O::lambda,
           "prior precision of the weights; a training at step t decays them by lambda / t",
           positive()},
          {"nu", &O::nu, "scale of the rewards' variance, in squares of reward_unit", positive()},
          {"normalise", &O::normalise, "scale each context's features to length 1"},
          {"memory", &O::memory, "stored data: all, or the last rows", between(1, 1e12),
           "unlimited"},
          {"every_step_until", &O::every_step_until, "a training at every step up to this one",
           non_negative()},
          {"update_every", &O::update_every, "later: steps between trainings", at_least(1)}}
          .include(training_options())
          .include(reward_options())
          .include(policy_options());
  return table;
}

const OptionTable<NeuralUcbOptions>& neural_ucb_options() {
  static const OptionTable<NeuralUcbOptions> table =
      OptionTable<NeuralUcbOptions>({}).include(neural_ts_options());
  return table;
}

// Means and deviations of all actions, computed when it is bound.
class TangentScorer final : public Scorer {
 public:
  std::vector<float> means, deviations;

  void mean(std::span<float> out) override { std::copy(means.begin(), means.end(), out.begin()); }
  void sample(Random& random, std::span<const float> temperature, std::span<float> out) override {
    for (std::size_t a = 0; a < out.size(); ++a) {
      out[a] = means[a] + temperature[a] * deviations[a] * static_cast<float>(random.normal());
    }
  }
  bool normals(Random&, std::span<const float> temperature, std::span<float> mean,
               std::span<float> deviation) override {
    for (std::size_t a = 0; a < mean.size(); ++a) {
      mean[a] = means[a];
      deviation[a] = temperature[a] * deviations[a];
    }
    return true;
  }
  void deviation(std::span<float> out) override {
    std::copy(deviations.begin(), deviations.end(), out.begin());
  }
};

struct NeuralTsScratch final : Scratch {
  ContextBuffer context;  // normalised
  ModelScratch<float> model;
  Vector<float> head, tail;      // a tangent feature
  Vector<float> dense, product;  // covariance=full
  BeliefScratch<float> update;   // the same
  TangentScorer scorer;
  TrainingScratch training;
};

class NeuralTsAgent final : public Agent {
 public:
  NeuralTsAgent(const NeuralTsOptions& options, const ProblemShape& shape)
      : Agent(shape, options, options.reward_offset),
        options_(options),
        network_(options.model, options.encoding, shape, options.memory, options.reward_unit),
        precision_(network_.model(), options.lambda, options.covariance) {}

  std::unique_ptr<Agent> clone() const override { return std::make_unique<NeuralTsAgent>(*this); }

 private:
  void start(std::span<const Experience> experience, Random& random) override {
    network_.start(experience, random);
    precision_ = TangentPrecision(network_.model(), options_.lambda, options_.covariance);
    NeuralTsScratch scratch;
    for (const Experience& one : experience) {
      update(one, random, scratch);
      count(one, true);
    }
  }

  std::unique_ptr<Scratch> new_scratch() const override {
    return std::make_unique<NeuralTsScratch>();
  }

  // The context with features of length 1, in the buffer; the context itself where not asked for.
  Context normalised(const Context& context, ContextBuffer& buffer) const {
    if (!options_.normalise) return context;
    const Context copy = buffer.hold(context);
    VectorMap<float> values(buffer.values.data(), static_cast<Index>(buffer.values.size()));
    const float length = values.norm();
    if (length > 0) values /= length;
    return copy;
  }

  // f_a, and its gradient into scratch.head and scratch.tail.
  float linearise(const Context& context, Index action, NeuralTsScratch& scratch) const {
    const RewardModel& model = network_.model();
    scratch.head.resize(model.block_head());
    scratch.tail.resize(model.block_tail());
    return model.block_gradient<float>(network_.parameters(), context, action, scratch.model,
                                       scratch.head, scratch.tail);
  }

  Scorer& bind(const Context& original, Random&, Scratch& scratch) const override {
    auto& own = static_cast<NeuralTsScratch&>(scratch);
    const Context context = normalised(original, own.context);
    const auto actions = static_cast<std::size_t>(context.actions);
    own.scorer.means.resize(actions);
    own.scorer.deviations.resize(actions);
    for (std::size_t a = 0; a < actions; ++a) {
      const auto action = static_cast<Index>(a);
      own.scorer.means[a] = static_cast<float>(network_.unit()) * linearise(context, action, own);
      const double form = precision_.inverse_form(network_.encoder().block_of(context, action),
                                                  own.head, own.tail, own.dense, own.product);
      own.scorer.deviations[a] =
          static_cast<float>(network_.unit() * std::sqrt(options_.lambda * options_.nu * form));
    }
    return own.scorer;
  }

  bool learn(const Experience& experience, bool, Random& random, Scratch& scratch) override {
    if (!network_.measure(experience.reward)) return false;
    update(experience, random, static_cast<NeuralTsScratch&>(scratch));
    return true;
  }

  // One reward that the unit knows.
  void update(const Experience& experience, Random& random, NeuralTsScratch& own) {
    const Context context = normalised(experience.context, own.context);
    // The tangent feature at the parameters that chose, before they are trained.
    linearise(context, experience.action, own);
    precision_.add(network_.encoder().block_of(context, experience.action), own.head, own.tail,
                   own.dense, own.update);
    network_.remember({context, experience.action, experience.reward});
    const auto steps = network_.steps();
    if (steps > options_.every_step_until && steps % options_.update_every != 0) return;
    TrainingOptions training = options_;
    training.weight_decay += options_.lambda / static_cast<double>(steps);
    network_.fit(training, random, own.training);
  }

  void describe(AgentReport& report) const override {
    report.belief_bytes += network_.bytes() + precision_.bytes();
    report.parameters = network_.network().parameters();
    network_.add_notes(report.notes);
  }

  void save_state(ArchiveWriter& out) const override {
    network_.save(out);
    precision_.save(out);
  }
  void load_state(const ArchiveReader& in) override {
    network_.load(in);
    precision_.load(in);
  }

  NeuralTsOptions options_;
  TrainedNetwork network_;
  TangentPrecision precision_;
};

}  // namespace

AgentEntry neural_ts_agent() {
  return agent_entry<NeuralTsAgent>(
      "neural-ts", "a network fitted to stored data, Thompson sampling by its gradients",
      neural_ts_options, false);
}

AgentEntry neural_ucb_agent() {
  return agent_entry<NeuralTsAgent>(
      "neural-ucb", "a network fitted to stored data, upper confidence bounds by its gradients",
      neural_ucb_options, false);
}

}  // namespace bandolier
