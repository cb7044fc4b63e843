// The contract of an agent: a reward model, a belief about it, and a policy.
//
//   decision = agent.choose(context, random, scratch)
//   ...                                               the world answers, now or much later
//   agent.observe({context, decision.action, reward, decision.ticket}, random, scratch)
//
// `choose` is const and may be called from many threads at once, each with its own scratch and
// stream. `observe` changes the belief alone: networks and bases are shared and immutable once
// warm-up is over, so clone() (a snapshot for readers) copies the belief and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/random.h"
#include "bandolier/model/context.h"
#include "bandolier/policy/decision.h"

namespace bandolier {

struct Feedback {
  Context context;
  Index action = 0;
  float reward = 0;
  std::uint64_t ticket = 0;  // of the decision, if the same scratch is given; 0 is always correct
};

// What an agent says of itself.
struct AgentReport {
  std::size_t belief_bytes = 0;  // all that learning writes: belief, trained weights, stored data
  std::optional<Index> parameters;    // of the network or linear model
  std::optional<Index> subspace_dim;  // where there is one
  std::int64_t steps = 0;             // rewards learnt from, warm-up included
  // Fallbacks taken, steps refused, training that diverged. One that counts begins with its number.
  std::vector<std::string> notes;
  std::map<std::string, double> signals;  // health: calibration of innovations, drift, weights, ...
};

class Agent {
 public:
  virtual ~Agent() = default;

  // Once, before all else; the list may be empty. Everything random about the agent itself (initial
  // weights, basis, training) comes from `random`.
  virtual void warm_up(std::span<const Experience> experience, Random& random) = 0;

  virtual std::unique_ptr<Scratch> make_scratch() const = 0;

  virtual Decision choose(const Context& context, Random& random, Scratch& scratch) const = 0;

  // Many contexts at once; actions[i] is for contexts[i]. The default calls choose in turn with
  // random.fork(i); agents that can do better by matrix products override it.
  virtual void choose_batch(std::span<const Context> contexts, Random& random, Scratch& scratch,
                            std::span<Index> actions) const;

  virtual void observe(const Feedback& feedback, Random& random, Scratch& scratch) = 0;

  virtual AgentReport report() const = 0;
  virtual std::unique_ptr<Agent> clone() const = 0;

  // The learnt state, into an agent made from the same name, options and shape.
  virtual void save(ArchiveWriter& out) const = 0;
  virtual void load(ArchiveReader& in) = 0;
};

// Each throws Error unless the context fits the shape, the action is one of the context's, and all
// numbers are finite: what every agent asks of what it is told. O(features).
void check(const Experience& experience, const ProblemShape& shape);
void check(const Feedback& feedback, const ProblemShape& shape);

}  // namespace bandolier
