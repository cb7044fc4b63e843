#include "bandolier/agent/registry.h"

#include <algorithm>

#include "bandolier/agent/auto.h"
#include "bandolier/agent/ekf.h"
#include "bandolier/agent/lim2.h"
#include "bandolier/agent/linear.h"
#include "bandolier/agent/lofi.h"
#include "bandolier/agent/neural_greedy.h"
#include "bandolier/agent/neural_linear.h"
#include "bandolier/agent/neural_ts.h"
#include "bandolier/agent/subspace_ekf.h"
#include "bandolier/agent/uniform.h"
#include "bandolier/core/file.h"

namespace bandolier {
namespace {

constexpr std::string_view kKind = "agent";

Spec parse_agent_spec(const std::string& text) {
  Spec spec = parse_spec(text);
  find_agent(spec.name);
  if (!spec.arguments.empty()) {
    fail("agent '{}': '{}' is not an option: expected key=value", spec.name, spec.arguments[0]);
  }
  return spec;
}

void write(ArchiveWriter& out, const ProblemShape& shape) {
  out.write("features", static_cast<std::int64_t>(shape.features));
  out.write("actions", static_cast<std::int64_t>(shape.actions));
  out.write("action_features", static_cast<std::int64_t>(shape.action_features));
  out.write("fixed_actions", static_cast<std::int64_t>(shape.fixed_actions));
  out.write("image_height", static_cast<std::int64_t>(shape.image.height));
  out.write("image_width", static_cast<std::int64_t>(shape.image.width));
  out.write("image_channels", static_cast<std::int64_t>(shape.image.channels));
}

ProblemShape read_shape(ArchiveReader& in) {
  ProblemShape shape;
  shape.features = in.read_integer("features");
  shape.actions = in.read_integer("actions");
  shape.action_features = in.read_integer("action_features");
  shape.fixed_actions = in.read_integer("fixed_actions") != 0;
  shape.image.height = in.read_integer("image_height");
  shape.image.width = in.read_integer("image_width");
  shape.image.channels = in.read_integer("image_channels");
  check(shape);
  return shape;
}

SavedAgent read_agent(ArchiveReader& in) {
  const auto kind = in.read_text("kind");
  if (kind != kKind) fail("this is a saved {}: expected a saved agent", kind);
  SavedAgent saved;
  saved.spec = in.read_text("spec");
  const AgentEntry& entry = find_agent(in.read_text("name"));
  const auto count = in.read_integer("options");
  for (std::int64_t i = 0; i < count; ++i) {
    const auto name = in.read_text("option");
    saved.options[name] = in.read_text("value");
  }
  saved.shape = read_shape(in);
  saved.agent = entry.make(saved.options, saved.shape);
  saved.agent->load(in);
  in.expect_end();
  return saved;
}

}  // namespace

const std::vector<AgentEntry>& agents() {
  static const std::vector<AgentEntry> entries = {
      uniform_agent(),      linear_agent(),    neural_greedy_agent(), neural_linear_agent(),
      lim2_agent(),         neural_ts_agent(), neural_ucb_agent(),    ekf_agent(),
      subspace_ekf_agent(), lofi_agent(),      auto_agent(),
  };
  return entries;
}

const AgentEntry& find_agent(const std::string& name) {
  const auto& entries = agents();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const AgentEntry& entry) { return entry.name == name; });
  if (found != entries.end()) return *found;
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  fail("no agent is called '{}'{}", name, suggestion(name, names));
}

std::unique_ptr<Agent> make_agent(const std::string& text, const ProblemShape& shape) {
  check(shape);
  const Spec spec = parse_agent_spec(text);
  return find_agent(spec.name).make(spec.options, shape);
}

void save_agent(const std::filesystem::path& path, const std::string& text,
                const ProblemShape& shape, const Agent& agent) {
  const Spec spec = parse_agent_spec(text);
  const auto docs = find_agent(spec.name).options();
  ArchiveWriter out;
  out.write("kind", kKind);
  out.write("spec", text);
  out.write("name", spec.name);
  out.write("options", static_cast<std::int64_t>(docs.size()));
  for (const auto& doc : docs) {
    const auto typed = spec.options.find(doc.name);
    out.write("option", doc.name);
    out.write("value", typed == spec.options.end() ? doc.value : typed->second);
  }
  write(out, shape);
  agent.save(out);
  write_file_atomically(path, out.finish());
}

SavedAgent load_agent(const std::filesystem::path& path) {
  ArchiveReader in(read_file(path), path.string());
  try {
    return read_agent(in);
  } catch (const Error& error) {
    // The archive's own errors begin with its name; options, shapes and agents do not know it.
    if (std::string_view(error.what()).starts_with(path.string())) throw;
    fail("{}: {}", path.string(), error.what());
  }
}

}  // namespace bandolier
