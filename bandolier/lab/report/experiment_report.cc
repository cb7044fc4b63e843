#include "bandolier/lab/report/experiment_report.h"

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/report/action_table.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/said_notes.h"

namespace bandolier {
namespace {

// A word as a POSIX shell takes it.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789-_=.,:/+") == std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string chip(Index agent) {
  return fmt::format("<span class=\"{}\"></span>",
                     series_class("chip", static_cast<std::size_t>(agent)));
}

std::string agent_cell(const Results& results, const Summary& s) {
  const auto& agent = results.settings.agents[static_cast<std::size_t>(s.agent)];
  return chip(s.agent) + escape_markup(figure_name(agent)) +
         (s.failed > 0 ? fmt::format(" <span class=\"badge failed\">{} failed</span>", s.failed)
                       : "");
}

// What was earned.
HtmlTable reward_table(const Results& results, const std::vector<const Summary*>& rows,
                       const std::string& base) {
  HtmlTable table;
  table.titles = {"agent",
                  "reward",
                  fmt::format("vs {}", escape_markup(base)),
                  "of the way from<br>uniform to oracle, %",
                  "regret",
                  "time of<br>a trial",
                  "belief"};
  for (const Summary* s : rows) {
    if (s->reward.count == 0) {
      table.rows.push_back({agent_cell(results, *s), "–", "", "", "", "", ""});
      continue;
    }
    table.rows.push_back({agent_cell(results, *s), show_estimate(s->reward),
                          s->difference ? show_difference(*s->difference) : "",
                          show_share(s->share), show_reward(s->regret.mean),
                          show_seconds(s->seconds.mean),
                          show_bytes(static_cast<double>(s->belief_bytes))});
  }
  const auto reference = [&](const std::string& name, double value, const Summary& s) {
    table.rows.push_back({fmt::format("<span class=\"soft-text\">{}</span>", name),
                          show_reward(value), "", show_share(share_of(value, s)), "", "", ""});
  };
  const auto any =
      std::find_if(rows.begin(), rows.end(), [](const Summary* s) { return s->reward.count > 0; });
  if (any != rows.end()) {
    reference("uniform", (*any)->uniform.mean, **any);
    if ((*any)->best_fixed) reference("best fixed action", (*any)->best_fixed->mean, **any);
    reference("oracle", (*any)->oracle.mean, **any);
  }
  return table;
}

// What it cost.
HtmlTable cost_table(const Results& results, const std::vector<const Summary*>& rows) {
  HtmlTable table;
  table.titles = {
      "agent",  "time of<br>a trial", "warm-up", "choose", "observe", "µs per step<br>p50", "p99",
      "belief", "parameters",         "subspace"};
  const auto count = [](const std::optional<Index>& value) {
    return value ? with_commas(static_cast<double>(*value)) : std::string("–");
  };
  for (const Summary* s : rows) {
    if (s->reward.count == 0) continue;
    table.rows.push_back(
        {agent_cell(results, *s), show_seconds(s->seconds.mean),
         show_seconds(s->warmup_seconds.mean), show_seconds(s->choose_seconds.mean),
         show_seconds(s->observe_seconds.mean), show_microseconds(s->step_us_p50),
         show_microseconds(s->step_us_p99), show_bytes(static_cast<double>(s->belief_bytes)),
         count(s->parameters), count(s->subspace_dim)});
  }
  return table;
}

// How often each action was chosen.
void add_actions(HtmlPage& page, const Results& results, const std::vector<Summary>& summaries,
                 Index environment) {
  const ChosenActions chosen = most_chosen(results, summaries, environment);
  if (chosen.agents.empty()) return;
  HtmlTable table;
  table.titles = {"action"};
  for (const Summary* s : chosen.agents) table.titles.push_back(agent_cell(results, *s));
  for (const auto& [name, action] : chosen.actions) {
    table.rows.push_back({escape_markup(name)});
    for (const Summary* s : chosen.agents) {
      table.rows.back().push_back(show_share(s->chosen[action]));
    }
  }
  page.add(fmt::format(
      "<details><summary>How often each action was chosen, %</summary>{}{}"
      "</details>\n",
      table.str(), chosen.more > 0 ? fmt::format("<p>… {} more</p>\n", chosen.more) : ""));
}

// Failures, and every note once.
void add_notes(HtmlPage& page, const Results& results, const std::vector<const Summary*>& rows) {
  const auto name = [&](Index agent) {
    return figure_name(results.settings.agents[static_cast<std::size_t>(agent)]);
  };
  std::string items;
  for (const Summary* s : rows) {
    if (s->failed == 0) continue;
    items += fmt::format("<li>{}: {} trials failed: {}</li>", escape_markup(name(s->agent)),
                         s->failed, escape_markup(s->first_error));
  }
  for (const auto& said : said_notes(results, rows)) {
    std::vector<std::string> names;
    for (const Index agent : said.agents) names.push_back(name(agent));
    items += fmt::format("<li>{}{}{}</li>", escape_markup(join(names, ", ")),
                         names.empty() ? "" : ": ", escape_markup(said.note.to_text()));
  }
  if (!items.empty()) page.add(fmt::format("<ul class=\"soft-text\">{}</ul>\n", items));
}

}  // namespace

std::string protocol_badge(const ExperimentSettings& settings) {
  const bool honest = settings.warmup_feedback == WarmupFeedback::kBandit;
  return fmt::format("<span class=\"badge {}\">{}</span>", honest ? "honest" : "leaky",
                     honest ? "honest protocol" : "not honest: warm-up saw every action’s reward");
}

