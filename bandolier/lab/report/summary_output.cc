#include "bandolier/lab/report/summary_output.h"

#include <algorithm>

#include <fmt/format.h>

#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/csv.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json mean_or_null(const Estimate& estimate) {
  return estimate.count > 0 ? Json(estimate.mean) : Json();
}

std::string csv_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return to_text(value.get<double>());
  return value.dump();
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
  const auto& agents = results.settings.agents;
  const std::string& base = agents[static_cast<std::size_t>(baseline)].shown();
  const Index trials = results.settings.trials;
  std::string out;
  for (std::size_t e = 0; e < results.environments.size(); ++e) {
    const EnvironmentFacts& facts = results.environments[e];
    using enum TextTable::Align;
    TextTable table({{"agent", kLeft},
                     {"reward", kRight},
                     {"vs " + base, kRight},
                     {"regret", kRight},
                     {"s/trial", kRight},
                     {"µs/step p50", kRight},
                     {"p99", kRight},
                     {"belief", kRight}});
    const Summary* reference = nullptr;
    std::string below;
    for (const Summary& s : summaries) {
      if (s.environment != static_cast<Index>(e)) continue;
      const std::string& name = agents[static_cast<std::size_t>(s.agent)].shown();
      if (s.failed > 0) {
        below += fmt::format("  {}: {} of {} trials failed: {}\n", name, s.failed,
                             s.failed + s.reward.count, s.first_error);
      }
      if (s.failed + s.reward.count < trials) {
        below += fmt::format("  {}: {} of {} trials were run\n", name, s.failed + s.reward.count,
                             trials);
      }
      for (const auto& note : s.notes) below += fmt::format("  {}: {}\n", name, note.to_text());
      if (s.reward.count == 0) {
        table.add_row({name, s.failed > 0 ? "failed" : "–", "", "", "", "", "", ""});
        continue;
      }
      if (reference == nullptr) reference = &s;
      table.add_row({name, show_estimate(s.reward),
                     s.difference ? show_difference(*s.difference) : "", show_reward(s.regret.mean),
                     fmt::format("{:.3g}", s.seconds.mean), show_microseconds(s.step_us_p50),
                     show_microseconds(s.step_us_p99),
                     show_bytes(static_cast<double>(s.belief_bytes))});
    }
    if (reference != nullptr) {
      const auto row = [&table](const std::string& name, const Estimate& estimate) {
        table.add_row({name, show_reward(estimate.mean), "", "", "", "", "", ""});
      };
      row("(uniform)", reference->uniform);
      if (reference->best_fixed) row("(best fixed action)", *reference->best_fixed);
      row("(oracle)", reference->oracle);
    }
    out += fmt::format("{}{}: {} steps, {} of them warm-up, {} features, {} actions\n",
                       e > 0 ? "\n" : "", facts.spec, with_commas(static_cast<double>(facts.steps)),
                       facts.warmup_steps, facts.features, facts.actions);
    out += table.str() + below;
    for (const auto& note : facts.notes) out += fmt::format("  {}: {}\n", facts.spec, note);
  }
  out += fmt::format(
      "\n{} trial{}, seed {}; totals of a trial, ± 95 % interval, differences paired by "
      "trial;\n{}\n",
      trials, trials == 1 ? "" : "s", results.settings.seed, protocol_line(results.settings));
  return out;
}

Json summary_json(const Results& results, const std::vector<Summary>& summaries, Index baseline) {
  Json out = Json::array();
  for (const Summary& s : summaries) {
    const EnvironmentFacts& facts = results.environments[static_cast<std::size_t>(s.environment)];
    Json row;
    row["env"] = facts.spec;
    row["agent"] = results.settings.agents[static_cast<std::size_t>(s.agent)].spec;
    row["steps"] = facts.steps;
    row["trials"] = s.reward.count;
    row["reward_mean"] = mean_or_null(s.reward);
    row["reward_std"] = or_null(s.reward.deviation);
    row["reward_ci95"] = or_null(s.reward.ci95);
    row["regret_mean"] = mean_or_null(s.regret);
    row["uniform_mean"] = mean_or_null(s.uniform);
    row["best_fixed_mean"] = s.best_fixed ? mean_or_null(*s.best_fixed) : Json();
    row["oracle_mean"] = mean_or_null(s.oracle);
    row["seconds_mean"] = mean_or_null(s.seconds);
    const bool any = s.reward.count > 0;
    row["step_us_p50"] = or_null(s.step_us_p50);
    row["step_us_p99"] = or_null(s.step_us_p99);
    row["belief_bytes"] = any ? Json(s.belief_bytes) : Json();
    row["parameters"] = or_null(s.parameters);
    row["subspace_dim"] = or_null(s.subspace_dim);
    row["regret_std"] = or_null(s.regret.deviation);
    row["regret_ci95"] = or_null(s.regret.ci95);
    row["baseline"] = results.settings.agents[static_cast<std::size_t>(baseline)].spec;
    row["difference_mean"] = s.difference ? mean_or_null(*s.difference) : Json();
    row["difference_ci95"] = s.difference ? or_null(s.difference->ci95) : Json();
    row["warmup_seconds_mean"] = mean_or_null(s.warmup_seconds);
    row["choose_seconds_mean"] = mean_or_null(s.choose_seconds);
    row["observe_seconds_mean"] = mean_or_null(s.observe_seconds);
    row["seed"] = results.settings.seed;
    row["warmup_steps"] = facts.warmup_steps;
    row["warmup_feedback"] = to_word(results.settings.warmup_feedback);
    row["failed"] = s.failed;
    row["error"] = s.first_error.empty() ? Json() : Json(s.first_error);
    row["notes"] = to_texts(s.notes);
    row["signals"] = s.signals;
    out.push_back(std::move(row));
  }
  return out;
}

std::string summary_csv(const Results& results, const std::vector<Summary>& summaries,
                        Index baseline) {
  const Json rows = summary_json(results, summaries, baseline);
  std::string out;
  for (const Json& row : rows) {
    std::vector<std::string> names, values;
    for (const auto& [key, value] : row.items()) {
      if (value.is_structured()) continue;
      names.push_back(key);
      values.push_back(csv_text(value));
    }
    if (out.empty()) out += csv_line(names);
    out += csv_line(values);
  }
  return out;
}

}  // namespace bandolier
