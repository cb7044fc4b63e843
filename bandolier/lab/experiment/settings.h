// What an experiment is: environments × agents × trials, and the protocol. Equal settings give
// equal results; how they are run (threads, folders, output) is not part of them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/lab/experiment/online_loop.h"

namespace bandolier {

struct LabelledSpec {
  std::string spec;        // as make_agent or make_environment takes it
  std::string label = {};  // a short name for tables and figures; empty: the spec itself
  const std::string& shown() const { return label.empty() ? spec : label; }
};
std::vector<std::string> specs_of(const std::vector<LabelledSpec>& list);

struct ExperimentSettings {
  // For reports and errors alone: no part of what is run.
  std::string name;                            // a title
  std::string command;                         // as typed, where it was not `bandolier run`
  std::map<std::string, std::string> origins;  // FILE:LINE of specs read from a file

  std::vector<LabelledSpec> environments;
  std::vector<LabelledSpec> agents = {{"linear", ""}, {"auto", ""}, {"uniform", ""}};
  std::optional<std::int64_t> steps;  // of every environment; nothing: each one's own default
  std::int64_t trials = 10;
  std::int64_t seed = 0;
  std::int64_t warmup_pulls = 2;
  WarmupFeedback warmup_feedback = WarmupFeedback::kBandit;
  // Decisions are drawn from probabilities that are known (Agent::decide), as a log needs them,
  // with a floor of kLoggedFloor where an agent names none.
  bool probabilities = false;
};
inline constexpr const char* kLoggedFloor = "0.01";

// Throws Error for sizes that make no sense, nothing to run, and anything given twice.
void check(const ExperimentSettings& settings);

// One key per field, in the order above, origins left out. The other way throws what `check`
// throws, and nlohmann::json::exception where a field is missing or of another type.
nlohmann::ordered_json to_json(const ExperimentSettings& settings);
ExperimentSettings settings_from_json(const nlohmann::ordered_json& json);

// Both experiments as one: the folder of one can take the other's trials. Agents and environments
// are in the order of `more` where it has all of `there`; else those of `there` come first. Trials
// are the most of both; title, command and labels are those of `there`. Throws Error naming what
// differs where something but these does (seed, steps, warm-up, probabilities), or two labels are
// the same.
ExperimentSettings united(const ExperimentSettings& there, const ExperimentSettings& more);

}  // namespace bandolier
