// `bandolier inspect MODEL`: what a saved agent is.
#include <filesystem>
#include <memory>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/options.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/text_table.h"
#include "commands.h"
#include "console.h"

namespace bandolier {
namespace {

std::string describe(const std::string& path, const Agent& agent) {
  using enum TextTable::Align;
  const AgentSpec& spec = agent.spec();
  const AgentEntry& entry = find_agent(spec.name);
  const AgentReport report = agent.report();
  const ProblemShape& shape = agent.shape();
  const auto count = [](Index value) { return with_commas(static_cast<double>(value)); };
  std::string out = fmt::format("{}: {} ({})\n\n", path, spec.text, entry.summary);
  TextTable facts({{"", kLeft}, {"", kLeft}});
  facts.add_row({"features", count(shape.features)});
  facts.add_row({"actions", fmt::format("{}{}", count(shape.actions),
                                        shape.fixed_actions ? "" : " at most, changing")});
  if (shape.action_features > 0) {
    facts.add_row({"features per action", count(shape.action_features)});
  }
  if (shape.image.size() > 0) {
    facts.add_row({"image", fmt::format("{} × {} × {}", shape.image.height, shape.image.width,
                                        shape.image.channels)});
  }
  if (report.parameters) facts.add_row({"parameters", count(*report.parameters)});
  if (report.subspace_dim) facts.add_row({"subspace dim", count(*report.subspace_dim)});
  facts.add_row({"belief", show_bytes(static_cast<double>(report.belief_bytes))});
  facts.add_row({"steps learned", count(static_cast<Index>(report.steps))});
  for (const auto& [name, value] : report.signals)
    facts.add_row({name, fmt::format("{:.4g}", value)});
  for (const auto& note : report.notes) facts.add_row({"note", note.to_text()});
  const std::string lines = facts.str();
  out += lines.substr(lines.find('\n') + 1) + "\n";

  TextTable options({{"option", kLeft}, {"value", kLeft}, {"meaning", kLeft}});
  for (const auto& doc : entry.options()) {
    const auto value = spec.options.find(doc.name);
    options.add_row({doc.name, value == spec.options.end() ? doc.value : value->second, doc.help});
  }
  return out + options.str();
}

}  // namespace

Command add_inspect_command(CLI::App& program) {
  auto path = std::make_shared<std::string>();
  CLI::App* app = program.add_subcommand(
      "inspect", "What a saved agent is: kind, options, sizes, steps learned");
  app->add_option("model", *path, "A file that `bandolier run --save` wrote")
      ->type_name("MODEL")
      ->required();
  add_examples(*app, "bandolier run --env wheel --agent linear --trials 1 --save models",
               "bandolier inspect models/wheel--linear.bndl");
  return {app, [path] {
            if (path->empty()) throw UsageError("the name of the model is empty: expected a file");
            print_result(describe(*path, *load_agent(*path)));
            return kSuccess;
          }};
}

}  // namespace bandolier
