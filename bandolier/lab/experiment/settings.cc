#include "bandolier/lab/experiment/settings.h"

#include <algorithm>
#include <limits>
#include <set>

#include "bandolier/core/error.h"
#include "bandolier/lab/log/json_text.h"

namespace bandolier {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostSteps = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMostTrials = 1'000'000;

void check_range(std::string_view name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high) {
    fail("{} is {}: expected a whole number from {} to {}", name, value, low, high);
  }
}

// As they are written to files, where bytes that are no text are replaced.
void check_unique(std::string_view what, const std::vector<LabelledSpec>& list) {
  std::set<std::string> specs, names;
  for (const auto& [spec, label] : list) {
    if (!specs.insert(through_json(spec)).second) {
      fail("{} '{}' is given twice: expected it once", what, spec);
    }
    const std::string name = through_json(label.empty() ? spec : label);
    if (!names.insert(name).second) {
      fail("{} label '{}' is given twice: expected it once", what, name);
    }
  }
}

Json to_json(const std::vector<LabelledSpec>& list) {
  Json json = Json::array();
  for (const auto& [spec, label] : list) json.push_back({{"spec", spec}, {"label", label}});
  return json;
}

std::vector<LabelledSpec> list_from_json(const Json& json) {
  std::vector<LabelledSpec> list;
  for (const auto& one : json) {
    list.push_back({one.at("spec").get<std::string>(), one.at("label").get<std::string>()});
  }
  return list;
}

bool has(const std::vector<LabelledSpec>& list, const std::string& spec) {
  return std::any_of(list.begin(), list.end(),
                     [&](const LabelledSpec& other) { return other.spec == spec; });
}

std::vector<LabelledSpec> united(const std::vector<LabelledSpec>& there,
                                 const std::vector<LabelledSpec>& more) {
  const bool all = std::all_of(there.begin(), there.end(),
                               [&](const LabelledSpec& one) { return has(more, one.spec); });
  std::vector<LabelledSpec> out = all ? more : there;
  for (const auto& one : more) {
    if (!has(out, one.spec)) out.push_back(one);
  }
  for (auto& one : out) {
    for (const auto& old : there) {
      if (old.spec == one.spec) one.label = old.label;
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> specs_of(const std::vector<LabelledSpec>& list) {
  std::vector<std::string> specs;
  for (const auto& one : list) specs.push_back(one.spec);
  return specs;
}

void check(const ExperimentSettings& settings) {
  if (settings.environments.empty()) fail("no environment: give at least one with --env");
  if (settings.agents.empty()) fail("no agent: give at least one with --agent");
  if (settings.steps) check_range("steps", *settings.steps, 1, kMostSteps);
  check_range("trials", settings.trials, 1, kMostTrials);
  check_range("seed", settings.seed, 0, std::numeric_limits<std::int64_t>::max());
  check_range("warmup-pulls", settings.warmup_pulls, 0, kMostSteps);
  check_unique("environment", settings.environments);
  check_unique("agent", settings.agents);
}

Json to_json(const ExperimentSettings& settings) {
  Json json;
  json["name"] = settings.name;
  json["command"] = settings.command;
  json["env"] = to_json(settings.environments);
  json["agent"] = to_json(settings.agents);
  json["steps"] = settings.steps ? Json(*settings.steps) : nullptr;
  json["trials"] = settings.trials;
  json["seed"] = settings.seed;
  json["warmup_pulls"] = settings.warmup_pulls;
  json["warmup_feedback"] = to_word(settings.warmup_feedback);
  if (settings.probabilities) json["probabilities"] = true;
  return json;
}

ExperimentSettings settings_from_json(const Json& json) {
  ExperimentSettings settings;
  settings.name = json.at("name").get<std::string>();
  settings.command = json.value("command", "");
  settings.environments = list_from_json(json.at("env"));
  settings.agents = list_from_json(json.at("agent"));
  if (!json.at("steps").is_null()) settings.steps = json.at("steps").get<std::int64_t>();
  settings.trials = json.at("trials").get<std::int64_t>();
  settings.seed = json.at("seed").get<std::int64_t>();
  settings.warmup_pulls = json.at("warmup_pulls").get<std::int64_t>();
  settings.warmup_feedback =
      parse_word<WarmupFeedback>("warmup_feedback", json.at("warmup_feedback").get<std::string>());
  settings.probabilities = json.value("probabilities", false);
  check(settings);
  return settings;
}

ExperimentSettings united(const ExperimentSettings& there, const ExperimentSettings& more) {
  const Json a = to_json(there), b = to_json(more);
  for (const char* key : {"steps", "seed", "warmup_pulls", "warmup_feedback", "probabilities"}) {
    const Json one = a.value(key, Json()), other = b.value(key, Json());
    if (one != other) fail("{} is {} there and {} here", key, json_text(one), json_text(other));
  }
  ExperimentSettings out = there;
  out.environments = united(there.environments, more.environments);
  out.agents = united(there.agents, more.agents);
  out.trials = std::max(there.trials, more.trials);
  check(out);
  return out;
}

}  // namespace bandolier
