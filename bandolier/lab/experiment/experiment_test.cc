// A planned experiment run in-process: saved agents, progress, and what resuming does with them.
#include "bandolier/lab/experiment/experiment.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <set>

#include "bandolier/agent/registry.h"
#include "bandolier/core/file.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/experiment/cell_names.h"
#include "bandolier/lab/experiment/data_sum.h"
#include "bandolier/lab/experiment/results_store.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::experiment_test {
namespace {

namespace fs = std::filesystem;

ExperimentSettings small() {
  ExperimentSettings settings;
  settings.environments = {{"linear"}};
  settings.agents = {{"linear", ""}, {"uniform", ""}};
  settings.steps = 40;
  settings.trials = 2;
  return settings;
}

TEST(CellNames, AreFileNamesThatDifferHoweverLongOrAlikeTheSpecsAre) {
  ExperimentSettings settings;
  settings.environments = {{"linear"},
                           {"csv:a/b.csv,label=y"},
                           {"csv:a_b.csv,label=y"},
                           {"csv:" + std::string(400, 'x') + ".csv,label=y"},
                           {"csv:" + std::string(400, 'x') + ".csv,label=z"}};
  settings.agents = {{"linear", ""}, {"linear:lambda=1", ""}};
  std::set<std::string> names;
  for (const auto& name : cell_names(settings)) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_LE(name.size(), 225U);
  }
  EXPECT_EQ(names.size(), 10U);
  EXPECT_TRUE(names.contains("linear--linear_lambda=1"));
}

TEST(Experiment, AgentsMissingFromTheSaveFolderAreMadeAgainFromAFinishedRun) {
  const testing::TemporaryFolder folder;
  const Plan plan = make_plan(small());
  {
    ResultsStore store(folder / "out", plan.settings, plan.facts);
    RunOptions options;
    options.store = &store;
    run_experiment(plan, options);
  }
  const std::string trials = read_file(folder / "out" / "trials.csv");
  ResultsStore store(folder / "out", plan.settings, plan.facts);
  RunOptions options;
  options.store = &store;
  options.save_folder = folder / "models";
  int finished = 0;
  options.finished = [&](const TrialRecord&) { ++finished; };
  const Results results = run_experiment(plan, options);
  EXPECT_EQ(results.records.size(), 4U);
  EXPECT_EQ(finished, 0);  // no trial is new
  EXPECT_EQ(load_agent(folder / "models" / "linear--linear.bndl")->report().steps, 40);
  EXPECT_TRUE(fs::exists(folder / "models" / "linear--uniform.bndl"));
  EXPECT_EQ(read_file(folder / "out" / "trials.csv"), trials);
}

TEST(Experiment, AnAgentThatCannotBeSavedIsAFailedTrialAndTheOthersGoOn) {
  const testing::TemporaryFolder folder;
  fs::create_directories(folder / "models" / "linear--linear.bndl");
  RunOptions options;
  options.save_folder = folder / "models";
  options.overwrite = true;
  const Results results = run_experiment(make_plan(small()), options);
  ASSERT_EQ(results.records.size(), 4U);
  EXPECT_TRUE(results.records[0].failed());
  EXPECT_NE(results.records[0].error.find("linear--linear.bndl"), std::string::npos);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_FALSE(results.records[i].failed());
}

TEST(Experiment, AnAgentThatIsThereIsReplacedOnlyWhereThatIsAskedFor) {
  const testing::TemporaryFolder folder;
  RunOptions options;
  options.save_folder = folder / "models";
  run_experiment(make_plan(small()), options);
  fs::remove(folder / "models" / "linear--linear.bndl");
  ExperimentSettings other = small();
  other.seed = 1;
  const std::string error = testing::error_of([&] { run_experiment(make_plan(other), options); });
  EXPECT_NE(error.find("linear--uniform.bndl is there and its trial is to run"), std::string::npos)
      << error;
  EXPECT_FALSE(fs::exists(folder / "models" / "linear--linear.bndl"));  // nothing was run
  const std::string before = read_file(folder / "models" / "linear--uniform.bndl");
  options.overwrite = true;
  run_experiment(make_plan(other), options);
  EXPECT_NE(read_file(folder / "models" / "linear--uniform.bndl"), before);
}

