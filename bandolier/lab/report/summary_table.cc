#include "bandolier/lab/report/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/said_notes.h"
#include "bandolier/lab/report/short_names.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

constexpr std::size_t kWidest = 100;
constexpr std::size_t kShortest = 12;     // a name keeps these characters
constexpr std::size_t kEnvironment = 46;  // a heading has sizes beside the name

using Rows = std::vector<const Summary*>;

Rows rows_of(const std::vector<Summary>& summaries, std::size_t environment) {
  Rows rows;
  for (const Summary& s : summaries) {
    if (s.environment == static_cast<Index>(environment)) rows.push_back(&s);
  }
  return rows;
}

TextTable make_table(const Rows& rows, const std::string& base,
                     const std::function<std::string(Index)>& name) {
  using enum TextTable::Align;
  TextTable table({{"agent", kLeft},
                   {"reward", kRight},
                   {"vs " + shortened(base, kShortest), kRight},
                   {"share %", kRight},
                   {"regret", kRight},
                   {"s/trial", kRight},
                   {"µs p50", kRight},
                   {"p99", kRight},
                   {"belief", kRight}});
  const Summary* reference = nullptr;
  for (const Summary* s : rows) {
    if (s->reward.count == 0) {
      table.add_row({name(s->agent), s->failed > 0 ? "failed" : "–", "", "", "", "", "", "", ""});
      continue;
    }
    if (reference == nullptr) reference = s;
    table.add_row({name(s->agent), show_estimate(s->reward),
                   s->difference ? show_difference(*s->difference) : "", show_share(s->share),
                   show_reward(s->regret.mean), fmt::format("{:.3g}", s->seconds.mean),
                   show_microseconds(s->step_us_p50), show_microseconds(s->step_us_p99),
                   show_bytes(static_cast<double>(s->belief_bytes))});
  }
  if (reference == nullptr) return table;
  const auto row = [&](const std::string& title, const Estimate& estimate) {
    table.add_row({title, show_reward(estimate.mean), "",
                   show_share(share_of(estimate.mean, *reference)), "", "", "", "", ""});
  };
  row("(uniform)", reference->uniform);
  if (reference->best_fixed) row("(best fixed)", *reference->best_fixed);
  row("(oracle)", reference->oracle);
  return table;
}

// Trials that failed, or were not run.
std::string missing_lines(const Rows& rows, Index trials, const ShortNames& agents) {
  std::string out;
  for (const Summary* s : rows) {
    const Index run = s->failed + s->reward.count;
    if (s->failed > 0) {
      out += fmt::format("  {}: {} of {} trials failed: {}\n", agents.brief(s->agent), s->failed,
                         run, s->first_error);
    }
    if (run < trials) {
      out += fmt::format("  {}: {} of {} trials were run\n", agents.brief(s->agent), run, trials);
    }
  }
  return out;
}

std::string note_lines(const Results& results, const std::vector<Summary>& summaries,
                       const ShortNames& agents, const ShortNames& environments) {
  Rows all;
  for (const Summary& s : summaries) all.push_back(&s);
  std::string out;
  for (const auto& said : said_notes(results, all)) {
    const bool everywhere = said.environments.size() == results.environments.size();
    const std::string where = environments.brief(said.environments);
    const std::string who = said.agents.empty() ? where
                            : everywhere        ? agents.brief(said.agents)
                                                : agents.brief(said.agents) + " on " + where;
    out += fmt::format("  {}: {}\n", who, said.note.to_text());
  }
  return out;
}

}  // namespace

std::string protocol_line(const ExperimentSettings& settings) {
  const std::string line =
      settings.warmup_feedback == WarmupFeedback::kBandit
          ? "honest protocol: an agent sees the reward of the pulled action only"
          : "NOT the honest protocol: warm-up showed every action's reward (--warmup-feedback "
            "full)";
  if (!settings.probabilities) return line;
  return fmt::format("{}\nactions drawn from logged probabilities, exploration_floor {} unless set",
                     line, kLoggedFloor);
}

std::string summary_table(const Results& results, const std::vector<Summary>& summaries,
                          Index baseline) {
  const ExperimentSettings& settings = results.settings;
  const std::string& base = settings.agents[static_cast<std::size_t>(baseline)].shown();
  // Names have what the numbers leave, the same in all tables.
  std::size_t numbers = 0;
  for (std::size_t e = 0; e < results.environments.size(); ++e) {
    const auto table =
        make_table(rows_of(summaries, e), base, [](Index) { return std::string(kShortest, ' '); });
    numbers = std::max(numbers, table.width() - kShortest);
  }
  const ShortNames agents(settings.agents,
                          std::max(kShortest, kWidest - std::min(kWidest, numbers)));
  const ShortNames environments(settings.environments, kEnvironment, "e");
  std::string out;
  for (std::size_t e = 0; e < results.environments.size(); ++e) {
    const EnvironmentFacts& facts = results.environments[e];
    const Rows rows = rows_of(summaries, e);
    out += fmt::format("{}{}: {} steps, {} of them warm-up, {} features, {} actions\n",
                       e > 0 ? "\n" : "", environments.name(static_cast<Index>(e)),
                       with_commas(static_cast<double>(facts.steps)), facts.warmup_steps,
                       facts.features, facts.actions);
    out += make_table(rows, base, [&](Index a) { return agents.name(a); }).str();
    out += missing_lines(rows, settings.trials, agents);
  }
  const std::string below = note_lines(results, summaries, agents, environments) + agents.legend() +
                            environments.legend();
  if (!below.empty()) out += "\n" + below;
  out += fmt::format(
      "\n{} trial{}, seed {}; totals of a trial, ± 95 % interval, differences paired by trial;\n"
      "share: of the way from uniform to oracle;\n{}\n",
      settings.trials, settings.trials == 1 ? "" : "s", settings.seed, protocol_line(settings));
  return out;
}

}  // namespace bandolier
