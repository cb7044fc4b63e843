// What one pass over a log tells of it as a whole: what an agent for it is built from.
#pragma once

#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bandolier/lab/log/log_reader.h"

namespace bandolier {

struct LogSurvey {
  Index events = 0;
  Index skipped = 0;   // of them, those not to be learnt from (LoggedEvent::skip_learn)
  bool dense = true;   // every event's context is
  Index features = 0;  // of dense ones
  Index action_features = 0;
  Index actions = 0;  // the most of an event
  // Whether every event offers some of the same actions, known by their names, and what is said of
  // each of them beside its name never changes. Up to kMostChangingActions of them.
  bool fixed_actions = true;
  std::vector<std::string> action_names;  // where they are fixed: all that were offered
  Index names = 0, own_names = 0;  // features of the context, and of actions, that have a name;
                                   // counted up to kMostSurveyedNames
  Index positions = 0;             // the highest; 0 where the log has none
  // Of events that are to be learnt from: whether each tells the probabilities of all its actions,
  // and has full support; the least propensity, the least probability of any action, as far as they
  // are told, and the least of both times 1 − dropped.
  bool probabilities = true;
  bool full_support = true;
  double least_propensity = 1, least_probability = 1, least_kept = 1;
  double lowest_reward = std::numeric_limits<double>::infinity();
  double highest_reward = -std::numeric_limits<double>::infinity();
  double most_dropped = 0;
  std::vector<Note> notes;  // the reader's
};

inline constexpr Index kMostSurveyedNames = Index{1} << 16;

// An action's name in its event; its place where the log has none.
std::string action_name(const LoggedEvent& event, Index action);

// Looks at events one by one.
class LogSurveyor {
 public:
  // Throws Error, which the caller completes with file and line, where dense events differ in their
  // number of features.
  void look_at(const LoggedEvent& event);
  LogSurvey finish(std::vector<Note> notes);

 private:
  void look_at_actions(const LoggedEvent& event);

  LogSurvey survey_;
  std::unordered_map<std::string, std::uint64_t> own_;  // of each action: what is said of it
  std::unordered_set<std::uint64_t> names_, own_names_;
  bool found_dense_ = false;
};

// One pass. Throws Error where the reader does.
LogSurvey survey_log(std::span<const std::filesystem::path> files, const LogOptions& options = {});

}  // namespace bandolier
