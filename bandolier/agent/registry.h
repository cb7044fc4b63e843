// Every agent by name. A new agent is one file pair and one line in registry.cc.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bandolier/agent/agent.h"
#include "bandolier/core/options.h"

namespace bandolier {

struct AgentEntry {
  std::string name;
  std::string summary;  // one line
  std::vector<OptionDoc> (*options)();
  std::unique_ptr<Agent> (*make)(const OptionTexts& options, const ProblemShape& shape);
  bool flat_memory;  // promises belief_bytes that do not grow with the steps (by default)
};

const std::vector<AgentEntry>& agents();

// Throws Error, naming the nearest, for an unknown name.
const AgentEntry& find_agent(const std::string& name);

// From `NAME` or `NAME:key=value,...`. Throws Error for unknown names, options and bad values.
std::unique_ptr<Agent> make_agent(const std::string& spec, const ProblemShape& shape);

// A saved agent with all that is needed to make it again. The file holds every option's value,
// defaults included, so that it stays the same agent where a default changes.
struct SavedAgent {
  std::string spec;     // as typed
  OptionTexts options;  // all of them
  ProblemShape shape;
  std::unique_ptr<Agent> agent;
};
void save_agent(const std::filesystem::path& path, const std::string& spec,
                const ProblemShape& shape, const Agent& agent);

// Throws Error, naming the file, unless it is one intact saved agent and nothing else.
SavedAgent load_agent(const std::filesystem::path& path);

}  // namespace bandolier
