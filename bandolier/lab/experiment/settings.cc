#include "bandolier/lab/experiment/settings.h"

#include <algorithm>
#include <limits>
#include <set>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

constexpr std::int64_t kMostSteps = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kMostTrials = 1'000'000;

void check_range(std::string_view name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high) {
    fail("{} is {}: expected a whole number from {} to {}", name, value, low, high);
  }
}

void check_unique(std::string_view what, const std::string& text, std::set<std::string>& seen) {
  if (!seen.insert(text).second) fail("{} '{}' is given twice: expected it once", what, text);
}

}  // namespace

void check(const ExperimentSettings& settings) {
  if (settings.environments.empty()) fail("no environment: give at least one with --env");
  if (settings.agents.empty()) fail("no agent: give at least one with --agent");
  if (settings.steps) check_range("steps", *settings.steps, 1, kMostSteps);
  check_range("trials", settings.trials, 1, kMostTrials);
  check_range("seed", settings.seed, 0, std::numeric_limits<std::int64_t>::max());
  check_range("warmup-pulls", settings.warmup_pulls, 0, kMostSteps);
  std::set<std::string> environments, agents, labels;
  for (const auto& spec : settings.environments) check_unique("environment", spec, environments);
  for (const auto& agent : settings.agents) {
    check_unique("agent", agent.spec, agents);
    check_unique("agent label", agent.shown(), labels);
  }
}

nlohmann::ordered_json to_json(const ExperimentSettings& settings) {
  nlohmann::ordered_json agents = nlohmann::ordered_json::array();
  for (const auto& agent : settings.agents) {
    agents.push_back({{"spec", agent.spec}, {"label", agent.label}});
  }
  nlohmann::ordered_json json;
  json["name"] = settings.name;
  json["command"] = settings.command;
  json["env"] = settings.environments;
  json["agent"] = std::move(agents);
  json["steps"] = settings.steps ? nlohmann::ordered_json(*settings.steps) : nullptr;
  json["trials"] = settings.trials;
  json["seed"] = settings.seed;
  json["warmup_pulls"] = settings.warmup_pulls;
  json["warmup_feedback"] = to_word(settings.warmup_feedback);
  if (settings.probabilities) json["probabilities"] = true;
  return json;
}

ExperimentSettings settings_from_json(const nlohmann::ordered_json& json) {
  ExperimentSettings settings;
  settings.name = json.at("name").get<std::string>();
  settings.command = json.value("command", "");
  settings.environments = json.at("env").get<std::vector<std::string>>();
  settings.agents.clear();
  for (const auto& agent : json.at("agent")) {
    settings.agents.push_back(
        {agent.at("spec").get<std::string>(), agent.at("label").get<std::string>()});
  }
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

nlohmann::ordered_json settings_identity(nlohmann::ordered_json json) {
  json.erase("name");
  json.erase("command");
  for (auto& agent : json.at("agent")) agent = agent.at("spec");
  return json;
}

}  // namespace bandolier