TEST(Experiment, TheSaveFolderHoldsAgentsAndNothingElse) {
  const testing::TemporaryFolder folder;
  // A process of this number is never there: it is beyond the most that Linux gives.
  std::ofstream(folder / "linear--linear.bndl.tmp.4194305.0") << "half";
  RunOptions options;
  options.save_folder = folder.path();
  run_experiment(make_plan(small()), options);
  EXPECT_EQ(folder.names(),
            (std::vector<std::string>{"linear--linear.bndl", "linear--uniform.bndl"}));
}

TEST(Experiment, AResumedRunLeavesTheAgentsOfItsTrialsAlone) {
  const testing::TemporaryFolder folder;
  ExperimentSettings settings = small();
  for (const std::int64_t trials : {2, 3}) {
    settings.trials = trials;
    const Plan plan = make_plan(settings);
    ResultsStore store(folder / "out", plan.settings, plan.facts);
    RunOptions options;
    options.store = &store;
    options.save_folder = folder / "models";
    EXPECT_EQ(run_experiment(plan, options).records.size(), 2U * static_cast<std::size_t>(trials));
  }
}

TEST(Experiment, MemoryIsCountedForAllTrialsSideBySide) {
  ExperimentSettings settings = small();
  settings.trials = 1000;
  // A memory of about a 500th of what there is.
  const auto rows = static_cast<std::int64_t>(available_memory() / 500 / 40);
  settings.agents = {{fmt::format("neural-linear:memory={}", rows)}};
  EXPECT_EQ(testing::error_of([&] { make_plan(settings, 1); }), "");
  const std::string error = testing::error_of([&] { make_plan(settings, 1000); });
  EXPECT_NE(error.find("for each of 1000 trials side by side"), std::string::npos) << error;
  EXPECT_NE(error.find("use --jobs "), std::string::npos) << error;
}

TEST(Experiment, ProgressIsToldTenTimesASecondAtMostAndAtTheEnd) {
  ExperimentSettings settings = small();
  settings.trials = 40;
  RunOptions options;
  int calls = 0;
  Progress last;
  options.progress = [&](const Progress& progress) {
    ++calls;
    last = progress;
  };
  const auto start = std::chrono::steady_clock::now();
  run_experiment(make_plan(settings), options);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LE(calls, 3 + 10 * taken.count());
  EXPECT_EQ(last.trials_done, 80);
  EXPECT_EQ(last.fraction, 1);
}

TEST(Experiment, ADelayLongerThanTheTrialIsNeverTold) {
  ExperimentSettings settings = small();
  settings.environments = {{"linear:delay=4000000000000000000"}};
  const Results results = run_experiment(make_plan(settings), {});
  EXPECT_EQ(results.records[0].error, "");
  EXPECT_EQ(results.records[0].result.report.steps, 16);  // the warm-up: 2 pulls of 8 actions
}

TEST(Experiment, AWarmUpThatNoMachineHoldsIsRefusedBeforeAnythingRuns) {
  ExperimentSettings settings = small();
  settings.steps = 4'000'000'000;
  settings.warmup_pulls = 500'000'000;
  EXPECT_NE(testing::error_of([&] { make_plan(settings); }).find("a warm-up of 4000000000 steps"),
            std::string::npos);
}

TEST(DataSum, ChangesWithOneValueOfAFileAndIsEmptyForGeneratedRows) {
  const testing::TemporaryFolder folder;
  const auto sum = [&](const std::string& value) {
    const auto path = (folder / "a.csv").string();
    std::ofstream(path) << "x,y\n1,a\n2,b\n" << value << ",a\n4,b\n";
    return data_sum(*make_environment("csv:" + path + ",label=y"));
  };
  EXPECT_EQ(sum("3").size(), 8U);
  EXPECT_EQ(sum("3"), sum("3.0"));
  EXPECT_NE(sum("3"), sum("3.5"));
  EXPECT_EQ(data_sum(*make_environment("wheel")), "");
}

}  // namespace
}  // namespace bandolier::experiment_test
