#include "bandolier/lab/experiment/experiment.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <tuple>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/core/parallel.h"
#include "bandolier/core/stop.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/experiment/cell_names.h"
#include "bandolier/lab/experiment/data_sum.h"
#include "bandolier/lab/experiment/expected_cost.h"
#include "bandolier/lab/experiment/player.h"
#include "bandolier/lab/experiment/progress_estimate.h"
#include "bandolier/lab/experiment/results_store.h"
#include "bandolier/lab/experiment/trial_run.h"
#include "bandolier/lab/log/dsjson_writer.h"

namespace bandolier {
namespace {

struct Job {
  Index environment = 0, agent = 0;
  std::uint32_t trial = 0;
  bool known = false;  // its record is there: it runs for the sake of its agent or log
  std::filesystem::path model = {}, log = {};  // where they go; empty: nowhere
};

Index cell_of(const Plan& plan, Index environment, Index agent) {
  return environment * static_cast<Index>(plan.settings.agents.size()) + agent;
}

bool lacks(const std::filesystem::path& file) {
  return !file.empty() && !std::filesystem::exists(file);
}

// All trials of the share, those that are to run and those that are known, trial by trial and not
// agent by agent: a run that is stopped has all agents on the same trials.
std::vector<Job> all_jobs(const Plan& plan, const std::vector<TrialRecord>& done,
                          const RunOptions& options) {
  const auto names = cell_names(plan.settings);
  std::set<std::tuple<Index, Index, std::uint32_t>> known;
  for (const auto& record : done) known.insert(record.position());
  const InShare mine = in_share(options.dealing, plan.settings.trials);
  std::vector<Job> jobs;
  for (std::size_t e = 0; e < plan.environments.size(); ++e) {
    for (std::uint32_t trial = 0; trial < plan.settings.trials; ++trial) {
      for (std::size_t a = 0; a < plan.settings.agents.size(); ++a) {
        Job job{static_cast<Index>(e), static_cast<Index>(a), trial};
        const Index cell = cell_of(plan, job.environment, job.agent);
        if (!mine(cell, trial)) continue;
        job.known = known.contains({job.environment, job.agent, job.trial});
        const auto& name = names[static_cast<std::size_t>(cell)];
        if (trial == 0 && !options.save_folder.empty()) {
          job.model = options.save_folder / (name + ".bndl");
        }
        if (!options.log_folder.empty()) {
          job.log = options.log_folder / fmt::format("{}--trial-{}.dsjson", name, trial);
        }
        jobs.push_back(job);
      }
    }
  }
  return jobs;
}

// Calls make(); an Error of a spec that was read from a file says where.
template <class Make>
auto with_origin(const ExperimentSettings& settings, const std::string& spec, Make make) {
  const auto origin = settings.origins.find(spec);
  if (origin == settings.origins.end()) return make();
  try {
    return make();
  } catch (const Error& error) {
    fail("{}: {}", origin->second, error.what());
  }
}

// Writes what the loop tells, under a name.
std::function<void(const LoggedDecision&)> log_to(DsjsonWriter& writer, std::uint64_t seed,
                                                  std::uint32_t trial) {
  return [&writer, seed, trial](LoggedDecision decision) {
    const std::string id = fmt::format("{}-{}-{}", seed, trial, decision.time);
    decision.id = id;
    writer.write(decision);
  };
}

// Why a trial of `facts` with these settings cannot be run, as an Error.
void check_steps(const Environment& environment, const EnvironmentFacts& facts,
                 const ExperimentSettings& settings) {
  const auto most = environment.max_steps();
  if (most && facts.steps > *most) {
    fail("environment '{}' has {} rows and {} steps were asked for: expected at most {}",
         facts.spec, *most, facts.steps, *most);
  }
  if (facts.warmup_steps > facts.steps) {
    fail(
        "environment '{}': warm-up takes {} steps ({} pulls of {} actions) and a trial has {}: "
        "give more steps or fewer warm-up pulls",
        facts.spec, facts.warmup_steps, settings.warmup_pulls, facts.actions, facts.steps);
  }
  // Its contexts are held until the agent has seen them all.
  const auto bytes = sizeof(ContextBuffer) + sizeof(Experience) +
                     sizeof(float) * static_cast<std::size_t>(facts.features);
  require_available_memory(static_cast<double>(facts.warmup_steps) * static_cast<double>(bytes),
                           fmt::format("a warm-up of {} steps", facts.warmup_steps),
                           "use fewer warm-up pulls");
}

}  // namespace

Plan make_plan(const ExperimentSettings& settings, int jobs, const GivenEnvironments& given) {
  check(settings);
  // Names first: a misspelt agent is refused before minutes of loading.
  for (const auto& agent : settings.agents) {
    if (is_saved_agent(agent.spec)) continue;
    with_origin(settings, agent.spec, [&] { find_agent(parse_spec(agent.spec).name); });
  }
  for (const auto& environment : settings.environments) {
    if (given.contains(environment.spec)) continue;
    with_origin(settings, environment.spec,
                [&] { find_environment(parse_spec(environment.spec).name); });
  }
  Plan plan;
  plan.settings = settings;
  // As many trials of one agent may run side by side.
  const auto trials = settings.trials * static_cast<std::int64_t>(settings.environments.size());
  const MemoryShare share(static_cast<int>(std::min<std::int64_t>(jobs, trials)), "--jobs");
  for (const auto& spec : specs_of(settings.environments)) {
    const auto found = given.find(spec);
    const std::shared_ptr<const Environment> environment =
        found != given.end()
            ? found->second
            : with_origin(settings, spec, [&]() -> std::shared_ptr<const Environment> {
                return make_environment(spec);
              });
    const ProblemShape shape = environment->shape();
    check(shape);
    EnvironmentFacts facts;
    facts.spec = spec;
    facts.steps =
        settings.steps ? static_cast<Index>(*settings.steps) : environment->default_steps();
    facts.warmup_steps = settings.warmup_pulls * shape.actions;
    facts.features = shape.features;
    facts.actions = shape.actions;
    facts.action_features = shape.action_features;
    facts.data = data_sum(*environment);
    facts.action_names = environment->action_names();
    facts.notes = environment->notes();
    check_steps(*environment, facts, settings);
    for (const auto& agent : settings.agents) {
      plan.costs.push_back(with_origin(settings, agent.spec, [&] {
        return expected_cost(*make_player(settings, agent.spec, *environment).agent, facts.steps);
      }));
    }
    plan.environments.push_back(environment);
    plan.facts.push_back(std::move(facts));
  }
  return plan;
}

Index expected_trials(const Plan& plan, const Dealing& dealing) {
  const InShare mine = in_share(dealing, plan.settings.trials);
  Index count = 0;
  for (Index cell = 0; cell < static_cast<Index>(plan.costs.size()); ++cell) {
    for (std::uint32_t trial = 0; trial < plan.settings.trials; ++trial) {
      count += mine(cell, trial) ? 1 : 0;
    }
  }
  return count;
}

void check_saved_agents(const Plan& plan, const RunOptions& options,
                        const std::vector<TrialRecord>& done) {
  if (options.overwrite || options.save_folder.empty()) return;
  for (const Job& job : all_jobs(plan, done, options)) {
    if (!job.known && !job.model.empty() && !lacks(job.model)) {
      fail("{} is there and its trial is to run: give another folder, remove it, or use --force",
           job.model.string());
    }
  }
}

Results run_experiment(const Plan& plan, const RunOptions& options) {
  Results results;
  results.settings = plan.settings;
  results.environments = plan.facts;
  if (options.store != nullptr) results.records = options.store->records();
  const InShare mine = in_share(options.dealing, plan.settings.trials);
  std::erase_if(results.records, [&](const TrialRecord& record) {
    return !mine(cell_of(plan, record.environment, record.agent), record.trial);
  });
  if (!options.save_folder.empty()) require_writable_folder(options.save_folder);
  check_saved_agents(plan, options, results.records);
  if (!options.log_folder.empty()) {
    if (!plan.settings.probabilities) {
      fail("a log needs decisions with probabilities: expected settings that ask for them");
    }
    require_writable_folder(options.log_folder);
  }

  std::vector<Job> jobs = all_jobs(plan, results.records, options);
  for (const Job& job : jobs) {
    if (!job.model.empty()) remove_half_written(job.model);
  }
  std::erase_if(jobs,
                [](const Job& job) { return job.known && !lacks(job.model) && !lacks(job.log); });
  std::vector<Index> cells;
  Index again = 0;
  for (const Job& job : jobs) {
    cells.push_back(cell_of(plan, job.environment, job.agent));
    again += job.known ? 1 : 0;
  }
  using Clock = ProgressEstimate::Clock;
  ProgressEstimate estimate(cells, static_cast<Index>(results.records.size()) - again,
                            options.jobs);
  std::mutex mutex;  // guards results, store, estimate and the callbacks
  Clock::time_point next_report{};
  // An estimate costs O(jobs), so that one for each step would cost O(jobs²).
  const auto report = [&](bool in_any_case = false) {
    const auto now = Clock::now();
    if (!options.progress || (now < next_report && !in_any_case)) return;
    next_report = now + std::chrono::milliseconds(100);
    options.progress(estimate.at(now));
  };

  const auto run = [&](Index index) {
    const Job& job = jobs[static_cast<std::size_t>(index)];
    const auto e = static_cast<std::size_t>(job.environment);
    const auto& agent_spec = plan.settings.agents[static_cast<std::size_t>(job.agent)].spec;
    const Environment& environment = *plan.environments[e];
    const auto seed = static_cast<std::uint64_t>(plan.settings.seed);
    TrialRecord record{job.environment, job.agent, job.trial, {}, {}};
    {
      const std::lock_guard lock(mutex);
      estimate.start(index, Clock::now());
    }
    const auto advance = [&](Index steps) {
      const std::lock_guard lock(mutex);
      estimate.advance(index,
                       static_cast<double>(steps) / static_cast<double>(plan.facts[e].steps));
      report();
    };
    std::optional<DsjsonWriter> log;
    TrialRun played;
    try {
      record.error = failure_of([&] {
        if (!job.log.empty()) log.emplace(job.log);
      });
      if (!record.failed()) {
        played = play_trial(
            plan.settings, agent_spec, environment, plan.facts[e].steps, job.trial,
            options.progress ? advance : std::function<void(Index)>(),
            log ? log_to(*log, seed, job.trial) : std::function<void(const LoggedDecision&)>());
        record.error = played.error;
        record.result = std::move(played.result);
      }
    } catch (const Stopped&) {
      return;
    }
    if (!job.known && options.store != nullptr) {
      const std::lock_guard lock(mutex);
      options.store->append(record);
    }
    // Once the trial is kept: a run that is killed in between lacks the agent and makes it again.
    if (!record.failed()) {
      record.error = failure_of([&] {
        if (!job.model.empty()) save_player(job.model, *played.agent, environment, *played.trial);
        if (log) log->finish();
      });
    }
    const std::lock_guard lock(mutex);
    estimate.finish(index, Clock::now());
    if (!job.known) {
      if (options.finished) options.finished(record);
      results.records.push_back(std::move(record));
    } else if (record.failed()) {
      // The stored trial stands. That its agent or log was not kept is reported, and fails the run.
      if (options.finished) options.finished(record);
      std::find_if(results.records.begin(), results.records.end(), [&](const TrialRecord& other) {
        return other.position() == record.position();
      })->error = record.error;
    }
    report();
  };
  parallel_for(static_cast<Index>(jobs.size()), options.jobs, run);
  report(true);

  sort_records(results.records);
  if (options.store != nullptr &&
      static_cast<Index>(results.records.size()) == expected_trials(plan, options.dealing)) {
    options.store->complete();
  }
  return results;
}

}  // namespace bandolier
