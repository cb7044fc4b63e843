// The engine behind bandolier.run: an experiment planned as the command line plans it, run here on
// threads or trial by trial elsewhere.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "bandolier/core/parallel.h"
#include "bandolier/lab/experiment/experiment.h"
#include "bandolier/lab/experiment/record_bytes.h"
#include "bandolier/lab/experiment/results_store.h"
#include "bandolier/lab/experiment/trial_run.h"
#include "python/src/environment.h"
#include "python/src/interruptible.h"
#include "python/src/results.h"

namespace bandolier::python {
namespace {

ExperimentSettings settings_of(const std::string& json) {
  return settings_from_json(nlohmann::ordered_json::parse(json));
}

// Folders that are not given are empty.
class Experiment {
 public:
  Experiment(const std::string& settings, const std::map<std::string, SharedEnvironment>& given,
             int jobs, const std::filesystem::path& out, const std::filesystem::path& save,
             bool overwrite, const std::optional<std::string>& part, const std::string& baseline) {
    GivenEnvironments environments;
    for (const auto& [spec, one] : given) environments[spec] = one.environment;
    options_.jobs = jobs;
    options_.save_folder = save;
    options_.overwrite = overwrite;
    run_interruptibly([&] {
      const ExperimentSettings asked = settings_of(settings);
      find_baseline(asked, baseline);
      plan_ = make_plan(asked, jobs, environments);
      options_.dealing = {part ? parse_share(*part) : Share{}, plan_.costs};
      mine_ = in_share(options_.dealing, plan_.settings.trials);
      if (out.empty()) return;
      check_saved_agents(plan_, options_,
                         check_results_folder(out, plan_.settings, plan_.facts, options_.dealing));
      store_ = std::make_unique<ResultsStore>(out, plan_.settings, plan_.facts, options_.dealing);
      options_.store = store_.get();
    });
    manifest_ = make_manifest(plan_.settings, plan_.facts, options_.dealing);
    results_ = {plan_.settings, plan_.facts, {}};
    if (store_) results_.records = store_->records();
    std::erase_if(results_.records, [this](const TrialRecord& record) {
      return !mine(record.environment, record.agent, record.trial);
    });
  }

  Index expected() const { return expected_trials(plan_, options_.dealing); }
  std::size_t count() const { return results_.records.size(); }
  std::vector<std::string> repairs() const {
    return store_ ? store_->repairs() : std::vector<std::string>();
  }

  // What is missing, here, on threads. progress(trials done, trials, fraction, seconds left).
  void run(const nb::object& progress) {
    std::mutex mutex;
    std::optional<Progress> latest;
    RunOptions options = options_;
    options.progress = [&](const Progress& at) {
      const std::lock_guard lock(mutex);
      latest = at;
    };
    const auto tell = [&] {
      std::optional<Progress> at;
      {
        const std::lock_guard lock(mutex);
        at.swap(latest);
      }
      if (!at || progress.is_none()) return;
      progress(at->trials_done, at->trials, at->fraction, at->seconds_left);
    };
    run_interruptibly([&] { results_ = run_experiment(plan_, options); }, tell);
    tell();
  }

  // What is missing: (environment, agent, trial, expected cost).
  std::vector<std::tuple<Index, Index, std::uint32_t, std::int64_t>> missing() const {
    std::set<decltype(TrialRecord().position())> known;
    for (const auto& record : results_.records) known.insert(record.position());
    const auto agents = static_cast<Index>(plan_.settings.agents.size());
    std::vector<std::tuple<Index, Index, std::uint32_t, std::int64_t>> out;
    for (std::uint32_t trial = 0; trial < plan_.settings.trials; ++trial) {
      for (Index cell = 0; cell < static_cast<Index>(plan_.costs.size()); ++cell) {
        const Index e = cell / agents, a = cell % agents;
        if (!mine(e, a, trial) || known.contains({e, a, trial})) continue;
        out.emplace_back(e, a, trial, plan_.costs[static_cast<std::size_t>(cell)]);
      }
    }
    return out;
  }

  // (steps, checksum) of an environment.
  std::pair<Index, std::string> facts(std::size_t environment) const {
    const EnvironmentFacts& facts = plan_.facts.at(environment);
    return {facts.steps, facts.data};
  }

  // A trial that was run elsewhere.
  void add(const nb::bytes& bytes) {
    TrialRecord record = record_from_bytes(std::string(bytes.c_str(), bytes.size()));
    const nb::gil_scoped_release release;
    if (store_) store_->append(record);
    results_.records.push_back(std::move(record));
  }

  // Sorts the files once all is there, and lets others have the folder.
  PythonResults finish() {
    const nb::gil_scoped_release release;
    sort_records(results_.records);
    if (store_ && static_cast<Index>(results_.records.size()) == expected()) store_->complete();
    store_.reset();
    options_.store = nullptr;
    return {{"", results_, manifest_.json, {}}};
  }

 private:
  bool mine(Index environment, Index agent, std::uint32_t trial) const {
    return mine_(environment * static_cast<Index>(plan_.settings.agents.size()) + agent, trial);
  }

  Plan plan_;
  RunOptions options_;
  InShare mine_;
  std::unique_ptr<ResultsStore> store_;
  Manifest manifest_;
  Results results_;
};

// One trial, wherever there is the environment: its record as bytes.
nb::bytes play(const std::string& settings, const SharedEnvironment& environment,
               const std::string& agent, Index steps, Index e, Index a, std::uint32_t trial) {
  std::string bytes;
  run_interruptibly([&] {
    TrialRun run = play_trial(settings_of(settings), agent, *environment.environment, steps, trial);
    bytes = to_bytes({e, a, trial, std::move(run.error), std::move(run.result)});
  });
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_experiment(nb::module_& m) {
  nb::class_<Experiment>(m, "Experiment")
      .def(nb::init<const std::string&, const std::map<std::string, SharedEnvironment>&, int,
                    const std::filesystem::path&, const std::filesystem::path&, bool,
                    const std::optional<std::string>&, const std::string&>(),
           nb::arg("settings"), nb::arg("given"), nb::arg("jobs"), nb::arg("out"), nb::arg("save"),
           nb::arg("overwrite"), nb::arg("part").none(), nb::arg("baseline"))
      .def_prop_ro("expected", &Experiment::expected)
      .def_prop_ro("count", &Experiment::count)
      .def_prop_ro("repairs", &Experiment::repairs)
      .def("run", &Experiment::run, nb::arg("progress").none())
      .def("missing", &Experiment::missing)
      .def("facts", &Experiment::facts)
      .def("add", &Experiment::add)
      .def("finish", &Experiment::finish);
  m.def("play", &play);
  m.def("available_cores", &available_cores);
}

}  // namespace bandolier::python
