#include "bandolier/lab/report/paper_report.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "bandolier/core/options.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/paper.h"
#include "bandolier/lab/report/experiment_report.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

using Parts = std::map<std::string, Results>;

constexpr std::string_view kDimPart = "subspace-dim-";
constexpr std::string_view kTimePart = "time-";

// What is compared with the paper's figures: rewards by method and problem.
struct Comparison {
  std::vector<std::string> columns;  // "shuttle", "mnist-mlp1"
  std::vector<std::string> methods;
  struct Cell {
    std::string ours;
    std::optional<double> published;
  };
  std::map<std::pair<std::string, std::string>, Cell> cells;  // by (method, column)
};

Comparison compare(const Parts& parts) {
  Comparison out;
  for (const auto& [id, results] : parts) {
    if (id.starts_with(kDimPart) || id.starts_with(kTimePart)) continue;
    for (const Summary& s : summarise(results, 0)) {
      const EnvironmentFacts& facts = results.environments[static_cast<std::size_t>(s.environment)];
      const auto& method = results.settings.agents[static_cast<std::size_t>(s.agent)].shown();
      const std::string column = id == "tabular" ? parse_spec(facts.spec).name : id;
      const auto add_once = [](std::vector<std::string>& list, const std::string& word) {
        if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
      };
      add_once(out.columns, column);
      add_once(out.methods, method);
      out.cells[{method, column}] = {show_estimate(s.reward), published_reward(id, facts, method)};
    }
  }
  return out;
}

std::string verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kReproduced:
      return "reproduced";
    case Verdict::kNotReproduced:
      return "NOT reproduced";
    case Verdict::kTooFewTrials:
      return "too few trials";
    case Verdict::kNotRun:
      return "not run";
  }
  return "";
}

void add_claims(HtmlPage& page, const std::vector<Claim>& claims) {
  page.heading(2, "The paper’s claims");
  for (const Claim& claim : claims) {
    const char* colour = claim.verdict == Verdict::kReproduced      ? "s2"
                         : claim.verdict == Verdict::kNotReproduced ? "s6"
                                                                    : "s8";
    page.add(fmt::format(
        "<div class=\"claim {}\"><strong>{}</strong> — {}.<br><span class=\"soft-text\">{}{}"
        "</span></div>\n",
        colour, verdict_word(claim.verdict), escape_markup(claim.text),
        escape_markup("Counts as reproduced if " + claim.rule + ". "),
        escape_markup(claim.evidence.empty() ? "" : "Ours: " + claim.evidence + ".")));
  }
}

void add_comparison(HtmlPage& page, const Comparison& comparison) {
  if (comparison.columns.empty()) return;
  page.heading(2, "Total reward, ours and the paper’s");
  HtmlTable table;
  table.titles = {"method"};
  for (const auto& column : comparison.columns) table.titles.push_back(escape_markup(column));
  for (const auto& method : comparison.methods) {
    std::vector<std::string> row = {escape_markup(method)};
    for (const auto& column : comparison.columns) {
      const auto found = comparison.cells.find({method, column});
      if (found == comparison.cells.end()) {
        row.push_back("");
        continue;
      }
      const auto& published = found->second.published;
      row.push_back(
          found->second.ours +
          (published ? fmt::format("<br><small>paper {}</small>", with_commas(*published)) : ""));
    }
    table.rows.push_back(std::move(row));
  }
  page.add(table.str());
  page.paragraph(
      "The paper’s figures come from code whose warm-up saw the rewards of all actions, whose "
      "trials shared one shuffle and one warm-up, and which counted warm-up rewards twice; LiM2 "
      "and Neural-TS were copied from elsewhere.");
}

// Reward against the subspace's dimension, SVD and random.
Svg dimension_figure(const Results& results) {
  LineChart chart;
  chart.title = "Reward against subspace dimension: " + results.environments.front().spec;
  chart.x_title = "d (log)";
  chart.y_title = "total reward";
  chart.log_x = true;
  chart.lines = {{"SVD", 0, {}, {}, {}, {}}, {"random", 1, {}, {}, {}, {}}};
  for (const Summary& s : summarise(results, 0)) {
    const auto& label = results.settings.agents[static_cast<std::size_t>(s.agent)].label;
    const auto dim = parse_double(label.substr(label.find('=') + 1));
    if (s.reward.count == 0 || !dim) continue;
    Line& line = chart.lines[label.starts_with("SVD") ? 0 : 1];
    const double margin = s.reward.ci95.value_or(0);
    line.x.push_back(*dim);
    line.y.push_back(s.reward.mean);
    line.low.push_back(s.reward.mean - margin);
    line.high.push_back(s.reward.mean + margin);
  }
  return draw_lines(chart);
}

