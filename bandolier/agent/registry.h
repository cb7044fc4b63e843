// Every agent by name. A new agent is one file pair and one line in registry.cc.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bandolier/agent/agent.h"
#include "bandolier/core/options.h"

namespace bandolier {

struct AgentEntry {
  std::string name;
  std::string summary;  // one line
  std::function<std::vector<OptionDoc>()> options;
  std::function<std::unique_ptr<Agent>(const OptionTexts&, const ProblemShape&)> make;
  bool flat_memory;  // promises belief_bytes that do not grow with the steps (by default)
  // Of options that files saved before they came do not name, where the default is another now.
  OptionTexts before = {};
};

// The entry of a class that is made from an options struct and a shape.
template <class Method, class Options>
AgentEntry agent_entry(const std::string& name, std::string summary,
                       const OptionTable<Options>& (*table)(), bool flat_memory) {
  return {
      name, std::move(summary), [table] { return table().docs(); },
      [table, where = "agent '" + name + "'"](const OptionTexts& texts, const ProblemShape& shape) {
        return std::make_unique<Method>(table().parse(where, texts), shape);
      },
      flat_memory};
}

const std::vector<AgentEntry>& agents();

// Throws Error, naming the nearest, for an unknown name.
const AgentEntry& find_agent(const std::string& name);

// From `NAME` or `NAME:key=value,...`; `defaults` are of options that it does not name. Throws
// Error for unknown names, options and bad values.
std::unique_ptr<Agent> make_agent(const std::string& spec, const ProblemShape& shape,
                                  const OptionTexts& defaults = {});
// From the name and the options alone.
std::unique_ptr<Agent> make_agent(const AgentSpec& spec, const ProblemShape& shape);

// Whether a spec is that of a file instead: it ends in .bndl.
bool is_saved_agent(const std::string& spec);

// A saved agent is a whole: its spec and shape, and what it has learnt. The file holds every
// option's value, defaults included, so that it stays the same agent where a default changes.
std::string save_agent(const Agent& agent);  // the file's bytes
void save_agent(const std::filesystem::path& path, const Agent& agent);

// The same as parts of an archive that may hold more. `name` opens all errors.
void write_agent(const Agent& agent, ArchiveWriter& out);
std::unique_ptr<Agent> read_agent(const ArchiveReader& in, const std::string& name);

// Throws Error, naming the file, unless it is one intact saved agent.
std::unique_ptr<Agent> load_agent(const std::filesystem::path& path);
std::unique_ptr<Agent> load_agent(std::string bytes, const std::string& name);

}  // namespace bandolier
