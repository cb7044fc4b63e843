// Shares put together: the bytes of one process, and what is said where they are not there.
#include "bandolier/lab/experiment/merge.h"

#include <gtest/gtest.h>

#include <fstream>

#include "bandolier/lab/experiment/test_store.h"
#include "testing/errors.h"

namespace bandolier::merge_test {
namespace {

namespace fs = std::filesystem;
using testing::facts;
using testing::settings;

// The experiment of test_store.h, 2 agents and 2 trials, dealt to two parts: trial 0 is the first's
// and trial 1 the second's.
class MergeTest : public testing::StoreTest {
 protected:
  using Trials = std::vector<std::pair<Index, std::uint32_t>>;

  fs::path write(const std::string& name, const Dealing& dealing,
                 const std::vector<TrialRecord>& records,
                 const ExperimentSettings& of = settings()) const {
    ResultsStore store(folder / name, of, facts(), dealing);
    for (const auto& one : records) store.append(one);
    return folder / name;
  }
  fs::path share(const std::string& name, std::int64_t part, const Trials& trials) const {
    std::vector<TrialRecord> records;
    for (const auto& [agent, trial] : trials) records.push_back(testing::record(agent, trial));
    return write(name, {{part, 2}, {30, 10}, 0}, records);
  }
  std::string files(const std::string& name) const {
    return bytes((name + "/trials.csv").c_str()) + bytes((name + "/curves.csv").c_str());
  }
  std::string whole() const {
    fs::remove_all(folder / "whole");
    ResultsStore store(folder / "whole", settings(), facts());
    store.add({testing::record(1, 1), testing::record(0, 0), testing::record(0, 1),
               testing::record(1, 0)});
    return files("whole");
  }
  Merged merge(const std::vector<fs::path>& shares) const {
    return merge_shares(shares, folder / "out").front();
  }
};

TEST_F(MergeTest, SharesInAnyOrderGiveTheBytesOfOneProcess) {
  const auto one = share("one", 1, {{1, 0}, {0, 0}}), two = share("two", 2, {{0, 1}, {1, 1}});
  const Merged merged = merge({two, one});
  EXPECT_EQ(merged.trials, 4);
  EXPECT_EQ(merged.missing, std::vector<std::string>{});
  EXPECT_TRUE(files("out") == whole());
  EXPECT_EQ(read_results(folder / "out").manifest.at("merged").size(), 2U);
  merge({one, two});  // once more into the same folder
  EXPECT_TRUE(files("out") == whole());
}

TEST_F(MergeTest, ALostShareIsNamedWithItsTrialsAndComesLater) {
  const auto one = share("one", 1, {{0, 0}, {1, 0}});
  const Merged merged = merge({one, folder / "two"});
  EXPECT_EQ(merged.trials, 2);
  ASSERT_EQ(merged.missing.size(), 1U);
  EXPECT_EQ(merged.missing[0],
            "2 trials are missing: part 2/2, of which no folder was given, has trial 1 of 'linear' "
            "on 'wheel:delta=0.9'; trial 1 of 'subspace-ekf:dim=20,basis=svd' on "
            "'wheel:delta=0.9'");
  ASSERT_EQ(merged.damage.size(), 1U);
  EXPECT_NE(merged.damage[0].find("two holds no results"), std::string::npos);
  EXPECT_EQ(merge({share("two", 2, {{0, 1}, {1, 1}})}).missing.size(), 0U);
  EXPECT_TRUE(files("out") == whole());
}

TEST_F(MergeTest, AShareThatWasKilledIsNamedByItsFolder) {
  const auto one = share("one", 1, {{0, 0}, {1, 0}}), two = share("two", 2, {{0, 1}, {1, 1}});
  cut("two/trials.csv", 3);  // in the middle of its last line
  const Merged merged = merge({one, two});
  ASSERT_EQ(merged.missing.size(), 1U);
  EXPECT_EQ(merged.missing[0], "1 trial is missing: part 2/2 (" + two.string() +
                                   ") lacks trial 1 of 'subspace-ekf:dim=20,basis=svd' on "
                                   "'wheel:delta=0.9'");
  EXPECT_EQ(merged.damage.size(), 1U);
}

TEST_F(MergeTest, TheSameTrialInTwoSharesMayDifferInItsTimingsAlone) {
  TrialRecord slow = testing::record(0, 0);
  slow.result.seconds = 99;
  const auto one = share("one", 1, {{0, 0}, {1, 0}}), two = share("two", 2, {{0, 1}, {1, 1}}),
             again = write("again", {{1, 2}, {30, 10}, 0}, {slow});
  EXPECT_EQ(merge({one, again, two}).trials, 4);
  EXPECT_TRUE(files("out") == whole());
  EXPECT_EQ(read_results(folder / "out").results.records[0].result.seconds, 0.5);  // of the first

  TrialRecord other = slow;
  other.result.reward = 11;
  const auto wrong = write("wrong", {{1, 2}, {30, 10}, 0}, {other});
  const std::string before = files("out");
  EXPECT_NE(testing::error_of([&] {
              merge({one, two, wrong});
            }).find("reward is 10.25 in one and 11 in the other"),
            std::string::npos);
  other = slow;
  other.result.curve_regret[3] = 7;
  const auto bent = write("bent", {{1, 2}, {30, 10}, 0}, {other});
  EXPECT_NE(testing::error_of([&] {
              merge({one, bent});
            }).find("its curve differs"),
            std::string::npos);
  EXPECT_TRUE(files("out") == before);
}

TEST_F(MergeTest, AFailedTrialGivesWayToOneThatDidNotFail) {
  TrialRecord failed = testing::record(0, 0);
  failed.error = "out of memory";
  const auto one = write("one", {{1, 2}, {30, 10}, 0}, {failed, testing::record(1, 0)}),
             two = share("two", 2, {{0, 1}, {1, 1}});
  const Merged merged = merge({one, two});
  EXPECT_EQ(merged.missing.size(), 0U);
  ASSERT_EQ(merged.failures.size(), 1U);
  EXPECT_NE(merged.failures[0].find("out of memory"), std::string::npos);
  EXPECT_EQ(merge({one, two, share("again", 1, {{0, 0}})}).failures.size(), 0U);
  EXPECT_TRUE(files("out") == whole());
}

TEST_F(MergeTest, SharesOfOtherExperimentsAreRefusedByWhatDiffers) {
  const auto one = share("one", 1, {{0, 0}});
  const auto refused = [&](const std::string& expected, const auto& change) {
    ExperimentSettings other = settings();
    change(other);
    fs::remove_all(folder / "other");
    const auto two = write("other", {}, {}, other);
    const std::string error = testing::error_of([&] { merge({one, two}); });
    EXPECT_NE(error.find("are not shares of one experiment: " + expected), std::string::npos)
        << error;
    EXPECT_FALSE(fs::exists(folder / "out"));
  };
  refused("seed is 3 there and 4 here", [](auto& other) { other.seed = 4; });
  refused("trials is 2 there and 3 here", [](auto& other) { other.trials = 3; });
  refused("agent is [\"linear\"", [](auto& other) { other.agents.pop_back(); });
  refused("warmup_pulls is 2 there and 1 here", [](auto& other) { other.warmup_pulls = 1; });
}

TEST_F(MergeTest, SharesOfOtherDataAreRefused) {
  const auto one = share("one", 1, {{0, 0}});
  auto other = facts();
  other[0].data = "12345678";
  { const ResultsStore store(folder / "two", settings(), other); }
  EXPECT_NE(testing::error_of([&] {
              merge({one, folder / "two"});
            }).find("data is"),
            std::string::npos);
}

TEST_F(MergeTest, AFolderThatHoldsAnotherPartIsRefused) {
  share("one", 1, {{0, 0}});
  EXPECT_NE(testing::error_of([&] { share("one", 2, {}); }).find("part 1/2 there and 2/2 here"),
            std::string::npos);
  EXPECT_EQ(testing::error_of([&] { share("one", 1, {{1, 0}}); }), "");
  EXPECT_EQ(testing::error_of([&] { write("one", {}, {}); }),
            "");  // all of it goes on from a share
}

TEST_F(MergeTest, FoldersOfResultsAreMergedByName) {
  share("one/a", 1, {{0, 0}, {1, 0}});
  share("one/b", 1, {{0, 0}});
  share("two/a", 2, {{0, 1}, {1, 1}});
  const auto merged = merge_shares({folder / "one", folder / "two"}, folder / "out");
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[0].folder, folder / "out" / "a");
  EXPECT_EQ(merged[0].trials, 4);
  EXPECT_EQ(merged[1].trials, 1);
  EXPECT_EQ(merged[1].missing.size(), 2U);
  EXPECT_TRUE(files("out/a") == whole());
}

TEST_F(MergeTest, WhatCannotBeMergedIsSaid) {
  const auto one = share("one", 1, {{0, 0}});
  const auto error = [&](const std::vector<fs::path>& shares, const fs::path& out) {
    return testing::error_of([&] { merge_shares(shares, out); });
  };
  EXPECT_NE(error({folder / "none"}, folder / "out").find("none of the folders holds results"),
            std::string::npos);
  EXPECT_NE(error({one}, one).find("is a share and the folder to merge into"), std::string::npos);
  share("many/a", 1, {});
  EXPECT_NE(error({one, folder / "many"}, folder / "out").find("expected shares of one kind"),
            std::string::npos);
  std::ofstream(one / "manifest.json") << "{";
  EXPECT_NE(error({one}, folder / "out").find("is damaged"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "out"));
}

}  // namespace
}  // namespace bandolier::merge_test
