#include "bandolier/lab/report/summary_output.h"

#include "bandolier/lab/experiment/note_json.h"
#include "bandolier/lab/report/action_table.h"
#include "bandolier/lab/report/json_row.h"

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

}  // namespace

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
    row["share_mean"] = or_null(s.share);
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
    row["notes"] = s.notes;
    row["signals"] = s.signals;
    row["chosen"] = Json::array();
    for (std::size_t a = 0; a < s.chosen.size(); ++a) {
      row["chosen"].push_back({{"action", action_name(facts, a)}, {"share", s.chosen[a]}});
    }
    out.push_back(std::move(row));
  }
  return out;
}

std::string summary_csv(const Results& results, const std::vector<Summary>& summaries,
                        Index baseline) {
  return csv_of_json(summary_json(results, summaries, baseline));
}

}  // namespace bandolier
