#include "bandolier/lab/log/replay_log.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"
#include "bandolier/core/running_moments.h"
#include "bandolier/core/stop.h"

namespace bandolier {
namespace {

constexpr double kFewestAccepted = 10;
constexpr double kNormal95 = 1.959963984540054;

}  // namespace

double rejection_bound(const LogSurvey& log, const ReplayLogOptions& options) {
  if (!log.full_support) {
    fail(
        "the log's probabilities are shares of samples (_noSupport), in which a 0 may be chance: "
        "replay by rejection suits logs whose every action can be taken");
  }
  if (log.least_probability == 0) {
    fail(
        "an action of the log had the probability 0: replay by rejection suits logs whose every "
        "action can be taken; estimate by weights instead");
  }
  const double bound = options.bound.value_or(log.least_kept);
  const auto rows = static_cast<double>(log.events - log.skipped);
  if (bound * rows < kFewestAccepted) {
    fail(
        "the bound {} would accept about {:.1f} of {} rows: replay by rejection suits logs whose "
        "propensities are not far below 1/actions; --bound C accepts more, with some bias",
        bound, bound * rows, rows);
  }
  return bound;
}

Replayed replay_log(std::span<const std::filesystem::path> files, const LogOptions& log_options,
                    const LogSurvey& log, const std::string& agent, const ReplayLogOptions& options,
                    const std::function<void(Index)>& progress) {
  Replayed replayed;
  replayed.bound = rejection_bound(log, options);
  LoggedPlayer player(agent, log, {options.seed, 0, options.defaults});
  const auto reader = open_log(files, log_options);
  RunningMoments rewards;
  std::int64_t step = 0;
  for (LoggedEvent event; reader->next(event); ++step) {
    throw_if_stopped();
    if (progress) progress(step);
    if (event.skip_learn) continue;
    ++replayed.rows;
    at_event(*reader, [&] {
      if (player.choose(event, step).action != event.action) return;
      ++replayed.matched;
      const double ratio = replayed.bound / (event.propensity * (1 - event.dropped));
      Random random({options.seed, Purpose::kReward, kLogTrial, static_cast<std::uint32_t>(step)});
      if (random.uniform() >= ratio) return;
      ++replayed.accepted;
      // A ratio that rounding alone has put above 1 is none.
      replayed.above += ratio > 1 + 1e-9 ? 1 : 0;
      rewards.add(event.reward);
      player.observe(event, step);
    });
  }
  replayed.report = player.report();
  replayed.mean = rewards.count > 0 ? rewards.mean : std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(rewards.count);
  const double half = n > 1 ? kNormal95 * std::sqrt(rewards.variance() / (n - 1))
                            : std::numeric_limits<double>::quiet_NaN();
  replayed.low = replayed.mean - half;
  replayed.high = replayed.mean + half;
  return replayed;
}

}  // namespace bandolier
