// The results folder under faults: cut lines, other settings, a second process, a full disk.
#include "bandolier/lab/experiment/results_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bandolier/core/error.h"
#include "bandolier/lab/experiment/test_store.h"
#include "testing/errors.h"

namespace bandolier::results_store_test {
namespace {

namespace fs = std::filesystem;
using testing::facts;
using testing::record;
using testing::settings;

class ResultsStoreTest : public testing::StoreTest {};

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
  EXPECT_EQ(read.result.chosen, wrote.result.chosen);
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

// A start writes three headers and then the manifest.
TEST_F(ResultsStoreTest, KilledWhileStartingIsStartedAgain) {
  open();
  for (const auto* name : {"manifest.json", "timings.csv", "curves.csv"}) {
    fs::remove(folder / "manifest.json");
    fs::remove(folder / name);
    std::ofstream(folder / (std::string(name) + ".tmp.4194305.0")) << "half";
    EXPECT_NO_THROW(open()) << name;
    EXPECT_EQ(temporary.names(), (std::vector<std::string>{"curves.csv", "manifest.json",
                                                           "timings.csv", "trials.csv"}));
  }
}

TEST_F(ResultsStoreTest, TrialsWithoutAManifestAreRefusedAndStay) {
  open()->append(record(0, 0));
  fs::remove(folder / "manifest.json");
  const std::string trials = bytes("trials.csv"), error = testing::error_of([&] { open(); });
  EXPECT_NE(error.find("has trials.csv and no manifest.json"), std::string::npos) << error;
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
  other.seed = 5;
  const std::string error = testing::error_of([&] { ResultsStore(folder, other, facts()); });
  EXPECT_NE(error.find("seed is 3 there and 5 here"), std::string::npos) << error;
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

TEST_F(ResultsStoreTest, TitleCommandAndLabelsAreNoPartOfWhatIsResumed) {
  open()->append(record(0, 0));
  ExperimentSettings other = settings();
  other.name = "another title";
  other.command = "bandolier paper tabular";
  other.agents[0].label = "another label";
  EXPECT_EQ(ResultsStore(folder, other, facts()).records().size(), 1U);
}

TEST_F(ResultsStoreTest, ChangedDataAreRefused) {
  open();
  auto other = facts();
  other[0].data = "12345678";
  const std::string error = testing::error_of([&] { ResultsStore(folder, settings(), other); });
  EXPECT_NE(error.find("data is \"\" there and \"12345678\" here"), std::string::npos) << error;
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
  EXPECT_EQ(read.results.environments[0].notes, (std::vector<Note>{{"note", "a note"}}));
  EXPECT_EQ(read.results.records.size(), 4U);
  EXPECT_EQ(read.results.records[1].position(), record(0, 1).position());
}

}  // namespace
}  // namespace bandolier::results_store_test
