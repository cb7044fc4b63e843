#include "bandolier/lab/experiment/trial_run.h"

#include <exception>
#include <new>

#include "bandolier/core/parallel.h"
#include "bandolier/lab/experiment/player.h"

namespace bandolier {

std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TrialRun play_trial(const ExperimentSettings& settings, const std::string& agent,
                    const Environment& environment, Index steps, std::uint32_t trial,
                    const std::function<void(Index)>& progress,
                    const std::function<void(const LoggedDecision&)>& log) {
  const FlushDenormals flush;
  TrialRun run;
  run.error = failure_of([&] {
    LoopOptions loop;
    loop.seed = static_cast<std::uint64_t>(settings.seed);
    loop.trial = trial;
    loop.warmup_pulls = settings.warmup_pulls;
    loop.warmup_feedback = settings.warmup_feedback;
    loop.probabilities = settings.probabilities;
    Player player = make_player(settings, agent, environment);
    run.trial = trial_for(player, environment.trial(loop.seed, trial, steps));
    run.agent = std::move(player.agent);
    run.result = run_trial(*run.trial, environment.shape(), *run.agent, loop, progress, log);
  });
  return run;
}

}  // namespace bandolier
