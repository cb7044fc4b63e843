#include "bandolier/lab/report/paper_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "bandolier/core/options.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/paper.h"
#include "bandolier/lab/report/experiment_report.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/paper_figures.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

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

Comparison compare(const PaperTables& tables) {
  Comparison out;
  for (const auto& [problem, results] : tables) {
    if (problem.starts_with("subspace-dim-") || problem.starts_with("time-")) continue;
    for (const Summary& s : summarise(results, 0)) {
      if (s.reward.count == 0) continue;
      const EnvironmentFacts& facts = results.environments[static_cast<std::size_t>(s.environment)];
      const auto& method = results.settings.agents[static_cast<std::size_t>(s.agent)].shown();
      const std::string name = parse_spec(facts.spec).name;
      const std::string column = problem == "tabular"              ? name
                                 : problem.starts_with("tabular-") ? name + ", 2 pulls"
                                                                   : problem;
      const auto add_once = [](std::vector<std::string>& list, const std::string& word) {
        if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
      };
      add_once(out.columns, column);
      add_once(out.methods, method);
      out.cells[{method, column}] = {show_estimate(s.reward),
                                     published_reward(problem, facts, method)};
    }
  }
  return out;
}

const char* feedback_title(WarmupFeedback feedback) {
  return feedback == WarmupFeedback::kBandit
             ? "bandit feedback"
             : "filters whose warm-up saw every action's reward, as in the released code";
}

// Claims come in the same order for every feedback: one row each, a verdict per feedback.
void add_claims(HtmlPage& page, const std::vector<Claim>& claims) {
  page.heading(2, "The paper’s claims");
  std::vector<WarmupFeedback> feedbacks;
  for (const Claim& claim : claims) {
    if (std::find(feedbacks.begin(), feedbacks.end(), claim.feedback) == feedbacks.end()) {
      feedbacks.push_back(claim.feedback);
    }
  }
  const std::size_t count = claims.size() / feedbacks.size();
  HtmlTable counts{{"feedback", "reproduced", "not reproduced", "undecided", "not run"}, {}};
  for (const WarmupFeedback feedback : feedbacks) {
    std::vector<std::string> row = {std::string(to_word(feedback))};
    for (const Verdict verdict :
         {Verdict::kReproduced, Verdict::kNotReproduced, Verdict::kUndecided, Verdict::kNotRun}) {
      row.push_back(std::to_string(std::count_if(claims.begin(), claims.end(), [&](const Claim& c) {
        return c.feedback == feedback && c.verdict == verdict;
      })));
    }
    counts.rows.push_back(std::move(row));
  }
  page.add(counts.str());
  for (std::size_t i = 0; i < count; ++i) {
    const Claim& first = claims[i];
    const char* colour = first.verdict == Verdict::kReproduced      ? "s2"
                         : first.verdict == Verdict::kNotReproduced ? "s6"
                                                                    : "s8";
    std::string body;
    for (std::size_t f = 0; f < feedbacks.size(); ++f) {
      const Claim& claim = claims[f * count + i];
      body += fmt::format("<br>{}: <strong>{}</strong>", to_word(claim.feedback),
                          verdict_word(claim.verdict));
      if (claim.numbers.empty()) continue;
      body += fmt::format("<details><summary>numbers</summary>{}</details>",
                          escape_markup(claim.numbers));
    }
    page.add(fmt::format(
        "<div class=\"claim {}\">{} <span class=\"soft-text\">({}). {}</span>{}</div>\n", colour,
        escape_markup(first.text), first.section,
        escape_markup("Counts as reproduced if " + first.rule + "."), body));
  }
}