std::string run_command_line(const ExperimentSettings& settings) {
  std::string line = "bandolier run --env";
  for (const auto& spec : specs_of(settings.environments))
    line += fmt::format(" {}", shell_word(spec));
  line += " --agent";
  for (const auto& agent : settings.agents) line += fmt::format(" {}", shell_word(agent.spec));
  if (settings.steps) line += fmt::format(" --steps {}", *settings.steps);
  line += fmt::format(" --trials {} --seed {} --warmup-pulls {}", settings.trials, settings.seed,
                      settings.warmup_pulls);
  if (settings.warmup_feedback == WarmupFeedback::kFull) line += " --warmup-feedback full";
  if (settings.probabilities) line += " --log LOGS";
  return line;
}

void add_environments(HtmlPage& page, const Results& results, const std::string& baseline,
                      int level, std::vector<NamedFigure>& figures) {
  const Index base = find_baseline(results.settings, baseline);
  const std::string base_name =
      figure_name(results.settings.agents[static_cast<std::size_t>(base)]);
  const auto summaries = summarise(results, base);
  for (std::size_t e = 0; e < results.environments.size(); ++e) {
    const EnvironmentFacts& facts = results.environments[e];
    std::vector<const Summary*> rows;
    for (const Summary& s : summaries) {
      if (s.environment == static_cast<Index>(e)) rows.push_back(&s);
    }
    page.heading(level, results.settings.environments[e].shown());
    page.paragraph(fmt::format("{} steps, {} of them warm-up; {} features, {} actions.",
                               with_commas(static_cast<double>(facts.steps)), facts.warmup_steps,
                               facts.features, facts.actions));
    page.add(reward_table(results, rows, base_name).str());
    std::vector<std::string> svgs;
    for (auto& figure : environment_figures(results, summaries, static_cast<Index>(e))) {
      svgs.push_back(figure.svg.str());
      figures.push_back(std::move(figure));
    }
    if (!svgs.empty()) page.figures(svgs);
    page.add(fmt::format("<details><summary>Time and memory in detail</summary>{}</details>\n",
                         cost_table(results, rows).str()));
    add_actions(page, results, summaries, static_cast<Index>(e));
    add_notes(page, results, rows);
  }
}

void add_provenance(HtmlPage& page, const StoredResults& stored) {
  const auto& manifest = stored.manifest;
  const auto value = [&manifest](const char* group, const char* key) {
    const auto found = manifest.find(group);
    if (found == manifest.end() || !found->contains(key)) return std::string("unknown");
    const auto& v = found->at(key);
    return v.is_string() ? v.get<std::string>() : json_text(v);
  };
  const auto merged = manifest.find("merged");
  const std::string shares =
      merged == manifest.end()
          ? ""
          : fmt::format(" · merged of {} shares, the first of them here", merged->size());
  page.add(fmt::format(
      "<p class=\"soft-text\">Bandolier {} · {} · {}, {} cores, {} GB · {}, {} · seed {}{}</p>\n",
      escape_markup(manifest.value("bandolier", "unknown")),
      escape_markup(manifest.value("started", "")), escape_markup(value("machine", "processor")),
      escape_markup(value("machine", "cores")), escape_markup(value("machine", "memory_gb")),
      escape_markup(value("build", "compiler")), escape_markup(value("build", "type")),
      stored.results.settings.seed, shares));
}

std::string experiment_page(const StoredResults& stored, const std::string& baseline,
                            std::vector<NamedFigure>& figures) {
  const Results& results = stored.results;
  const ExperimentSettings& settings = results.settings;
  const std::string title = settings.name.empty() ? "Bandolier experiment" : settings.name;
  HtmlPage page(title);
  page.heading(1, title);
  page.add(
      fmt::format("<p class=\"lead\">{} agent{} on {} environment{}, {} trial{} each. {}</p>\n",
                  settings.agents.size(), settings.agents.size() == 1 ? "" : "s",
                  settings.environments.size(), settings.environments.size() == 1 ? "" : "s",
                  settings.trials, settings.trials == 1 ? "" : "s", protocol_badge(settings)));
  if (static_cast<Index>(results.records.size()) < results.expected_records()) {
    page.paragraph(fmt::format("Incomplete: {} of {} trials are there.", results.records.size(),
                               results.expected_records()));
  }
  for (const auto& damage : stored.damage) page.paragraph(damage);
  page.paragraph("Run it again:");
  page.code(settings.command.empty() ? run_command_line(settings) : settings.command);
  page.paragraph(
      "Rewards and regrets are totals of a trial, warm-up included once; ± and error bars are 95 % "
      "intervals over trials (Student’s t); differences are paired by trial, which share contexts "
      "and rewards.");
  add_environments(page, results, baseline, 2, figures);
  const auto add_specs = [&page](const char* heading, const char* column,
                                 const std::vector<LabelledSpec>& list) {
    page.heading(2, heading);
    HtmlTable table{{column, "as typed"}, {}};
    for (const auto& one : list) {
      table.rows.push_back({escape_markup(figure_name(one)),
                            fmt::format("<code>{}</code>", escape_markup(one.spec))});
    }
    page.add(table.str());
  };
  add_specs("Agents", "agent", settings.agents);
  const bool labelled = std::any_of(settings.environments.begin(), settings.environments.end(),
                                    [](const LabelledSpec& one) { return !one.label.empty(); });
  if (labelled) add_specs("Environments", "environment", settings.environments);
  add_provenance(page, stored);
  return page.str();
}

void write_page(const std::filesystem::path& folder, const std::string& html,
                const std::vector<NamedFigure>& figures) {
  require_writable_folder(folder);
  for (const auto& figure : figures) {
    write_file_atomically(folder / (figure.name + ".svg"), figure.svg.standalone());
  }
  write_file_atomically(folder / "report.html", html);
}

}  // namespace bandolier
