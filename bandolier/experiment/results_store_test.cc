// The results folder under faults: cut lines, other settings, a second process, a full disk.
#include "bandolier/experiment/results_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"

namespace bandolier {
namespace {

namespace fs = std::filesystem;

ExperimentSettings settings() {
  ExperimentSettings settings;
  settings.environments = {"wheel:delta=0.9"};
  settings.agents = {{"linear", "L"}, {"subspace-ekf:dim=20,basis=svd", ""}};
  settings.trials = 2;
  settings.seed = 3;
  return settings;
}

std::vector<EnvironmentFacts> facts() {
  return {{"wheel:delta=0.9", 100, 10, 2, 5, 0, {"a note"}}};
}

TrialRecord record(Index agent, std::uint32_t trial) {
  TrialRecord record{0, agent, trial, {}, {}};
  TrialResult& r = record.result;
  r.steps = 100;
  r.reward = 10.25 + static_cast<double>(agent) + trial;
  r.regret = 1.0 / 3;
  r.uniform = 5;
  r.best_fixed = trial == 0 ? 6 : std::numeric_limits<double>::quiet_NaN();
  r.oracle = 20;
  r.curve_steps = {50, 100};
  r.curve_reward = {5, r.reward};
  r.curve_regret = {0.1, r.regret};
  r.seconds = 0.5 + trial;
  r.warmup_seconds = 0.1;
  r.choose_seconds = 0.2;
  r.observe_seconds = 0.15;
  r.step_us_p50 = 10;
  r.step_us_p99 = 30;
  r.report.belief_bytes = 1234;
  r.report.parameters = 99;
  r.report.notes = {"one, with a comma", "two \"quoted\""};
  r.report.signals = {{"calibration", 1.5}, {"drift", 0.25}};
  return record;
}

class ResultsStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(::testing::TempDir()) /
             fmt::format("store-{}-{}", ::getpid(),
                         ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::unique_ptr<ResultsStore> open() const {
    return std::make_unique<ResultsStore>(folder, settings(), facts());
  }
  std::string bytes(const char* name) const { return read_file(folder / name); }
  void cut(const char* name, std::uintmax_t count) const {
    fs::resize_file(folder / name, fs::file_size(folder / name) - count);
  }
  void write_all(const std::vector<std::pair<Index, std::uint32_t>>& order) const {
    auto store = open();
    for (const auto& [agent, trial] : order) store->append(record(agent, trial));
    store->complete();
  }

  fs::path folder;
};

TEST_F(ResultsStoreTest, GivesBackEveryFieldOfEveryTrial) {
  open()->append(record(1, 0));
  const auto store = open();
  ASSERT_EQ(store->records().size(), 1U);
  const TrialRecord& read = store->records()[0];
  const TrialRecord wrote = record(1, 0);
  EXPECT_EQ(read.position(), wrote.position());
  EXPECT_EQ(read.result.reward, wrote.result.reward);
  EXPECT_EQ(read.result.regret, wrote.result.regret);
  EXPECT_EQ(read.result.best_fixed, wrote.result.best_fixed);
  EXPECT_EQ(read.result.curve_steps, wrote.result.curve_steps);
  EXPECT_EQ(read.result.curve_reward, wrote.result.curve_reward);
  EXPECT_EQ(read.result.curve_regret, wrote.result.curve_regret);
  EXPECT_EQ(read.result.seconds, wrote.result.seconds);
  EXPECT_EQ(read.result.step_us_p99, wrote.result.step_us_p99);
  EXPECT_EQ(read.result.report.belief_bytes, wrote.result.report.belief_bytes);
  EXPECT_EQ(read.result.report.parameters, wrote.result.report.parameters);
  EXPECT_EQ(read.result.report.subspace_dim, std::nullopt);
  EXPECT_EQ(read.result.report.notes, wrote.result.report.notes);
  EXPECT_EQ(read.result.report.signals, wrote.result.report.signals);
  EXPECT_TRUE(store->repairs().empty());
}

TEST_F(ResultsStoreTest, FilesAreTheSameBytesWhateverTheOrderOfTrials) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::string trials = bytes("trials.csv"), curves = bytes("curves.csv");
  fs::remove_all(folder);
  write_all({{1, 1}, {0, 1}, {1, 0}, {0, 0}});
  EXPECT_EQ(bytes("trials.csv"), trials);
  EXPECT_EQ(bytes("curves.csv"), curves);
}

// Wherever in the line the crash came, only whole trials are kept, and going on from there ends
// with the same bytes.
TEST_F(ResultsStoreTest, ATrialCutAnywhereIsDroppedAndReplacedByTheSameBytes) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::string trials = bytes("trials.csv"), curves = bytes("curves.csv");
  const auto last_line = trials.size() - trials.rfind('\n', trials.size() - 2) - 1;
  for (const std::size_t lost : {std::size_t{1}, std::size_t{2}, last_line / 2, last_line - 1}) {
    cut("trials.csv", lost);
    auto store = open();
    ASSERT_EQ(store->records().size(), 3U) << "lost " << lost;
    ASSERT_EQ(store->repairs().size(), 1U) << "lost " << lost;
    EXPECT_NE(store->repairs()[0].find("trials.csv: the last line is incomplete"),
              std::string::npos);
    store->append(record(1, 1));
    store->complete();
    store.reset();
    ASSERT_EQ(bytes("trials.csv"), trials) << "lost " << lost;
    ASSERT_EQ(bytes("curves.csv"), curves) << "lost " << lost;
  }
}

