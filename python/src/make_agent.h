// What the constructor of Agent is told.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "bandolier/agent/shared_agent.h"
#include "python/src/module.h"

namespace bandolier::python {

struct AgentArguments {
  std::string agent;
  nb::handle features, actions, seed, image, action_features;
  bool fixed_actions = true;
  std::optional<std::int64_t> slots, action_slots;
  std::optional<Index> most_actions;
  nb::dict options;
};

std::unique_ptr<SharedAgent> make_shared_agent(const AgentArguments& given);

}  // namespace bandolier::python
