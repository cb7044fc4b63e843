#include "bandolier/agent/registry.h"

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
#include "bandolier/core/find_named.h"
#include "bandolier/core/memory_limit.h"

namespace bandolier {
namespace {

constexpr std::string_view kKind = "agent";

AgentSpec parse_agent_spec(const std::string& text, const OptionTexts& defaults) {
  const Spec spec = parse_spec(text);
  const AgentEntry& entry = find_agent(spec.name);
  if (!spec.arguments.empty()) {
    fail("agent '{}': '{}' is not an option: expected key=value", spec.name, spec.arguments[0]);
  }
  AgentSpec parsed{text, spec.name, spec.options};
  parsed.options.insert(defaults.begin(), defaults.end());
  for (const OptionDoc& doc : entry.options()) parsed.options.emplace(doc.name, doc.value);
  return parsed;
}

void write(ArchiveWriter& out, const AgentSpec& spec) {
  out.write("text", spec.text);
  out.write("name", spec.name);
  std::vector<std::string> names, values;
  for (const auto& [name, value] : spec.options) {
    names.push_back(name);
    values.push_back(value);
  }
  out.write("options", names);
  out.write("values", values);
}

AgentSpec read_spec(const ArchiveReader& in) {
  AgentSpec spec{in.read_text("text"), in.read_text("name"), {}};
  const auto names = in.read_texts("options"), values = in.read_texts("values");
  if (names.size() != values.size()) {
    fail("{} has {} names and {} values: expected as many", in.where("options"), names.size(),
         values.size());
  }
  for (std::size_t i = 0; i < names.size(); ++i) spec.options[names[i]] = values[i];
  for (const auto& [option, value] : find_agent(spec.name).before) {
    spec.options.try_emplace(option, value);
  }
  return spec;
}

void write(ArchiveWriter& out, const ProblemShape& shape) {
  out.write("features", shape.features);
  out.write("actions", shape.actions);
  out.write("action_features", shape.action_features);
  out.write("fixed_actions", shape.fixed_actions);
  out.write("image_height", shape.image.height);
  out.write("image_width", shape.image.width);
  out.write("image_channels", shape.image.channels);
}

ProblemShape read_shape(const ArchiveReader& in) {
  ProblemShape shape;
  shape.features = in.read_integer("features");
  shape.actions = in.read_integer("actions");
  shape.action_features = in.read_integer("action_features");
  shape.fixed_actions = in.read_bool("fixed_actions");
  shape.image.height = in.read_integer("image_height");
  shape.image.width = in.read_integer("image_width");
  shape.image.channels = in.read_integer("image_channels");
  check(shape);
  if (shape.fixed_actions) {
    const double pulls = sizeof(std::int64_t) * static_cast<double>(shape.actions);
    require_available_memory(pulls, fmt::format("an agent of {} actions", shape.actions),
                             "use fewer actions", pulls);
  }
  return shape;
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
  return find_named(agents(), name, "agent");
}

std::unique_ptr<Agent> make_agent(const AgentSpec& spec, const ProblemShape& shape) {
  check(shape);
  auto agent = find_agent(spec.name).make(spec.options, shape);
  agent->spec_ = spec;
  return agent;
}

std::unique_ptr<Agent> make_agent(const std::string& text, const ProblemShape& shape,
                                  const OptionTexts& defaults) {
  return make_agent(parse_agent_spec(text, defaults), shape);
}

void write_agent(const Agent& agent, ArchiveWriter& out) {
  out.write("kind", kKind);
  {
    const auto section = out.section("spec");
    write(out, agent.spec());
  }
  {
    const auto section = out.section("shape");
    write(out, agent.shape());
  }
  {
    const auto section = out.section("agent");
    agent.save(out);
  }
}

std::unique_ptr<Agent> read_agent(const ArchiveReader& in, const std::string& name) {
  try {
    const auto kind = in.read_text("kind");
    if (kind != kKind) fail("this is a saved {}: expected a saved agent", kind);
    const LoadedFile file(in.file_bytes());
    const ProblemShape shape = read_shape(in.section("shape"));
    auto agent = make_agent(read_spec(in.section("spec")), shape);
    agent->load(in.section("agent"));
    return agent;
  } catch (const Error& error) {
    // The archive's own errors begin with its name; options, shapes and agents do not know it.
    if (std::string_view(error.what()).starts_with(name)) throw;
    fail("{}: {}", name, error.what());
  }
}

bool is_saved_agent(const std::string& spec) { return spec.ends_with(".bndl"); }

std::string save_agent(const Agent& agent) {
  ArchiveWriter out;
  write_agent(agent, out);
  return out.finish();
}

void save_agent(const std::filesystem::path& path, const Agent& agent) {
  ArchiveWriter out;
  write_agent(agent, out);
  write_archive(path, out);
}

std::unique_ptr<Agent> load_agent(std::string bytes, const std::string& name) {
  return read_agent(ArchiveReader(std::move(bytes), name), name);
}

std::unique_ptr<Agent> load_agent(const std::filesystem::path& path) {
  return read_agent(read_archive(path), path.string());
}

}  // namespace bandolier
