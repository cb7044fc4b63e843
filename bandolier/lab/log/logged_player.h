// An agent that meets a log: made for it by name, or saved earlier; fed with dense contexts as they
// are, or by names. Actions are those of the event, by their places there, whatever the agent calls
// them.
//
//   LoggedPlayer player("auto", survey_log(files), {.seed = 1});
//   for (LoggedEvent event; reader->next(event);) {
//     const LoggedAnswer answer = player.decide(event);   // what the agent would have done
//     player.observe(event);                              // what was done, and what it earned
//   }
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bandolier/agent/named_agent.h"
#include "bandolier/lab/log/log_survey.h"

namespace bandolier {

// The trial of all draws about a log: none of a run's, so that an agent which meets the log of a
// run of the same seed draws nothing that the run has drawn.
inline constexpr std::uint32_t kLogTrial = 0xffffffffu;

struct LoggedPlayerOptions {
  std::uint64_t seed = 0;
  std::int64_t slots = 0;     // features of a context by name; 0: as many as the log's names want
  OptionTexts defaults = {};  // of options that the spec of an agent does not name
};

// Views of the player, until its next use.
struct LoggedAnswer {
  Index action = 0;
  std::span<const float> scores;          // one per action of the event
  std::span<const double> probabilities;  // the same; from decide alone
  bool full_support = true;               // Decision::full_support
};

class LoggedPlayer {
 public:
  // `spec`: NAME:key=value,... knows nothing yet; FILE.bndl goes on from what was saved. Throws
  // Error where a saved agent does not suit the log.
  LoggedPlayer(const std::string& spec, const LogSurvey& log,
               const LoggedPlayerOptions& options = {});

  // The context as the agent sees it: a view of the event and the player. Its actions have the
  // agent's places; place() says which one an action of this event has.
  Context context(const LoggedEvent& event);
  Index place(Index action) const;

  // `step` addresses the draw: the same step, event and belief give the same answer.
  LoggedAnswer choose(const LoggedEvent& event, std::int64_t step);
  LoggedAnswer decide(const LoggedEvent& event, std::int64_t step);
  // Learns what the log's action earned; it counts `weight` times (Feedback::weight). False:
  // refused (Agent::observe).
  bool observe(const LoggedEvent& event, std::int64_t step, double weight = 1);

  const Agent& agent() const;
  AgentReport report() const;
  LoggedPlayer clone() const;
  // With names where the agent goes by them.
  void save(const std::filesystem::path& path) const;

 private:
  LoggedPlayer() = default;
  void load(const std::string& path, const LogSurvey& log);
  void make(const std::string& spec, const LogSurvey& log);
  void know(std::vector<std::string> actions);
  // Finds the agent's places of the event's actions, and says who may be taken.
  void find_places(const LoggedEvent& event);
  Context dense_context(const LoggedEvent& event);
  const NamedValues& named_context(const LoggedEvent& event);
  LoggedAnswer answer(const LoggedEvent& event, const Decision& decision);
  Scratch& scratch();

  LoggedPlayerOptions options_;
  std::unique_ptr<Agent> dense_;  // takes dense contexts
  std::unique_ptr<Scratch> scratch_;
  std::optional<NamedAgent> named_;  // or by names
  NamedScratch named_scratch_;
  std::vector<std::string> actions_;  // where they stay the same
  std::unordered_map<std::string, Index> place_of_;

  // Of the last event.
  bool in_order_ = true;  // its actions are all, in the agent's order, or they change
  std::vector<Index> places_;
  std::vector<std::uint8_t> available_;
  std::vector<float> action_features_;  // of all actions that stay the same
  std::vector<NamedAction> offered_;
  std::vector<std::string> names_;
  NamedValues shared_;  // of a dense context
  std::vector<NamedValues> own_;
  std::vector<float> scores_;
  std::vector<double> probabilities_;
};

}  // namespace bandolier
