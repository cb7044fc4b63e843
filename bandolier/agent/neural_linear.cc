#include "bandolier/agent/neural_linear.h"

#include "bandolier/model/input_options.h"
#include "bandolier/replay/network_regressions.h"
#include "bandolier/replay/noise_prior.h"
#include "bandolier/replay/regression_scorer.h"
#include "bandolier/replay/trained_network.h"

namespace bandolier {
namespace {

// What the heads know where the memory is limited: all rewards, each at the features that the
// network had when it came; or the rows still stored, at the features of now.
enum class Heads { kAll, kWindow };
Words words_of(Heads) {
  static constexpr std::string_view kWords[] = {"all", "window"};
  return kWords;
}

// The policy is the project's own (temperature=pulls), as for the filters; the authors sample at
// temperature 1.
struct NeuralLinearOptions : PolicyOptions, InputOptions, ReplayOptions, NoisePrior {
  Heads heads = Heads::kAll;
  double lambda = 0.25;  // prior precision of a weight, in units of the noise precision
};

const OptionTable<NeuralLinearOptions>& neural_linear_options() {
  using O = NeuralLinearOptions;
  static const OptionTable<O> table =
      OptionTable<O>{
          {"heads", &O::heads,
           "with limited memory: heads of all rewards, never refitted, or refitted to the rows "
           "still stored after each training"},
          {"lambda", &O::lambda,
           "prior precision of a head's weight, in units of the noise precision",
           between(1e-12, 1e12)}}
          .include(noise_prior_options())
          .include(input_options())
          .include(replay_options())
          .include(policy_options());
  return table;
}

struct NeuralLinearScratch final : Scratch {
  ModelScratch<float> model;
  Vector<float> x, work;
  TrainingScratch training;
  NetworkRegressions::Scratch refit;
  std::optional<RegressionScorer> scorer;
};

class NeuralLinearAgent final : public Agent {
 public:
  NeuralLinearAgent(const NeuralLinearOptions& options, const ProblemShape& shape)
      : Agent(shape, options, options.reward_offset, filters_of(options)),
        options_(options),
        network_(make_network(options, shape_to_see(shape, filters_of(options)))),
        regressions_(make_regressions()) {}

  std::unique_ptr<Agent> clone() const override {
    return std::make_unique<NeuralLinearAgent>(*this);
  }

 private:
  static TrainedNetwork make_network(const NeuralLinearOptions& options,
                                     const ProblemShape& shape) {
    return {options.model, Encoding::kMultiHead, shape, options.memory, options.reward_unit};
  }
  NetworkRegressions make_regressions() const {
    return {network_.network(), options_.lambda, options_.in(network_.reward_unit())};
  }
  // For what is seen of contexts.
  void reset() {
    if (network_.network().inputs() == seen_shape().features) return;
    network_ = make_network(options_, seen_shape());
    regressions_ = make_regressions();
  }

  void start(std::span<const Experience> experience, Random& random) override {
    reset();
    network_.start(experience, random);
    regressions_.start(options_.in(network_.reward_unit()));
    for (const Experience& one : experience) {
      network_.remember(one);
      count(one, true);
    }
    NeuralLinearScratch scratch;
    network_.fit(options_, random, scratch.training);
    if (refits()) return refit(scratch);
    for (const Experience& one : experience) update(one, scratch);
  }

  std::unique_ptr<Scratch> new_scratch() const override {
    return std::make_unique<NeuralLinearScratch>();
  }

  // Where nothing is forgotten, heads=all is a refit to all rows too (Algorithm 3).
  bool refits() const { return !options_.memory || options_.heads == Heads::kWindow; }

  void refit(NeuralLinearScratch& scratch) {
    regressions_.refit(network_.network(), network_.parameters(), network_.memory().rows(),
                       scratch.refit);
  }

  // One more reward, at the features of now.
  void update(const Experience& experience, NeuralLinearScratch& scratch) {
    find_features(experience.context, scratch);
    regressions_.update(experience.action, scratch.x, network_.in_units(experience.reward),
                        scratch.refit);
  }

  void find_features(const Context& context, NeuralLinearScratch& scratch) const {
    network_.model().predict<float>(network_.parameters(), context, scratch.model);
    regressions_.features(scratch.model.network, 0, scratch.x);
  }

  Scorer& bind(const Context& context, Random&, Scratch& scratch) const override {
    auto& own = static_cast<NeuralLinearScratch&>(scratch);
    find_features(context, own);
    return own.scorer.emplace(regressions_.all(), own.x, own.work, network_.unit());
  }

  bool learn(const Experience& experience, bool, Random& random, Scratch& scratch) override {
    auto& own = static_cast<NeuralLinearScratch&>(scratch);
    const auto factor = network_.measure(experience.reward);
    if (!factor) return false;
    regressions_.rescale(*factor, options_.in(network_.reward_unit()));
    network_.remember(experience);
    const bool trains = network_.steps() % options_.update_every == 0;
    if (!trains || !refits()) update(experience, own);
    if (trains) network_.fit(options_, random, own.training);
    if (trains && refits()) refit(own);
    return true;
  }

  void describe(AgentReport& report) const override {
    report.belief_bytes += network_.bytes() + regressions_.bytes();
    report.parameters = network_.network().parameters();
    network_.add_notes(report.notes);
    regressions_.add_notes(report.notes);
  }

  void save_state(ArchiveWriter& out) const override {
    network_.save(out);
    regressions_.save(out);
  }
  void load_state(const ArchiveReader& in) override {
    reset();
    network_.load(in);
    regressions_.load(in, options_.in(network_.reward_unit()));
  }

  NeuralLinearOptions options_;
  TrainedNetwork network_;
  NetworkRegressions regressions_;
};

}  // namespace

AgentEntry neural_linear_agent() {
  return agent_entry<NeuralLinearAgent>(
      "neural-linear", "Bayesian linear heads on the features of a network fitted to stored data",
      neural_linear_options, false);
}

}  // namespace bandolier
