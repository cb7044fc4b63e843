#include "bandolier/lab/experiment/results.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

using Records = std::vector<const TrialRecord*>;

template <class Field>
std::vector<double> values_of(const Records& records, Field field) {
  std::vector<double> values;
  for (const auto* record : records) values.push_back(field(record->result));
  return values;
}

template <class Field>
Estimate estimate_of(const Records& records, Field field) {
  return estimate(values_of(records, field));
}

template <class Field>
std::optional<double> mean_of_known(const Records& records, Field field) {
  auto values = values_of(records, field);
  std::erase_if(values, [](double v) { return std::isnan(v); });
  if (values.empty()) return std::nullopt;
  return estimate(values).mean;
}

std::vector<Note> notes_of(const Records& records) {
  std::vector<Note> notes;
  for (const auto* record : records) {
    const auto& own = record->result.report.notes;
    notes.insert(notes.end(), own.begin(), own.end());
  }
  return notes;
}

// Of all steps of all trials that counted them.
std::vector<double> chosen_shares(const Records& records) {
  std::vector<double> shares;
  double steps = 0;
  for (const auto* record : records) {
    const auto& chosen = record->result.chosen;
    shares.resize(std::max(shares.size(), chosen.size()));
    for (std::size_t a = 0; a < chosen.size(); ++a) {
      shares[a] += static_cast<double>(chosen[a]);
      steps += static_cast<double>(chosen[a]);
    }
  }
  for (double& share : shares) share /= steps;
  return shares;
}

Summary summarise_one(const Records& records) {
  Summary summary;
  summary.reward = estimate_of(records, [](const auto& r) { return r.reward; });
  summary.regret = estimate_of(records, [](const auto& r) { return r.regret; });
  summary.uniform = estimate_of(records, [](const auto& r) { return r.uniform; });
  summary.oracle = estimate_of(records, [](const auto& r) { return r.oracle; });
  summary.share = share_of(summary.reward.mean, summary);
  const auto fixed = values_of(records, [](const auto& r) { return r.best_fixed; });
  if (std::none_of(fixed.begin(), fixed.end(), [](double v) { return std::isnan(v); })) {
    summary.best_fixed = estimate(fixed);
  }
  summary.seconds = estimate_of(records, [](const auto& r) { return r.seconds; });
  summary.warmup_seconds = estimate_of(records, [](const auto& r) { return r.warmup_seconds; });
  summary.choose_seconds = estimate_of(records, [](const auto& r) { return r.choose_seconds; });
  summary.observe_seconds = estimate_of(records, [](const auto& r) { return r.observe_seconds; });
  summary.cpu_seconds = estimate_of(records, [](const auto& r) { return r.cpu_seconds; });
  summary.step_us_p50 = mean_of_known(records, [](const auto& r) { return r.step_us_p50; });
  summary.step_us_p99 = mean_of_known(records, [](const auto& r) { return r.step_us_p99; });
  summary.chosen = chosen_shares(records);
  summary.notes = merge_notes(notes_of(records));
  std::map<std::string, std::vector<double>> signals;
  for (const auto* record : records) {
    const AgentReport& report = record->result.report;
    summary.belief_bytes = std::max(summary.belief_bytes, report.belief_bytes);
    summary.parameters = report.parameters;
    summary.subspace_dim = report.subspace_dim;
    for (const auto& [name, value] : report.signals) signals[name].push_back(value);
  }
  for (const auto& [name, values] : signals) summary.signals[name] = estimate(values).mean;
  return summary;
}

}  // namespace

Estimate reward_difference(std::span<const TrialRecord* const> a,
                           std::span<const TrialRecord* const> b) {
  std::map<std::uint32_t, double> theirs;
  for (const auto* record : b) theirs[record->trial] = record->result.reward;
  std::vector<double> ours, paired;
  for (const auto* record : a) {
    const auto same = theirs.find(record->trial);
    if (same == theirs.end()) continue;
    ours.push_back(record->result.reward);
    paired.push_back(same->second);
  }
  return paired_difference(ours, paired);
}

std::optional<double> share_of(double reward, const Summary& summary) {
  const double span = summary.oracle.mean - summary.uniform.mean;
  if (summary.reward.count == 0 || !(span > 0)) return std::nullopt;
  return (reward - summary.uniform.mean) / span;
}

void sort_records(std::vector<TrialRecord>& records) {
  std::sort(records.begin(), records.end(),
            [](const TrialRecord& a, const TrialRecord& b) { return a.position() < b.position(); });
}

Index Results::expected_records() const {
  return static_cast<Index>(settings.environments.size() * settings.agents.size()) *
         static_cast<Index>(settings.trials);
}

std::vector<Summary> summarise(const Results& results, Index baseline) {
  const auto environments = static_cast<Index>(results.settings.environments.size());
  const auto agents = static_cast<Index>(results.settings.agents.size());
  const auto cell = [agents](Index e, Index a) { return static_cast<std::size_t>(e * agents + a); };
  std::vector<Records> done(static_cast<std::size_t>(environments * agents));
  std::vector<Records> failed(done.size());
  for (const auto& record : results.records) {
    (record.failed() ? failed : done)[cell(record.environment, record.agent)].push_back(&record);
  }
  std::vector<Summary> summaries;
  for (Index e = 0; e < environments; ++e) {
    for (Index a = 0; a < agents; ++a) {
      Summary summary = summarise_one(done[cell(e, a)]);
      summary.environment = e;
      summary.agent = a;
      const Records& failures = failed[cell(e, a)];
      summary.failed = static_cast<int>(failures.size());
      if (!failures.empty()) summary.first_error = failures.front()->error;
      if (a != baseline) {
        const Estimate difference = reward_difference(done[cell(e, a)], done[cell(e, baseline)]);
        if (difference.count > 0) summary.difference = difference;
      }
      summaries.push_back(std::move(summary));
    }
  }
  return summaries;
}

Index find_baseline(const ExperimentSettings& settings, const std::string& word) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < settings.agents.size(); ++i) {
    const LabelledSpec& agent = settings.agents[i];
    const std::string& wanted = word.empty() ? std::string("linear") : word;
    if (agent.spec == wanted || agent.shown() == wanted) return static_cast<Index>(i);
    known.push_back(agent.shown());
  }
  if (word.empty()) {
    for (std::size_t i = 0; i < settings.agents.size(); ++i) {
      if (settings.agents[i].spec.starts_with("linear:")) return static_cast<Index>(i);
    }
    return 0;
  }
  fail("baseline '{}' is none of the agents{}", word, suggestion(word, known));
}

}  // namespace bandolier
