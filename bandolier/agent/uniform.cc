#include "bandolier/agent/uniform.h"

namespace bandolier {
namespace {

struct UniformOptions {};

const OptionTable<UniformOptions>& uniform_options() {
  static const OptionTable<UniformOptions> table = {};
  return table;
}

}  // namespace

UniformAgent::UniformAgent(const ProblemShape& shape) : shape_(shape) { check(shape_); }

void UniformAgent::warm_up(std::span<const Experience> experience, Random&) {
  for (const auto& one : experience) check(one, shape_);
  steps_ += static_cast<std::int64_t>(experience.size());
}

std::unique_ptr<Scratch> UniformAgent::make_scratch() const { return std::make_unique<Scratch>(); }

Decision UniformAgent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, shape_);
  const auto actions = static_cast<std::size_t>(context.actions);
  scratch.scores.assign(actions, 0);
  Decision decision;
  decision.action = static_cast<Index>(random.below(actions));
  decision.scores = scratch.scores;
  decision.propensity = 1 / static_cast<double>(actions);
  return decision;
}

void UniformAgent::observe(const Feedback& feedback, Random&, Scratch&) {
  check(feedback, shape_);
  ++steps_;
}

AgentReport UniformAgent::report() const {
  AgentReport report;
  report.steps = steps_;
  return report;
}

std::unique_ptr<Agent> UniformAgent::clone() const { return std::make_unique<UniformAgent>(*this); }

void UniformAgent::save(ArchiveWriter& out) const { out.write("steps", steps_); }

void UniformAgent::load(ArchiveReader& in) { steps_ = in.read_integer("steps"); }

AgentEntry uniform_agent() {
  return {"uniform", "every action with the same probability: the floor of every comparison",
          [] { return uniform_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            uniform_options().parse("agent 'uniform'", texts);
            return std::make_unique<UniformAgent>(shape);
          },
          true};
}

}  // namespace bandolier
