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
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/note.h"
#include "bandolier/core/random.h"
#include "bandolier/core/words.h"
#include "bandolier/model/context.h"
#include "bandolier/model/first_experience.h"
#include "bandolier/model/patch_features.h"
#include "bandolier/model/reward_offset.h"
#include "bandolier/policy/policy.h"

namespace bandolier {

struct Feedback {
  Context context;
  Index action = 0;
  float reward = 0;
  std::uint64_t ticket = 0;  // of the decision, if the same scratch is given; 0 is always correct
  float weight = 1;          // Experience::weight; another than 1 is for agents that take weights
};

enum class ScoreKind { kMean, kSample, kDeviation };
Words words_of(ScoreKind);

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
  // training) comes from `random`. Where the list is empty or too short to set the agent up by, the
  // first rewards that it observes are kept, and it is set up anew by all of them once or a few
  // times, at the 32nd at the latest: such an observe takes as long as a warm-up.
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

  // What is believed of the rewards of all actions, one number each: expected rewards, one sample
  // of them, or their standard deviations. What the policy adds (temperature, optimism) is left
  // out.
  void scores(ScoreKind kind, const Context& context, Random& random, Scratch& scratch,
              std::span<float> out) const;

  // As many actions as `best` has room for, the best first (Policy::top). Throws Error where fewer
  // are available.
  void top(const Context& context, Random& random, Scratch& scratch, std::span<Index> best) const;

  // Learns from one reward; in any order and any time after the decision. False: the reward was
  // refused, because a belief would not have stayed finite, and nothing has changed but the count
  // of refusals.
  bool observe(const Feedback& feedback, Random& random, Scratch& scratch);

  // Whether a reward may count more or less than once. Where not, such a one is an Error.
  virtual bool takes_weights() const { return false; }

  // Learns from many rewards as observe does from each in turn, with the same random, equal but for
  // round-off; how many were refused. Costs less than observing each where the agent is `linear`,
  // or has heads over features that do not learn (`auto`). The same rewards give the same bits; cut
  // in other places, others. Tickets are not read. Throws Error, and nothing has changed, where one
  // of the rewards is wrong by itself.
  std::size_t observe_batch(std::span<const Feedback> feedback, Random& random, Scratch& scratch);

  // Throws Error where observe would: of an agent that has warmed up.
  void check_feedback(const Feedback& feedback) const;

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
  // `filters`: of an image it sees so many patch features of every part; 0: it sees pixels.
  Agent(const ProblemShape& shape, const PolicyOptions& policy, std::optional<double> reward_offset,
        Index filters = 0);
  Agent(const Agent&) = default;

  // What a method sees: shape(), or that of the patch features once they have been learnt. It may
  // be another one at every start and load.
  const ProblemShape& seen_shape() const { return patches_ ? patches_->shape() : shape_; }
  bool sees_patches() const { return patches_ != nullptr; }
  // What it will see in the end, before it is set up.
  static ProblemShape shape_to_see(const ProblemShape& shape, Index filters) {
    return filters > 0 ? PatchFeatures::shape_of(shape, filters) : shape;
  }
  // Another one whenever start or load has set the agent up: work in a scratch is of one.
  std::uint64_t set_up_key() const { return set_up_key_; }

  // Counts one reward, as `start` or `learn` has it: learnt from, or refused.
  void count(const Experience& experience, bool accepted);
  // Rewards learnt from so far.
  std::int64_t steps() const { return steps_; }

 private:
  friend std::unique_ptr<Agent> make_agent(const AgentSpec& spec, const ProblemShape& shape);

  // First rewards that a method is best set up with; 0: it finds what it needs as they come.
  virtual Index rewards_wanted(bool /*warmed_up*/) const { return 0; }
  // Sets the agent up for seen_shape(), whatever it was before, and learns from the first rewards,
  // counting each. All contexts here and below are as seen, all rewards and scores less the offset.
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
  // Whether many rewards at once cost less than one after the other; then learn_batch is asked to
  // learn them, as learn would from each: accepted[i] is what it returns.
  virtual bool learns_batches() const { return false; }
  virtual void learn_batch(std::span<const Experience> /*rewards*/, Scratch& /*scratch*/,
                           std::span<bool> /*accepted*/) {}
  // Throws Error where the method's likelihood cannot give a reward.
  virtual void check_reward(float /*seen*/) const {}
  virtual void describe(AgentReport& report) const = 0;
  virtual void save_state(ArchiveWriter& out) const = 0;
  virtual void load_state(const ArchiveReader& in) = 0;

  void check_scratch(const Scratch& scratch) const;
  // Of one that is not wrong; `bound`: the scratch holds what bind left for its context.
  bool learn_one(const Feedback& feedback, bool bound, Random& random, Scratch& scratch);
  // Of some that are not wrong, once the first rewards are over; how many were refused.
  std::size_t learn_some(std::span<const Feedback> feedback, Scratch& scratch);
  // Whether it is worth setting up anew by these: the method or its inputs ask for it, or they lie
  // far from 0.
  bool gains_by(std::span<const Experience> first) const;
  // Forgets all, and learns from these.
  void set_up(std::span<const Experience> experience, Random& random);
  // The context as the method sees it, in the scratch where it differs.
  Context see(const Context& context, PatchScratch& memory) const;
  // Checks, and binds: the scratch's last work is forgotten.
  Scorer& bind_checked(const Context& context, Random& random, Scratch& scratch) const;
  // Checks, binds, and gives a ticket to what `policy` (Policy::choose or decide) decides.
  template <class Decide>
  Decision decide_by(Decide policy, const Context& context, Random& random, Scratch& scratch) const;

  ProblemShape shape_;
  AgentSpec spec_;
  Policy policy_;
  Pulls pulls_;
  RewardOffset offset_;
  Index filters_;
  std::shared_ptr<const PatchFeatures> patches_;  // null: contexts are seen as they are
  FirstExperience first_;
  StreamKey start_key_;  // what it was made from
  // While it is set up: the most that one of the first rewards tells of their size.
  double most_ = std::numeric_limits<double>::infinity();
  std::int64_t steps_ = 0;
  std::int64_t refused_ = 0;
  std::uint64_t scratch_key_ = 0;  // 0: not warmed up. Shared by clones; new at warm_up and load
  std::uint64_t set_up_key_ = 0;
};

// Throws Error unless the context fits the shape, the action is one of the context's, and all
// numbers are finite: what every agent asks of what it is told. O(features).
void check(const Experience& experience, const ProblemShape& shape);

}  // namespace bandolier