void add_comparison(HtmlPage& page, const Comparison& comparison, WarmupFeedback feedback) {
  if (comparison.columns.empty()) return;
  page.heading(2, fmt::format("Total reward, ours and the paper’s: {}", feedback_title(feedback)));
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

std::vector<Results> paper_parts_of(const std::vector<StoredResults>& folders) {
  std::vector<Results> parts;
  for (const auto& folder : folders) {
    if (is_paper_part(folder.results.settings)) parts.push_back(folder.results);
  }
  return parts;
}

bool any_shorter(const std::vector<Results>& parts) {
  return std::any_of(parts.begin(), parts.end(), shorter_than_paper);
}

constexpr std::string_view kShorter =
    "These trials are shorter than the paper's: verdicts are indications, and the paper's figures "
    "are not comparable.";

// The commands that made the parts, each once.
std::string paper_command_lines(const std::vector<Results>& parts) {
  std::set<std::string> seen;
  std::string lines;
  for (const auto& part : parts) {
    const std::string& command = part.settings.command;
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

void add_figures(HtmlPage& page, const char* title, std::vector<NamedFigure> some,
                 std::vector<NamedFigure>& all) {
  if (some.empty()) return;
  page.heading(2, title);
  std::vector<std::string> svgs;
  for (auto& figure : some) {
    svgs.push_back(figure.svg.str());
    all.push_back(std::move(figure));
  }
  page.figures(svgs);
}

// Tables and figures of every environment, their files named after `place`.
void add_results(HtmlPage& page, const Results& results, const std::string& place,
                 const std::string& baseline, std::vector<NamedFigure>& figures) {
  // An agent that these results lack cannot be their baseline.
  const auto& agents = results.settings.agents;
  const bool has = std::any_of(agents.begin(), agents.end(), [&](const LabelledSpec& a) {
    return a.spec == baseline || a.shown() == baseline;
  });
  std::vector<NamedFigure> own;
  add_environments(page, results, has ? baseline : "", 3, own);
  for (auto& figure : own) {
    figure.name = file_stem(place + "-" + figure.name);
    figures.push_back(std::move(figure));
  }
}

void add_paper(HtmlPage& page, const std::vector<Results>& parts, const std::string& baseline,
               std::vector<NamedFigure>& figures) {
  if (const auto lines = paper_command_lines(parts); !lines.empty()) {
    page.paragraph("Run it again:");
    page.code(lines);
  }
  if (any_shorter(parts)) page.paragraph(kShorter);
  const PaperTables bandit = paper_tables(parts, WarmupFeedback::kBandit);
  const PaperTables leak = paper_tables(parts, WarmupFeedback::kFull);
  const std::vector<Claim> claims = judge_all_claims(parts);
  add_claims(page, claims);
  const bool has_leak = claims.back().feedback == WarmupFeedback::kFull;
  const bool has_bandit = claims.front().feedback == WarmupFeedback::kBandit;
  if (has_bandit) add_comparison(page, compare(bandit), WarmupFeedback::kBandit);
  if (has_leak) add_comparison(page, compare(leak), WarmupFeedback::kFull);
  const PaperTables& shown = has_bandit ? bandit : leak;
  add_figures(page, "Rewards",
              paper_reward_figures(shown, has_leak && has_bandit ? leak : PaperTables{}), figures);
  add_figures(page, "Varying the subspace", paper_dimension_figures(shown), figures);
  add_figures(page, "Time", paper_time_figures(shown), figures);
  for (const auto& [problem, results] : shown) {
    page.heading(2, problem);
    add_results(page, results, problem, baseline, figures);
  }
}

}  // namespace

std::string paper_text(const std::vector<Results>& parts) {
  const std::vector<Claim> claims = judge_all_claims(parts);
  std::string out;
  for (const WarmupFeedback feedback : {WarmupFeedback::kBandit, WarmupFeedback::kFull}) {
    const bool judged = std::any_of(claims.begin(), claims.end(),
                                    [&](const Claim& c) { return c.feedback == feedback; });
    const Comparison comparison = compare(paper_tables(parts, feedback));
    if (!judged || comparison.columns.empty()) continue;
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
    out += fmt::format("Total reward, ours and the paper's: {}\n{}\n", feedback_title(feedback),
                       table.str());
  }
  for (const Claim& claim : claims) {
    out += fmt::format("{} [{}, {}]: {}{}\n", verdict_word(claim.verdict), claim.section,
                       to_word(claim.feedback), claim.text,
                       claim.numbers.empty() ? "" : fmt::format(" ({})", claim.numbers));
  }
  if (any_shorter(parts)) out += fmt::format("{}\n", kShorter);
  return out;
}

std::string collection_page(const std::vector<StoredResults>& folders, const std::string& baseline,
                            std::vector<NamedFigure>& figures) {
  const std::vector<Results> parts = paper_parts_of(folders);
  const std::string title = parts.empty() ? "Bandolier experiments" : "The paper’s experiments";
  HtmlPage page(title);
  page.heading(1, title);
  page.add(fmt::format("<p class=\"lead\">{} experiment{}. {}</p>\n", folders.size(),
                       folders.size() == 1 ? "" : "s", protocol_badges(folders)));
  if (!parts.empty()) add_paper(page, parts, baseline, figures);
  if (!parts.empty()) page.heading(2, "How each part was run");
  for (const auto& folder : folders) {
    const ExperimentSettings& settings = folder.results.settings;
    const auto& path = folder.folder;
    const auto place = (path.has_filename() ? path : path.parent_path()).filename().string();
    page.heading(parts.empty() ? 2 : 3, settings.name.empty() ? place : settings.name);
    page.add(fmt::format("<p>{} of {} trials. {}</p>\n", folder.results.records.size(),
                         folder.results.expected_records(), protocol_badge(settings)));
    for (const auto& damage : folder.damage) page.paragraph(damage);
    page.code(run_command_line(settings));
    if (!is_paper_part(settings)) add_results(page, folder.results, place, baseline, figures);
    add_provenance(page, folder);
  }
  return page.str();
}

}  // namespace bandolier
