// `bandolier inspect MODEL`: what a saved agent is.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bandolier/agent/named_agent.h"
#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/options.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/text_table.h"
#include "bandolier/model/schema_encoder.h"
#include "bandolier/model/slot_encoder.h"
#include "commands.h"
#include "console.h"

namespace bandolier {
namespace {

// As one line that leaves a terminal alone: names come from a file.
std::string plain(std::string text) {
  for (char& c : text) {
    if ((c >= 0 && c < ' ') || c == '\x7f') c = '?';
  }
  return text;
}

// The first few.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  const std::size_t shown = std::min(kShown, names.size());
  std::string text = join(std::span(names).first(shown), ", ");
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

// What an encoder knows: names that have a slot, or columns and their words.
std::string known_names(const FeatureEncoder& encoder) {
  std::vector<std::string> names;
  if (const auto* slots = dynamic_cast<const SlotEncoder*>(&encoder)) {
    for (Index i = 0; i < slots->names().size(); ++i) names.emplace_back(slots->names().name(i));
    return fmt::format("{} in {} slots{}{}", names.size(), slots->features(),
                       names.empty() ? "" : ": ", listed(names));
  }
  const auto& schema = dynamic_cast<const SchemaEncoder&>(encoder).schema();
  for (const FeatureColumn& column : schema.columns) {
    names.push_back(column.categorical()
                        ? fmt::format("{} ({} words)", column.name, column.words.size())
                        : column.name);
  }
  return fmt::format("{} columns: {}", names.size(), listed(names));
}

void add_names(const NamedAgent& agent, TextTable& facts) {
  if (!agent.actions().empty()) facts.add_row({"action names", plain(listed(agent.actions()))});
  facts.add_row({"named features", plain(known_names(agent.context_encoder()))});
  if (const FeatureEncoder* of_action = agent.action_encoder()) {
    facts.add_row({"named features per action", plain(known_names(*of_action))});
  }
}

// `named` is null where features go by number.
std::string describe(const std::string& path, const Agent& agent, const NamedAgent* named) {
  using enum TextTable::Align;
  const AgentSpec& spec = agent.spec();
  const AgentEntry& entry = find_agent(spec.name);
  const AgentReport report = named != nullptr ? named->report() : agent.report();
  const ProblemShape& shape = agent.shape();
  const auto count = [](Index value) { return with_commas(static_cast<double>(value)); };
  std::string out = fmt::format("{}: {} ({})\n\n", path, plain(spec.text), entry.summary);
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
  if (named != nullptr) add_names(*named, facts);
  if (report.parameters) facts.add_row({"parameters", count(*report.parameters)});
  if (report.subspace_dim) facts.add_row({"subspace dim", count(*report.subspace_dim)});
  facts.add_row({"belief", show_bytes(static_cast<double>(report.belief_bytes))});
  facts.add_row({"steps learned", count(static_cast<Index>(report.steps))});
  for (const auto& [name, value] : report.signals)
    facts.add_row({name, fmt::format("{:.4g}", value)});
  for (const auto& note : report.notes) facts.add_row({"note", plain(note.to_text())});
  const std::string lines = facts.str();
  out += lines.substr(lines.find('\n') + 1) + "\n";

  TextTable options({{"option", kLeft}, {"value", kLeft}, {"meaning", kLeft}});
  for (const auto& doc : entry.options()) {
    const auto value = spec.options.find(doc.name);
    options.add_row(
        {doc.name, value == spec.options.end() ? doc.value : plain(value->second), doc.help});
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
            const ArchiveReader in = read_archive(*path);
            if (in.has("names")) {
              const NamedAgent named = NamedAgent::read(in, *path);
              print_result(describe(*path, named.agent(), &named));
            } else {
              print_result(describe(*path, *read_agent(in, *path), nullptr));
            }
            return kSuccess;
          }};
}

}  // namespace bandolier
