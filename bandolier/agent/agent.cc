#include "bandolier/agent/agent.h"

#include <cmath>

#include "bandolier/core/error.h"

namespace bandolier {

void Agent::choose_batch(std::span<const Context> contexts, Random& random, Scratch& scratch,
                         std::span<Index> actions) const {
  if (contexts.size() != actions.size()) {
    fail("a batch of {} contexts with room for {} actions: expected as many", contexts.size(),
         actions.size());
  }
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    Random stream = random.fork(static_cast<std::uint32_t>(i));
    actions[i] = choose(contexts[i], stream, scratch).action;
  }
}

void check(const Experience& experience, const ProblemShape& shape) {
  check(experience.context, shape);
  if (experience.action < 0 || experience.action >= experience.context.actions) {
    fail("action {} was taken: expected 0 to {}", experience.action,
         experience.context.actions - 1);
  }
  if (!std::isfinite(experience.reward)) {
    fail("the reward of action {} is {}: expected a finite number", experience.action,
         experience.reward);
  }
}

void check(const Feedback& feedback, const ProblemShape& shape) {
  check(Experience{feedback.context, feedback.action, feedback.reward}, shape);
}

}  // namespace bandolier
