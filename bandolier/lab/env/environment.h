// The contract of an environment: a source of contexts and rewards. It loads its data once and is
// const; a trial is a view of it with its own shuffle or draws. Everything is pure in t: asking
// twice, or in another order, gives the same answer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/note.h"
#include "bandolier/model/context.h"
#include "bandolier/model/feature_schema.h"

namespace bandolier {

class Trial {
 public:
  virtual ~Trial() = default;

  virtual Index steps() const = 0;

  // The context of step t: a view of the environment's data or of `buffer`.
  virtual Context context(Index t, ContextBuffer& buffer) const = 0;

  // The reward of one action that is available: what counts.
  virtual float reward(Index t, Index action) const = 0;

  // What the agent is told of it: the same unless feedback is corrupted.
  virtual float observed_reward(Index t, Index action) const { return reward(t, action); }

  // How many steps later the agent is told.
  virtual Index delay() const { return 0; }

  // Expected rewards of all actions (anything where one is not available): for the evaluator alone,
  // never for an agent.
  virtual void expected_rewards(Index t, std::span<float> out) const = 0;

  // How the last step's features arise from values by name, so that an agent that learnt from this
  // trial can go on with them; nothing where features have no names.
  virtual std::optional<FeatureSchema> schema() const { return std::nullopt; }
};

class Environment {
 public:
  virtual ~Environment() = default;

  virtual ProblemShape shape() const = 0;

  // How many steps a trial has unless told otherwise: all rows, or 5,000 where rows are generated.
  virtual Index default_steps() const = 0;
  // The most it can have (rows without repetition), or nothing where rows are generated.
  virtual std::optional<Index> max_steps() const = 0;

  // Trial `trial` of the experiment with this seed. 1 <= steps <= max_steps().
  virtual std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t trial,
                                       Index steps) const = 0;

  // What the actions are called, in their order; empty where they have no names.
  virtual std::vector<std::string> action_names() const { return {}; }

  // Facts worth showing beside results: rows left out and why, how features were standardised.
  virtual std::vector<Note> notes() const { return {}; }
};

}  // namespace bandolier
