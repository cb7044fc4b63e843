#include "bandolier/lab/log/log_survey.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "bandolier/core/error.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/model/name_hash.h"

namespace bandolier {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

std::uint64_t sum_of(const NamedValues& values) {
  std::uint64_t sum = 0;
  for (Index i = 0; i < values.size(); ++i) {
    sum = mixed(mixed(sum, values[i].hash), std::bit_cast<std::uint64_t>(values[i].number));
  }
  return sum;
}

std::uint64_t sum_of(std::span<const float> values) {
  std::uint64_t sum = 0;
  for (const float value : values) sum = mixed(sum, std::bit_cast<std::uint32_t>(value));
  return sum;
}

void count_names(const NamedValues& values, std::unordered_set<std::uint64_t>& names) {
  for (Index i = 0; i < values.size(); ++i) {
    if (static_cast<Index>(names.size()) == kMostSurveyedNames) return;
    names.insert(values[i].hash);
  }
}

}  // namespace

std::string action_name(const LoggedEvent& event, Index action) {
  const std::string& name = event.action_names[static_cast<std::size_t>(action)];
  return name.empty() ? fmt::format("{}", action) : name;
}

void LogSurveyor::look_at(const LoggedEvent& event) {
  if (event.dense) {
    const auto width = static_cast<Index>(event.action_features.size()) / event.actions;
    const auto features = static_cast<Index>(event.features.size());
    if (found_dense_ && (features != survey_.features || width != survey_.action_features)) {
      fail("found {} features and {} of each action, and before {} and {}: expected the same",
           features, width, survey_.features, survey_.action_features);
    }
    found_dense_ = true;
    survey_.features = features;
    survey_.action_features = width;
  } else {
    survey_.dense = false;
    count_names(event.shared, names_);
  }
  ++survey_.events;
  survey_.skipped += event.skip_learn ? 1 : 0;
  survey_.actions = std::max(survey_.actions, event.actions);
  survey_.positions = std::max(survey_.positions, event.position);
  if (!event.skip_learn) {
    survey_.full_support = survey_.full_support && event.full_support;
    survey_.probabilities = survey_.probabilities && !event.probabilities.empty();
    survey_.least_propensity = std::min(survey_.least_propensity, event.propensity);
    const double kept = 1 - event.dropped;
    survey_.least_kept = std::min(survey_.least_kept, kept * event.propensity);
    for (const double q : event.probabilities) {
      survey_.least_probability = std::min(survey_.least_probability, q);
      survey_.least_kept = std::min(survey_.least_kept, kept * q);
    }
  }
  survey_.lowest_reward = std::min(survey_.lowest_reward, event.reward);
  survey_.highest_reward = std::max(survey_.highest_reward, event.reward);
  survey_.most_dropped = std::max(survey_.most_dropped, event.dropped);
  look_at_actions(event);
}

void LogSurveyor::look_at_actions(const LoggedEvent& event) {
  const std::size_t width =
      event.dense ? event.action_features.size() / static_cast<std::size_t>(event.actions) : 0;
  for (Index a = 0; a < event.actions; ++a) {
    const auto i = static_cast<std::size_t>(a);
    if (!event.dense) count_names(event.own[i], own_names_);
    if (!survey_.fixed_actions) continue;
    const std::uint64_t sum =
        event.dense ? sum_of(std::span(event.action_features).subspan(i * width, width))
                    : sum_of(event.own[i]);
    const auto [found, is_new] = own_.try_emplace(action_name(event, a), sum);
    if (found->second != sum || static_cast<Index>(own_.size()) > kMostChangingActions) {
      survey_.fixed_actions = false;
      own_.clear();
    }
  }
}

LogSurvey LogSurveyor::finish(std::vector<Note> notes) {
  for (const auto& [name, sum] : own_) survey_.action_names.push_back(name);
  sort_words(survey_.action_names);
  survey_.names = static_cast<Index>(names_.size());
  survey_.own_names = static_cast<Index>(own_names_.size());
  survey_.dense = survey_.dense && survey_.events > 0;
  survey_.notes = std::move(notes);
  return std::move(survey_);
}

LogSurvey survey_log(std::span<const std::filesystem::path> files, const LogOptions& options) {
  const auto reader = open_log(files, options);
  LogSurveyor surveyor;
  for (LoggedEvent event; reader->next(event);) {
    at_event(*reader, [&] { surveyor.look_at(event); });
  }
  return surveyor.finish(reader->notes());
}

}  // namespace bandolier
