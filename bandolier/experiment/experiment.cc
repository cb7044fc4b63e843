#include "bandolier/experiment/experiment.h"

#include <cctype>
#include <exception>
#include <mutex>
#include <set>
#include <tuple>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/parallel.h"
#include "bandolier/env/registry.h"
#include "bandolier/experiment/progress_estimate.h"
#include "bandolier/experiment/results_store.h"

namespace bandolier {
namespace {

struct Job {
  Index environment = 0, agent = 0;
  std::uint32_t trial = 0;
};

// What is still to run. Trials outside agents: whatever is done when a run is stopped compares all
// agents on the same trials.
std::vector<Job> missing_jobs(const Plan& plan, const std::vector<TrialRecord>& done) {
  std::set<std::tuple<Index, Index, std::uint32_t>> known;
  for (const auto& record : done) known.insert(record.position());
  std::vector<Job> jobs;
  for (std::size_t e = 0; e < plan.environments.size(); ++e) {
    for (std::uint32_t trial = 0; trial < plan.settings.trials; ++trial) {
      for (std::size_t a = 0; a < plan.settings.agents.size(); ++a) {
        const Job job{static_cast<Index>(e), static_cast<Index>(a), trial};
        if (!known.contains({job.environment, job.agent, job.trial})) jobs.push_back(job);
      }
    }
  }
  return jobs;
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
}

}  // namespace

Plan make_plan(const ExperimentSettings& settings) {
  check(settings);
  // Names first: a misspelt agent is told before minutes of loading.
  for (const auto& agent : settings.agents) find_agent(parse_spec(agent.spec).name);
  for (const auto& spec : settings.environments) find_environment(parse_spec(spec).name);
  Plan plan;
  plan.settings = settings;
  for (const auto& spec : settings.environments) {
    std::shared_ptr<const Environment> environment = make_environment(spec);
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
    facts.notes = environment->notes();
    check_steps(*environment, facts, settings);
    for (const auto& agent : settings.agents) make_agent(agent.spec, shape);
    plan.environments.push_back(std::move(environment));
    plan.facts.push_back(std::move(facts));
  }
  return plan;
}

std::filesystem::path model_path(const std::filesystem::path& folder, const std::string& env,
                                 const std::string& agent) {
  std::string name = env + "--" + agent;
  for (char& c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ||
                       c == '=' || c == '_';
    if (!plain) c = '_';
  }
  return folder / (name + ".bandolier");
}

Results run_experiment(const Plan& plan, const RunOptions& options) {
  Results results;
  results.settings = plan.settings;
  results.environments = plan.facts;
  if (options.store != nullptr) results.records = options.store->records();
  if (!options.save_folder.empty()) require_writable_folder(options.save_folder);

  const std::vector<Job> jobs = missing_jobs(plan, results.records);
  std::vector<Index> cells;
  for (const Job& job : jobs) {
    cells.push_back(job.environment * static_cast<Index>(plan.settings.agents.size()) + job.agent);
  }
  ProgressEstimate estimate(cells, static_cast<Index>(results.records.size()), options.jobs);
  std::mutex mutex;  // guards results, store, estimate and the callbacks
  const auto report = [&] {
    if (options.progress) options.progress(estimate.at(ProgressEstimate::Clock::now()));
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
      estimate.start(index, ProgressEstimate::Clock::now());
    }
    const auto advance = [&](Index steps) {
      const std::lock_guard lock(mutex);
      estimate.advance(index,
                       static_cast<double>(steps) / static_cast<double>(plan.facts[e].steps));
      report();
    };
    std::unique_ptr<Agent> agent;
    try {
      LoopOptions loop;
      loop.seed = seed;
      loop.trial = job.trial;
      loop.warmup_pulls = plan.settings.warmup_pulls;
      loop.warmup_feedback = plan.settings.warmup_feedback;
      const auto trial = environment.trial(seed, job.trial, plan.facts[e].steps);
      agent = make_agent(agent_spec, environment.shape());
      record.result = run_trial(*trial, environment.shape(), *agent, loop, advance, options.stop);
    } catch (const Stopped&) {
      return;
    } catch (const std::bad_alloc&) {
      record.error = "out of memory";
    } catch (const std::exception& error) {
      record.error = error.what();
    }
    if (job.trial == 0 && !options.save_folder.empty() && !record.failed()) {
      save_agent(model_path(options.save_folder, plan.facts[e].spec, agent_spec), agent_spec,
                 environment.shape(), *agent);
    }
    const std::lock_guard lock(mutex);
    estimate.finish(index, ProgressEstimate::Clock::now());
    if (options.store != nullptr) options.store->append(record);
    if (options.finished) options.finished(record);
    results.records.push_back(std::move(record));
    report();
  };
  parallel_for(static_cast<Index>(jobs.size()), options.jobs, run, options.stop);

  sort_records(results.records);
  if (options.store != nullptr &&
      static_cast<Index>(results.records.size()) == results.expected_records()) {
    options.store->complete();
  }
  return results;
}

}  // namespace bandolier
