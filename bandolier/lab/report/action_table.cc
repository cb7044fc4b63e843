#include "bandolier/lab/report/action_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/short_names.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

constexpr std::size_t kMostActions = 20;
// 24 + 6 · (2 + 10) characters: a table stays within 100.
constexpr std::size_t kActionWidth = 24, kAgentWidth = 10, kAgentsBeside = 6;
constexpr std::size_t kEnvironmentWidth = 46;

}  // namespace

std::string action_name(const EnvironmentFacts& facts, std::size_t action) {
  return action < facts.action_names.size() ? facts.action_names[action] : std::to_string(action);
}

ChosenActions most_chosen(const Results& results, const std::vector<Summary>& summaries,
                          Index environment) {
  const EnvironmentFacts& facts = results.environments[static_cast<std::size_t>(environment)];
  ChosenActions out;
  std::vector<double> sums(static_cast<std::size_t>(facts.actions));
  for (const Summary& s : summaries) {
    if (s.environment != environment || s.chosen.empty()) continue;
    out.agents.push_back(&s);
    for (std::size_t a = 0; a < sums.size(); ++a) sums[a] += s.chosen[a];
  }
  if (out.agents.empty()) return out;
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  out.more = order.size() - std::min(order.size(), kMostActions);
  order.resize(order.size() - out.more);
  for (const std::size_t a : order) out.actions.emplace_back(action_name(facts, a), a);
  return out;
}

std::string action_tables(const Results& results, const std::vector<Summary>& summaries) {
  using enum TextTable::Align;
  const ShortNames names(results.settings.agents, kAgentWidth);
  const ShortNames environments(results.settings.environments, kEnvironmentWidth, "e");
  std::string out;
  for (Index e = 0; e < static_cast<Index>(results.environments.size()); ++e) {
    const ChosenActions chosen = most_chosen(results, summaries, e);
    if (chosen.agents.empty()) continue;
    out += fmt::format("\n{}: how often each action was chosen, %\n", environments.name(e));
    for (std::size_t first = 0; first < chosen.agents.size(); first += kAgentsBeside) {
      const std::size_t end = std::min(first + kAgentsBeside, chosen.agents.size());
      std::vector<TextTable::Column> columns = {{"action", kLeft}};
      for (std::size_t i = first; i < end; ++i) {
        columns.push_back({names.brief(chosen.agents[i]->agent), kRight});
      }
      TextTable table(columns);
      for (const auto& [name, action] : chosen.actions) {
        std::vector<std::string> row = {shortened(name, kActionWidth)};
        for (std::size_t i = first; i < end; ++i) {
          row.push_back(show_share(chosen.agents[i]->chosen[action]));
        }
        table.add_row(std::move(row));
      }
      out += table.str();
    }
    if (chosen.more > 0) out += fmt::format("… {} more\n", chosen.more);
  }
  if (out.empty()) return "\nNo environment has actions that stay the same.\n";
  return out + names.legend();
}

}  // namespace bandolier
