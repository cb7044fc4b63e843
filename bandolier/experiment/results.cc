#include "bandolier/experiment/results.h"

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

// Rewards of a and b in the trials that both have.
Estimate difference_of(const Records& a, const Records& b) {
  std::vector<double> ours, theirs;
  for (const auto* record : a) {
    const auto same = std::find_if(b.begin(), b.end(), [record](const TrialRecord* other) {
      return other->trial == record->trial;
    });
    if (same == b.end()) continue;
    ours.push_back(record->result.reward);
    theirs.push_back((*same)->result.reward);
  }
  return paired_difference(ours, theirs);
}

Summary summarise_one(const Records& records) {
  Summary summary;
  summary.reward = estimate_of(records, [](const auto& r) { return r.reward; });
  summary.regret = estimate_of(records, [](const auto& r) { return r.regret; });
  summary.uniform = estimate_of(records, [](const auto& r) { return r.uniform; });
  summary.oracle = estimate_of(records, [](const auto& r) { return r.oracle; });
  const auto fixed = values_of(records, [](const auto& r) { return r.best_fixed; });
  if (std::none_of(fixed.begin(), fixed.end(), [](double v) { return std::isnan(v); })) {
    summary.best_fixed = estimate(fixed);
  }
  summary.seconds = estimate_of(records, [](const auto& r) { return r.seconds; });
  summary.warmup_seconds = estimate_of(records, [](const auto& r) { return r.warmup_seconds; });
  summary.choose_seconds = estimate_of(records, [](const auto& r) { return r.choose_seconds; });
  summary.observe_seconds = estimate_of(records, [](const auto& r) { return r.observe_seconds; });
  summary.step_us_p50 = estimate_of(records, [](const auto& r) { return r.step_us_p50; }).mean;
  summary.step_us_p99 = estimate_of(records, [](const auto& r) { return r.step_us_p99; }).mean;
  std::map<std::string, std::vector<double>> signals;
  for (const auto* record : records) {
    const AgentReport& report = record->result.report;
    summary.belief_bytes = std::max(summary.belief_bytes, report.belief_bytes);
    summary.parameters = report.parameters;
    summary.subspace_dim = report.subspace_dim;
    for (const auto& note : report.notes) {
      if (std::find(summary.notes.begin(), summary.notes.end(), note) == summary.notes.end()) {
        summary.notes.push_back(note);
      }
    }
    for (const auto& [name, value] : report.signals) signals[name].push_back(value);
  }
  for (const auto& [name, values] : signals) summary.signals[name] = estimate(values).mean;
  return summary;
}

}  // namespace

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
        const Estimate difference = difference_of(done[cell(e, a)], done[cell(e, baseline)]);
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
    const AgentSetting& agent = settings.agents[i];
    const std::string& wanted = word.empty() ? std::string("linear") : word;
    if (agent.spec == wanted || agent.shown() == wanted) return static_cast<Index>(i);
    known.push_back(agent.shown());
  }
  if (word.empty()) return 0;
  fail("baseline '{}' is none of the agents{}", word, suggestion(word, known));
}

}  // namespace bandolier
