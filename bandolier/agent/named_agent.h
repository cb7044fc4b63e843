// An agent whose contexts and actions go by name: what an application says as {"age": 31,
// "country": "NO"} and "banner-a" becomes features and places here (model/feature_encoder.h).
//
//   NamedAgent agent({.agent = "auto", .actions = {"a", "b"}}, random);  // or none: they change
//   NamedScratch scratch = agent.make_scratch();                          // one per thread
//   const NamedDecision decision = agent.decide(values, {}, random, scratch);
//   agent.observe(values, {}, decision.action, reward, random, scratch);
//
// Choosing changes nothing: names get their features, and numbers their moments, once a reward of
// theirs is learnt. A context that is rewarded late is encoded as it would be then. Any number of
// threads may choose, each with its own scratch, as long as nobody observes: readers beside a
// learner take snapshots, as of any agent (agent.h).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/agent/agent.h"
#include "bandolier/model/feature_encoder.h"

namespace bandolier {

struct NamedAgentOptions {
  std::string agent = "auto";             // NAME or NAME:key=value,...
  std::vector<std::string> actions = {};  // their names where they stay the same; none: they change
  std::int64_t slots = 1024;              // features for what is said of a context (slot_encoder.h)
  std::int64_t action_slots = 64;         // and of an action, where they change
  Index most_actions = 1000;              // that a decision can have, where they change
  OptionTexts defaults = {};              // of the agent's options that `agent` does not name
};

// An action on offer, and what is known of it beside its name. Views.
struct NamedAction {
  std::string_view name;
  const NamedValues* values = nullptr;  // null: nothing. Of use where actions change
};

// A caller's memory.
struct NamedScratch {
  std::unique_ptr<Scratch> agent;
  FeatureScratch features;
  SparseVector sparse;
  ContextBuffer context;
  NameIndex offered;
};

struct NamedDecision {
  std::string_view action;  // its name
  Decision decision;        // by places: of the actions offered, or of all where they stay the same
};

class NamedAgent {
 public:
  // With nothing known; everything random about the agent comes from `random`.
  NamedAgent(const NamedAgentOptions& options, Random& random);
  // With encoders of one's own, a schema for instance. `of_action` is null where the actions stay
  // the same and `actions` names them.
  NamedAgent(const NamedAgentOptions& options, std::unique_ptr<FeatureEncoder> of_context,
             std::unique_ptr<FeatureEncoder> of_action, Random& random);
  // Around an agent that has learnt already, of actions that stay the same, and their features
  // (actions × features) where they have some.
  NamedAgent(std::unique_ptr<Agent> agent, std::unique_ptr<FeatureEncoder> of_context,
             std::vector<std::string> actions, Matrix<float> action_features = {});

  const Agent& agent() const { return *agent_; }
  // For who has features already: of a schema that is all there is to a context.
  Agent& agent() { return *agent_; }
  const FeatureEncoder& context_encoder() const { return *of_context_; }
  const FeatureEncoder* action_encoder() const { return of_action_.get(); }  // null: they stay
  const std::vector<std::string>& actions() const { return actions_; }       // none: they change
  bool has_names() const { return has_names_; }  // false: saved without, and numbered here
  NamedScratch make_scratch() const;

  // The context as the agent sees it: a view of the scratch. Where actions stay the same, `offered`
  // are those that are available, or none for all; else all that there are. Throws Error where a
  // name is offered twice, not known, or nothing is offered.
  Context encode(const NamedValues& context, std::span<const NamedAction> offered,
                 NamedScratch& scratch) const;

  NamedDecision choose(const NamedValues& context, std::span<const NamedAction> offered,
                       Random& random, NamedScratch& scratch) const;
  NamedDecision decide(const NamedValues& context, std::span<const NamedAction> offered,
                       Random& random, NamedScratch& scratch) const;

  // Learns from one reward of the action called `taken`, one of those offered, as often as
  // `weight` says (Feedback::weight). False as Agent::observe.
  bool observe(const NamedValues& context, std::span<const NamedAction> offered,
               std::string_view taken, float reward, Random& random, NamedScratch& scratch,
               float weight = 1);

  // What both say: notes of the encoders are among the agent's.
  AgentReport report() const;

  NamedAgent clone() const;
  std::shared_ptr<const NamedAgent> snapshot() const {
    return std::make_shared<const NamedAgent>(clone());
  }

  // Agent, encoders and names in one file: load_agent reads the agent of it alone. An agent that
  // was saved without names has features x[0], x[1], ... and actions 0, 1, ... `name` opens all
  // errors.
  void save(const std::filesystem::path& path) const;
  void write(ArchiveWriter& out) const;
  static NamedAgent load(const std::filesystem::path& path);
  static NamedAgent read(const ArchiveReader& in, const std::string& name);

 private:
  NamedAgent() = default;
  void check_shape() const;
  Index place_of(std::string_view action, std::span<const NamedAction> offered) const;
  Index known_place(std::string_view action) const;
  std::string_view name_at(Index place, std::span<const NamedAction> offered) const;

  std::vector<std::string> actions_;
  bool has_names_ = true;
  std::unique_ptr<FeatureEncoder> of_context_, of_action_;  // of_action_: null where they stay
  Matrix<float> action_features_;                           // of actions that stay
  std::unique_ptr<Agent> agent_;
};

}  // namespace bandolier