bool any_shorter(const Parts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const auto& part) { return shorter_than_paper(part.second); });
}

constexpr std::string_view kShorter =
    "These trials are shorter than the paper's: verdicts are indications, and the paper's figures "
    "are not comparable.";

// The commands that made the parts, each once.
std::string paper_command_lines(const std::vector<StoredResults>& folders) {
  std::set<std::string> seen;
  std::string lines;
  for (const auto& folder : folders) {
    const std::string& command = folder.results.settings.command;
    if (!command.empty() && seen.insert(command).second) lines += command + " --out DIR\n";
  }
  return lines;
}

// The badges of all folders, each once.
std::string protocol_badges(const std::vector<StoredResults>& folders) {
  std::set<std::string> seen;
  std::string badges;
  for (const auto& folder : folders) {
    const std::string badge = protocol_badge(folder.results.settings);
    if (seen.insert(badge).second) badges += (badges.empty() ? "" : " ") + badge;
  }
  return badges;
}

}  // namespace

std::string paper_text(const Parts& parts) {
  const Comparison comparison = compare(parts);
  std::string out;
  if (!comparison.columns.empty()) {
    std::vector<TextTable::Column> columns = {{"method", TextTable::Align::kLeft}};
    for (const auto& column : comparison.columns) {
      columns.push_back({column, TextTable::Align::kRight});
      columns.push_back({"paper", TextTable::Align::kRight});
    }
    TextTable table(columns);
    for (const auto& method : comparison.methods) {
      std::vector<std::string> row = {method};
      for (const auto& column : comparison.columns) {
        const auto found = comparison.cells.find({method, column});
        const bool there = found != comparison.cells.end();
        row.push_back(there ? found->second.ours : "");
        row.push_back(there && found->second.published ? with_commas(*found->second.published)
                                                       : "");
      }
      table.add_row(std::move(row));
    }
    out += "Total reward, ours and the paper's\n" + table.str() + "\n";
  }
  for (const Claim& claim : judge_claims(parts)) {
    out += fmt::format("{}: {}{}\n", verdict_word(claim.verdict), claim.text,
                       claim.evidence.empty() ? "" : fmt::format(" ({})", claim.evidence));
  }
  if (any_shorter(parts)) out += fmt::format("{}\n", kShorter);
  return out;
}

std::string collection_page(const std::vector<StoredResults>& folders, const std::string& baseline,
                            std::vector<NamedFigure>& figures) {
  Parts parts;
  for (const auto& folder : folders) {
    if (const auto id = paper_part_id(folder.results.settings)) parts[*id] = folder.results;
  }
  const std::string title = parts.empty() ? "Bandolier experiments" : "The paper’s experiments";
  HtmlPage page(title);
  page.heading(1, title);
  page.add(fmt::format("<p class=\"lead\">{} experiment{}. {}</p>\n", folders.size(),
                       folders.size() == 1 ? "" : "s", protocol_badges(folders)));
  if (!parts.empty()) {
    if (const auto lines = paper_command_lines(folders); !lines.empty()) {
      page.paragraph("Run it again:");
      page.code(lines);
    }
    if (any_shorter(parts)) page.paragraph(kShorter);
    add_claims(page, judge_claims(parts));
    add_comparison(page, compare(parts));
    std::vector<std::string> svgs;
    for (const auto& [id, results] : parts) {
      if (!id.starts_with(kDimPart)) continue;
      figures.push_back({id, dimension_figure(results)});
      svgs.push_back(figures.back().svg.str());
    }
    if (!svgs.empty()) {
      page.heading(2, "Varying the subspace");
      page.figures(svgs);
    }
  }
  for (const auto& folder : folders) {
    const ExperimentSettings& settings = folder.results.settings;
    const auto id = paper_part_id(settings);
    const auto& path = folder.folder;
    const auto place = (path.has_filename() ? path : path.parent_path()).filename().string();
    page.heading(2, id ? *id : settings.name.empty() ? place : settings.name);
    page.add(fmt::format("<p>{} trials. {}</p>\n", settings.trials, protocol_badge(settings)));
    for (const auto& repair : folder.repairs) page.paragraph(repair);
    page.code(run_command_line(settings));
    std::vector<NamedFigure> own;
    // An agent that this folder lacks cannot be its baseline.
    const bool has = std::any_of(
        settings.agents.begin(), settings.agents.end(),
        [&](const AgentSetting& a) { return a.spec == baseline || a.shown() == baseline; });
    add_environments(page, folder.results, has ? baseline : "", 3, own);
    for (auto& figure : own) {
      figure.name = file_stem(place + "-" + figure.name);
      figures.push_back(std::move(figure));
    }
    add_provenance(page, folder);
  }
  return page.str();
}

}  // namespace bandolier
