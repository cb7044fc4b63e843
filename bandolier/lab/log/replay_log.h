// What an agent would have earned, by rejection: of a log's decisions those are kept that the agent
// would have made, as if it had decided itself (Li et al. 2011; with propensities: Dudík et al.
// 2012).
//
// At each event the agent, with all that it has learnt, draws an action from its own probabilities
// π. Where that is the logged action a, of propensity p, the event is accepted with the probability
// c/p, with a bound c ≤ p(a) for every action of every event:
//   P(a is logged, drawn and accepted) = p(a) π(a) c/p(a) = c π(a).
// So accepted events come at the same rate c whatever the context, and their actions are the
// agent's: they are an online run of it, exactly, and it learns from them alone. A uniform log of K
// actions has c = 1/K, and every match is accepted. Where a share d of such events was dropped by
// the logger, p(1 − d) stands in the place of p.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/lab/log/logged_player.h"

namespace bandolier {

struct ReplayLogOptions {
  std::uint64_t seed = 0;
  std::optional<double> bound = {};  // c; nothing: the least p(1 − d) of the log
  OptionTexts defaults = {};         // LoggedPlayerOptions::defaults
};

struct Replayed {
  Index rows = 0;     // of the log, less those that are not to be learnt from
  Index matched = 0;  // the agent drew the logged action
  Index accepted = 0;
  Index above = 0;   // accepted with c/p above 1, counted as 1: only where a bound is given
  double bound = 0;  // c
  double mean = 0;   // of the accepted rewards
  // 95 %, normal, of independent rewards; NaN where fewer than two were accepted.
  double low = 0, high = 0;
  AgentReport report;
};

// c of a log. Throws Error where rejection does not suit it: decisions of a policy that never takes
// some actions, and bounds by which fewer than 10 events would be accepted.
double rejection_bound(const LogSurvey& log, const ReplayLogOptions& options);

// One agent's replay. `progress` is told how many events are done.
Replayed replay_log(std::span<const std::filesystem::path> files, const LogOptions& log_options,
                    const LogSurvey& log, const std::string& agent, const ReplayLogOptions& options,
                    const std::function<void(Index)>& progress = {});

}  // namespace bandolier
