// An agent that starts from a log: it learns every row in order, and each counts as often as its
// weight says:
//   none      1: what a reward tells of its context and action does not depend on who chose it
//   dropped   1/(1 − d), d the share of such rows that the logger left out
//   ips       1/(K p (1 − d)), p the row's propensity among K actions: as if actions had been taken
//             equally often; 1 on average
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "bandolier/lab/log/logged_player.h"

namespace bandolier {

enum class LogWeights { kNone, kDropped, kIps };
inline Words words_of(LogWeights) {
  static constexpr std::string_view kWords[] = {"none", "dropped", "ips"};
  return kWords;
}
double weight_of(const LoggedEvent& event, LogWeights weights);

struct Learnt {
  Index events = 0;
  Index skipped = 0;  // not to be learnt from
  Index refused = 0;  // Agent::observe
  std::vector<Note> notes;
};

// `progress` is told how many events are done. Throws Error where the agent takes no weights.
Learnt learn_log(std::span<const std::filesystem::path> files, const LogOptions& options,
                 LoggedPlayer& player, LogWeights weights = LogWeights::kNone,
                 const std::function<void(Index)>& progress = {});

}  // namespace bandolier