TEST_F(ResultsStoreTest, ACurveWithoutItsTrialIsForgotten) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::string trials = bytes("trials.csv"), curves = bytes("curves.csv");
  // As if killed after the curve of (1, 1) was written and before its line in trials.csv.
  fs::resize_file(folder / "trials.csv", trials.rfind('\n', trials.size() - 2) + 1);
  auto store = open();
  EXPECT_EQ(store->records().size(), 3U);
  EXPECT_TRUE(store->repairs().empty());
  store->append(record(1, 1));
  store->complete();
  EXPECT_EQ(bytes("trials.csv"), trials);
  EXPECT_EQ(bytes("curves.csv"), curves);
}

TEST_F(ResultsStoreTest, ATrialWithoutItsCurveIsDroppedAndSaysSo) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  cut("curves.csv", 3);
  const auto store = open();
  EXPECT_EQ(store->records().size(), 3U);
  EXPECT_EQ(store->repairs().size(), 2U);
}

TEST_F(ResultsStoreTest, KilledBeforeSortingIsSortedByTheNextRun) {
  {
    auto store = open();
    for (const auto& [a, t] : {std::pair{1, 1U}, {0, 1U}, {1, 0U}, {0, 0U}}) {
      store->append(record(a, t));
    }
  }
  open()->complete();
  const std::string trials = bytes("trials.csv");
  fs::remove_all(folder);
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  EXPECT_EQ(bytes("trials.csv"), trials);
}

TEST_F(ResultsStoreTest, AFailedTrialIsWrittenDownAndRunsAgain) {
  TrialRecord failed = record(0, 0);
  failed.error = "agent 'linear': something, with a comma";
  open()->append(failed);
  EXPECT_NE(bytes("trials.csv").find("\"agent 'linear': something, with a comma\""),
            std::string::npos);
  EXPECT_TRUE(read_results(folder).results.records.at(0).failed());
  EXPECT_TRUE(open()->records().empty());
}

TEST_F(ResultsStoreTest, OtherSettingsAreRefusedByNameOfWhatDiffers) {
  open();
  ExperimentSettings other = settings();
  other.trials = 5;
  try {
    ResultsStore(folder, other, facts());
    FAIL() << "a folder of 2 trials took an experiment of 5";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("trials is 2 there and 5 here"), std::string::npos)
        << error.what();
  }
}

TEST_F(ResultsStoreTest, OtherDataAreRefused) {
  open();
  auto other = facts();
  other[0].features = 3;
  EXPECT_THROW(ResultsStore(folder, settings(), other), Error);
}

TEST_F(ResultsStoreTest, ASecondOwnerIsRefusedUntilTheFirstIsGone) {
  auto first = open();
  EXPECT_THROW(open(), Error);
  first.reset();
  EXPECT_NO_THROW(open());
}

TEST_F(ResultsStoreTest, ADamagedLineInTheMiddleIsAnErrorThatNamesIt) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  std::string text = bytes("trials.csv");
  const auto second = text.find('\n', text.find('\n') + 1) + 1;
  text.replace(second, 5, "\n");
  std::ofstream(folder / "trials.csv", std::ios::binary) << text;
  try {
    open();
    FAIL() << "a damaged line was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("trials.csv: line 3"), std::string::npos)
        << error.what();
  }
}

TEST_F(ResultsStoreTest, ADamagedManifestIsAnError) {
  open();
  std::ofstream(folder / "manifest.json") << "{\"format\": 1,";
  EXPECT_THROW(open(), Error);
  EXPECT_THROW(read_results(folder), Error);
}

TEST_F(ResultsStoreTest, AFolderThatCannotBeMadeIsAnError) {
  fs::create_directories(folder);
  std::ofstream(folder / "file") << "x";
  EXPECT_THROW(ResultsStore(folder / "file" / "results", settings(), facts()), Error);
}

TEST_F(ResultsStoreTest, AFullDiskLosesTheTrialAndNothingElse) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full on this system";
  auto store = open();
  store->append(record(0, 0));
  const std::string trials = bytes("trials.csv");
  fs::remove(folder / "curves.csv");
  fs::create_symlink("/dev/full", folder / "curves.csv");
  EXPECT_THROW(store->append(record(0, 1)), Error);
  EXPECT_EQ(bytes("trials.csv"), trials);
}

TEST_F(ResultsStoreTest, ResultsAreReadWithTheirSettingsAndEnvironments) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const StoredResults read = read_results(folder);
  EXPECT_EQ(read.results.settings.agents[0].label, "L");
  EXPECT_EQ(read.results.settings.trials, 2);
  EXPECT_EQ(read.results.environments[0].notes, std::vector<std::string>{"a note"});
  EXPECT_EQ(read.results.records.size(), 4U);
  EXPECT_EQ(read.results.records[1].position(), record(0, 1).position());
}

}  // namespace
}  // namespace bandolier
