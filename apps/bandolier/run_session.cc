#include "run_session.h"

#include <unistd.h>

#include <memory>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/parallel.h"
#include "bandolier/core/stop.h"
#include "bandolier/lab/experiment/results_store.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/summary_table.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "progress_bar.h"

namespace bandolier {

int checked_jobs(const std::optional<std::int64_t>& jobs) {
  constexpr std::int64_t kMostJobs = 1024;
  if (!jobs) return available_cores();
  if (*jobs < 1 || *jobs > kMostJobs) {
    fail("jobs is {}: expected a whole number from 1 to {}", *jobs, kMostJobs);
  }
  return static_cast<int>(*jobs);
}

Dealing dealing_of(const Plan& plan, const RunSession& session) {
  return {session.share, plan.costs, session.first};
}

std::string describe_plan(const Plan& plan, const RunSession& session) {
  std::string out;
  const ExperimentSettings& settings = plan.settings;
  const auto label_of = [](const LabelledSpec& one) {
    return one.label.empty() ? "" : fmt::format(" ({})", one.label);
  };
  for (std::size_t e = 0; e < plan.facts.size(); ++e) {
    const EnvironmentFacts& facts = plan.facts[e];
    out += fmt::format("environment {}{}: {} steps, {} of them warm-up, {} features, {} actions\n",
                       facts.spec, label_of(settings.environments[e]),
                       with_commas(static_cast<double>(facts.steps)), facts.warmup_steps,
                       facts.features, facts.actions);
    for (const auto& note : facts.notes) out += fmt::format("  {}\n", note.to_text());
  }
  for (const auto& agent : settings.agents) {
    out += fmt::format("agent {}{}\n", agent.spec, label_of(agent));
  }
  const auto pairs = static_cast<std::int64_t>(plan.facts.size() * settings.agents.size());
  out += fmt::format("{} trial{} of each: {} in all, {} side by side; seed {}\n{}\n",
                     settings.trials, settings.trials == 1 ? "" : "s", settings.trials * pairs,
                     session.jobs, settings.seed, protocol_line(settings));
  if (!session.share.whole()) {
    out += fmt::format("part {} of these: {} trials\n", to_text(session.share),
                       expected_trials(plan, dealing_of(plan, session)));
  }
  out += fmt::format("results to {}\n",
                     session.out.empty() ? "the screen only" : session.out.string());
  if (!session.log.empty()) out += fmt::format("decisions to {}\n", session.log.string());
  if (!session.save.empty()) out += fmt::format("agents of trial 0 to {}\n", session.save.string());
  return out;
}

namespace {

constexpr const char* kStopping =
    "stopping: trials under way are given up, those that are done (#) are shown; Ctrl-C again ends "
    "at once";
constexpr const char* kStoppingWithFolder =
    "stopping: trials under way are given up, those that are done (#) are kept, and the same "
    "command goes on from there; Ctrl-C again ends at once";

// Throws Error where `folder` could not be made or written to, without making it.
void check_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return;
  std::filesystem::path place = std::filesystem::absolute(folder);
  std::error_code error;
  while (!std::filesystem::exists(place, error) && !error && place.has_relative_path()) {
    place = place.parent_path();
  }
  if (error) fail("folder {} cannot be made: {}", folder.string(), error.message());
  if (!std::filesystem::is_directory(place)) {
    fail("folder {} cannot be made: {} is not a folder", folder.string(), place.string());
  }
  if (::access(place.c_str(), W_OK | X_OK) != 0) {
    fail("folder {} cannot be made: {} cannot be written to", folder.string(), place.string());
  }
}

}  // namespace

void check_session(const Plan& plan, const RunSession& session) {
  check_folder(session.out);
  check_folder(session.save);
  check_folder(session.log);
  std::vector<TrialRecord> done;
  const Dealing dealing = dealing_of(plan, session);
  if (!session.out.empty()) {
    done = check_results_folder(session.out, plan.settings, plan.facts, dealing);
  }
  RunOptions options;
  options.dealing = dealing;
  options.save_folder = session.save;
  options.overwrite = session.overwrite;
  check_saved_agents(plan, options, done);
}

RunOutcome run_session(const Plan& plan, const RunSession& session) {
  check_session(plan, session);
  std::unique_ptr<ResultsStore> store;
  RunOptions options;
  ProgressBar bar(session.quiet);
  if (!session.out.empty()) {
    store = std::make_unique<ResultsStore>(session.out, plan.settings, plan.facts,
                                           dealing_of(plan, session));
    for (const auto& repair : store->repairs()) bar.notice(repair);
    if (!store->records().empty() && !session.quiet) {
      bar.notice(fmt::format("{} has {} trials: going on from there", session.out.string(),
                             store->records().size()));
    }
  }
  options.jobs = session.jobs;
  options.dealing = dealing_of(plan, session);
  options.store = store.get();
  options.save_folder = session.save;
  options.overwrite = session.overwrite;
  options.log_folder = session.log;
  options.progress = [&bar](const Progress& progress) { bar.show(progress); };
  auto done = static_cast<Index>(store ? store->records().size() : 0);
  count_done(done);
  options.finished = [&](const TrialRecord& record) {
    count_done(++done);
    if (!record.failed()) return;
    bar.notice(fmt::format("trial {} of '{}' on '{}' failed: {}", record.trial,
                           plan.settings.agents[static_cast<std::size_t>(record.agent)].spec,
                           plan.facts[static_cast<std::size_t>(record.environment)].spec,
                           record.error));
  };
  RunOutcome outcome;
  {
    const StopScope scope(&watch_for_interrupt(store ? kStoppingWithFolder : kStopping));
    outcome.results = run_experiment(plan, options);
  }
  const auto kept = static_cast<Index>(outcome.results.records.size());
  const Index expected = expected_trials(plan, options.dealing);
  if (kept < expected) {
    outcome.exit_code = kFailed;
    bar.notice(fmt::format("stopped after {} of {} trials{}", kept, expected,
                           store ? "; the same command goes on from here" : ""));
  }
  for (const auto& record : outcome.results.records) {
    if (record.failed()) outcome.exit_code = kFailed;
  }
  return outcome;
}

}  // namespace bandolier
