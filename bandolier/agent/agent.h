// The contract of an agent: a reward model, a belief about it, and a policy.
//
//   agent.warm_up(experience, random)                 once; the list may be empty
//   scratch = agent.make_scratch()                    one per thread
//   decision = agent.choose(context, random, scratch) or, with probabilities, agent.decide(...)
//   ...                                               the world answers, now or much later
//   agent.observe({context, decision.action, reward, decision.ticket}, random, scratch)
//
// What may happen at the same time: any number of threads may choose from one agent, each with its
// own scratch and stream, as long as nobody observes. One thread that learns and many that choose
// need a snapshot: the learner makes one after every so many rewards and hands it to the readers.
// Networks and bases are shared and immutable, and what learning writes is shared until it is
// written, so that a snapshot costs what the rewards since the last one have changed.
//
// A Context is a view: whoever makes one keeps its memory alive until choose or observe returns,
// and that of an Experience list until warm_up returns. Agents keep copies of what they need later.
// Decision::scores and probabilities are views too, of the scratch, until its next use.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/note.h"
#include "bandolier/core/random.h"
#include "bandolier/model/context.h"
#include "bandolier/model/reward_offset.h"
#include "bandolier/policy/policy.h"

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
  std::optional<Index> parameters;        // of the network or linear model
  std::optional<Index> subspace_dim;      // where there is one
  std::int64_t steps = 0;                 // rewards learnt from, warm-up included
  std::vector<Note> notes;                // fallbacks taken, rewards refused, trainings diverged
  std::map<std::string, double> signals;  // health: calibration of innovations, weights, ...
};

// The name and every option of an agent, defaults included, so that it stays the same agent where a
// default changes.
struct AgentSpec {
  std::string text;  // as typed
  std::string name;
  OptionTexts options;
};

// The public functions check what they are given and count; a method implements the private ones.
class Agent {
 public:
  virtual ~Agent() = default;
  Agent& operator=(const Agent&) = delete;

  const ProblemShape& shape() const { return shape_; }
  const AgentSpec& spec() const { return spec_; }

  // Once, before all else. Everything random about the agent itself (initial weights, basis,
  // training) comes from `random`.
  void warm_up(std::span<const Experience> experience, Random& random);

  bool started() const { return scratch_key_ != 0; }  // warmed up, or loaded

  // After warm_up or load. A scratch serves this agent and its clones and snapshots.
  std::unique_ptr<Scratch> make_scratch() const;

  // An action, as quickly as can be.
  Decision choose(const Context& context, Random& random, Scratch& scratch) const;

  // The same policy, with the probability of every action; the action is drawn from them. For
  // decisions that are logged and will be evaluated.
  Decision decide(const Context& context, Random& random, Scratch& scratch) const;

  // Many contexts at once; actions[i] is for contexts[i], decided as choose does with
  // random.fork(i), by matrix products where the agent can.
  void choose_batch(std::span<const Context> contexts, Random& random, Scratch& scratch,
                    std::span<Index> actions) const;

  // Learns from one reward; in any order and any time after the decision. False: the reward was
  // refused, because a belief would not have stayed finite, and nothing has changed but the count
  // of refusals.
  bool observe(const Feedback& feedback, Random& random, Scratch& scratch);

  AgentReport report() const;

  // An agent that goes on from here by itself.
  virtual std::unique_ptr<Agent> clone() const = 0;
  // The same for readers: it never changes.
  std::shared_ptr<const Agent> snapshot() const { return clone(); }

  // The learnt state, into an agent made from the same name, options and shape.
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 protected:
  // `reward_offset`: what a method sees rewards less; nothing: set by the first (reward_offset.h).
  Agent(const ProblemShape& shape, const PolicyOptions& policy,
        std::optional<double> reward_offset);
  Agent(const Agent&) = default;

  // Counts one reward, as `start` or `learn` has it: learnt from, or refused.
  void count(const Experience& experience, bool accepted);
  // Rewards learnt from so far.
  std::int64_t steps() const { return steps_; }

 private:
  friend std::unique_ptr<Agent> make_agent(const AgentSpec& spec, const ProblemShape& shape);

  // Sets the agent up, whatever it was before, and learns from the warm-up's rewards, counting
  // each. All rewards and scores here and below are less the offset.
  virtual void start(std::span<const Experience> experience, Random& random) = 0;
  virtual std::unique_ptr<Scratch> new_scratch() const = 0;
  // The scorer of one context, alive in the scratch until its next use.
  virtual Scorer& bind(const Context& context, Random& random, Scratch& scratch) const = 0;
  // The same for many; null where one after the other is as quick.
  virtual BatchScorer* bind_batch(std::span<const Context> contexts, Scratch& scratch) const;
  // One reward; `bound`: the scratch holds what bind left there for this very context. False: it
  // was refused and nothing changed.
  virtual bool learn(const Experience& experience, bool bound, Random& random,
                     Scratch& scratch) = 0;
  virtual void describe(AgentReport& report) const = 0;
  virtual void save_state(ArchiveWriter& out) const = 0;
  virtual void load_state(const ArchiveReader& in) = 0;

  void check_scratch(const Scratch& scratch) const;
  // Forgets all rewards: the offset is known now, and they were seen without it.
  void begin_anew();
  // Checks, binds, and gives a ticket to what `policy` (Policy::choose or decide) decides.
  template <class Decide>
  Decision decide_by(Decide policy, const Context& context, Random& random, Scratch& scratch) const;

  ProblemShape shape_;
  AgentSpec spec_;
  Policy policy_;
  Pulls pulls_;
  RewardOffset offset_;
  StreamKey start_key_;  // what it was made from
  std::int64_t steps_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t forgotten_ = 0;     // rewards that it began anew after
  std::uint64_t scratch_key_ = 0;  // 0: not warmed up. Shared by clones; new at warm_up and load
};

// Throws Error unless the context fits the shape, the action is one of the context's, and all
// numbers are finite: what every agent asks of what it is told. O(features).
void check(const Experience& experience, const ProblemShape& shape);

}  // namespace bandolier
