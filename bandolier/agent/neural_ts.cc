#include "bandolier/agent/neural_ts.h"

#include <algorithm>
#include <cmath>

namespace bandolier {
const OptionTable<NeuralTsOptions>& neural_ts_options() {
  static const OptionTable<NeuralTsOptions> table = [] {
    OptionTable<NeuralTsOptions> rows = {
        {"model", &NeuralTsOptions::model, "the network: mlp:100, mlp:200x200, lenet5, ..."},
        {"encoding", &NeuralTsOptions::encoding, "how context and action become an input",
         Choices{{"multi-head", "concat", "outer"}}},
        {"covariance", &NeuralTsOptions::covariance,
         "of the tangent features: diagonal, or full for small networks",
         Choices{{"diag", "full"}}},
        {"lambda", &NeuralTsOptions::lambda,
         "prior precision of the weights; a training at step t decays them by lambda / t",
         positive()},
        {"nu", &NeuralTsOptions::nu, "scale of the rewards' variance", positive()},
        {"normalise", &NeuralTsOptions::normalise, "scale each context's features to length 1"},
        memory_row(&NeuralTsOptions::memory),
        {"every_step_until", &NeuralTsOptions::every_step_until,
         "a training at every step up to this one", non_negative()},
        {"update_every", &NeuralTsOptions::update_every, "later: steps between trainings",
         at_least(1)}};
    rows.include(training_options());
    rows.include(policy_options());
    return rows;
  }();
  return table;
}

const OptionTable<NeuralUcbOptions>& neural_ucb_options() {
  static const OptionTable<NeuralUcbOptions> table =
      OptionTable<NeuralUcbOptions>({}).include(neural_ts_options());
  return table;
}

struct NeuralTsAgent::Work final : Scratch {
  ContextBuffer context;  // normalised
  ModelScratch<float> model;
  Vector<float> head, tail;      // a tangent feature
  Vector<float> dense, product;  // covariance=full
  std::vector<float> means, deviations, buffer;
  TrainingScratch training;
};

// Means and deviations of all actions, computed once.
class NeuralTsAgent::TangentScorer final : public Scorer {
 public:
  TangentScorer(const NeuralTsAgent& agent, const Context& context, Work& work) : work_(work) {
    const RewardModel& model = agent.network_.model();
    const auto actions = static_cast<std::size_t>(context.actions);
    work.head.resize(model.block_head());
    work.tail.resize(model.block_tail());
    work.means.resize(actions);
    work.deviations.resize(actions);
    for (std::size_t a = 0; a < actions; ++a) {
      const auto action = static_cast<Index>(a);
      work.means[a] = model.block_gradient<float>(agent.network_.parameters(), context, action,
                                                  work.model, work.head, work.tail);
      const double form =
          agent.precision_.inverse_form(model.encoder().block_of(context, action), work.head,
                                        work.tail, work.dense, work.product);
      work.deviations[a] =
          static_cast<float>(std::sqrt(agent.options_.lambda * agent.options_.nu * form));
    }
  }

  void mean(std::span<float> out) override {
    std::copy(work_.means.begin(), work_.means.end(), out.begin());
  }
  void sample(Random& random, std::span<const float> temperature, std::span<float> out) override {
    for (std::size_t a = 0; a < out.size(); ++a) {
      out[a] = work_.means[a] +
               temperature[a] * work_.deviations[a] * static_cast<float>(random.normal());
    }
  }
  void deviation(std::span<float> out) override {
    std::copy(work_.deviations.begin(), work_.deviations.end(), out.begin());
  }

 private:
  Work& work_;
};

NeuralTsAgent::NeuralTsAgent(const NeuralTsOptions& options, const ProblemShape& shape)
    : options_(options),
      network_(options.model, parse_encoding(options.encoding), shape,
               memory_capacity("memory", options.memory)),
      precision_(network_.model(), options.lambda, options.covariance == "full"),
      policy_(options, shape.actions) {}

void NeuralTsAgent::warm_up(std::span<const Experience> experience, Random& random) {
  for (const auto& one : experience) check(one, network_.encoder().shape());
  network_.initialise(random);
  Work work;
  for (const auto& one : experience) learn(one, random, work);
}

std::unique_ptr<Scratch> NeuralTsAgent::make_scratch() const { return std::make_unique<Work>(); }

Decision NeuralTsAgent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, network_.encoder().shape());
  auto& memory = static_cast<Work&>(scratch);
  TangentScorer scorer(*this, normalised(context, memory.context), memory);
  return policy_.choose(scorer, context, random, scratch, memory.buffer);
}

void NeuralTsAgent::observe(const Feedback& feedback, Random& random, Scratch& scratch) {
  check(feedback, network_.encoder().shape());
  learn({feedback.context, feedback.action, feedback.reward}, random, static_cast<Work&>(scratch));
}

Context NeuralTsAgent::normalised(const Context& context, ContextBuffer& buffer) const {
  if (!options_.normalise) return context;
  const Context copy = buffer.hold(context);
  VectorMap<float> values(buffer.values.data(), static_cast<Index>(buffer.values.size()));
  const float length = values.norm();
  if (length > 0) values /= length;
  return copy;
}

void NeuralTsAgent::learn(const Experience& experience, Random& random, Work& work) {
  const Context context = normalised(experience.context, work.context);
  // The tangent feature at the parameters that chose, before they are trained.
  const RewardModel& model = network_.model();
  work.head.resize(model.block_head());
  work.tail.resize(model.block_tail());
  model.block_gradient<float>(network_.parameters(), context, experience.action, work.model,
                              work.head, work.tail);
  precision_.add(model.encoder().block_of(context, experience.action), work.head, work.tail,
                 work.dense);
  network_.remember(context, experience.action, experience.reward);
  policy_.count(context, experience.action, experience.reward);
  const auto steps = network_.steps();
  if (steps > options_.every_step_until && steps % options_.update_every != 0) return;
  TrainingOptions training = options_;
  training.weight_decay += options_.lambda / static_cast<double>(steps);
  network_.fit(training, random, work.training);
}

AgentReport NeuralTsAgent::report() const {
  AgentReport report;
  report.belief_bytes = network_.bytes();
  report.parameters = network_.network().parameters();
  report.steps = network_.steps();
  report.notes = network_.notes();
  report.belief_bytes += precision_.bytes() + policy_.bytes();
  return report;
}

std::unique_ptr<Agent> NeuralTsAgent::clone() const {
  return std::make_unique<NeuralTsAgent>(*this);
}

void NeuralTsAgent::save(ArchiveWriter& out) const {
  policy_.save(out);
  network_.save(out);
  precision_.save(out);
}

void NeuralTsAgent::load(ArchiveReader& in) {
  policy_.load(in);
  network_.load(in);
  precision_.load(in);
}

AgentEntry neural_ts_agent() {
  return {"neural-ts", "a network fitted to stored data, Thompson sampling by its gradients",
          [] { return neural_ts_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            return std::make_unique<NeuralTsAgent>(
                neural_ts_options().parse("agent 'neural-ts'", texts), shape);
          },
          false};
}

AgentEntry neural_ucb_agent() {
  return {"neural-ucb", "a network fitted to stored data, upper confidence bounds by its gradients",
          [] { return neural_ucb_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            return std::make_unique<NeuralTsAgent>(
                neural_ucb_options().parse("agent 'neural-ucb'", texts), shape);
          },
          false};
}

}  // namespace bandolier
