// `bandolier list agents|envs [NAME]`: what is there, from the registries.
#include <memory>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/report/text_table.h"
#include "commands.h"
#include "console.h"

namespace bandolier {
namespace {

struct ListArguments {
  std::string what, name;
};

using enum TextTable::Align;

std::string options_text(const std::vector<OptionDoc>& docs) {
  if (docs.empty()) return "no options\n";
  TextTable table({{"option", kLeft}, {"default", kLeft}, {"expected", kLeft}, {"meaning", kLeft}});
  for (const auto& doc : docs) table.add_row({doc.name, doc.value, doc.expected, doc.help});
  return table.str();
}

// Names and one line each, or one entry with its options.
template <class Entries, class Find, class Usage>
std::string listing(const Entries& entries, const std::string& title, const std::string& name,
                    Find find, Usage usage) {
  if (!name.empty()) {
    const auto& entry = find(name);
    return fmt::format("{}: {}\n\n{}", usage(entry), entry.summary, options_text(entry.options()));
  }
  TextTable table({{title, kLeft}, {"what it is", kLeft}});
  for (const auto& entry : entries) table.add_row({usage(entry), entry.summary});
  return table.str();
}

std::string list(const ListArguments& arguments) {
  if (arguments.what == "agents") {
    return listing(agents(), "agent", arguments.name, find_agent,
                   [](const AgentEntry& entry) { return entry.name; });
  }
  if (arguments.what == "envs") {
    return listing(environments(), "environment", arguments.name, find_environment,
                   [](const EnvironmentEntry& entry) { return entry.usage; });
  }
  if (arguments.what.empty()) fail("nothing to list was named: expected agents or envs");
  const std::vector<std::string> known = {"agents", "envs"};
  fail("there is no list of '{}'{}", arguments.what, suggestion(arguments.what, known));
}

int run_list(const ListArguments& arguments) {
  std::string text;
  try {
    text = list(arguments);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  print_result(text);
  return kSuccess;
}

}  // namespace

Command add_list_command(CLI::App& program) {
  auto arguments = std::make_shared<ListArguments>();
  CLI::App* app = program.add_subcommand("list", "Agents and environments, with their options");
  app->add_option("what", arguments->what, "agents or envs");
  app->add_option("name", arguments->name, "One of them: its options, defaults and meaning");
  add_examples(*app, "bandolier list envs", "bandolier list agents linear");
  return {app, [arguments] { return run_list(*arguments); }};
}

}  // namespace bandolier
