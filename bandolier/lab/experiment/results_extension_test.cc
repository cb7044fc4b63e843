// A results folder that is asked for more, or for less, than it holds.
#include <gtest/gtest.h>

#include "bandolier/lab/experiment/test_store.h"
#include "testing/errors.h"

namespace bandolier::results_extension_test {
namespace {

using testing::facts;
using testing::record;
using testing::settings;

class ResultsExtensionTest : public testing::StoreTest {
 protected:
  // The experiment of test_store.h with these of its agents, in this order, and so many trials.
  static ExperimentSettings part(const std::vector<Index>& agents, std::int64_t trials) {
    ExperimentSettings out = settings();
    out.agents.clear();
    for (const Index a : agents) {
      out.agents.push_back(settings().agents[static_cast<std::size_t>(a)]);
    }
    out.trials = trials;
    return out;
  }

  // Runs what the folder lacks of it; how many trials that were.
  std::size_t run(const std::vector<Index>& agents, std::int64_t trials) const {
    ResultsStore store(folder, part(agents, trials), facts());
    std::size_t added = 0;
    for (std::size_t i = 0; i < agents.size(); ++i) {
      for (std::uint32_t trial = 0; trial < trials; ++trial) {
        TrialRecord one = record(agents[i], trial);
        one.agent = static_cast<Index>(i);
        const auto& there = store.records();
        if (std::any_of(there.begin(), there.end(),
                        [&](const auto& r) { return r.position() == one.position(); })) {
          continue;
        }
        store.append(one);
        ++added;
      }
    }
    store.complete();
    return added;
  }

  std::string files() const { return bytes("trials.csv") + bytes("curves.csv"); }
};

TEST_F(ResultsExtensionTest, MoreTrialsAndAgentsGoOnAndEndWithTheSameBytesAsAtOnce) {
  EXPECT_EQ(run({0, 1}, 3), 6U);
  const std::string whole = files();
  for (const auto& first : std::vector<std::vector<Index>>{{0}, {1}, {1, 0}}) {
    std::filesystem::remove_all(folder);
    run(first, 2);
    EXPECT_EQ(run({0, 1}, 3), 6U - 2U * first.size());
    EXPECT_EQ(files(), whole);
    const Results all = read_results(folder).results;
    EXPECT_EQ(specs_of(all.settings.agents), specs_of(settings().agents));
    EXPECT_EQ(all.settings.trials, 3);
    EXPECT_EQ(static_cast<Index>(all.records.size()), all.expected_records());
  }
}

TEST_F(ResultsExtensionTest, LessIsShownAndNothingIsDeleted) {
  run({0, 1}, 3);
  const std::string whole = files(), manifest = bytes("manifest.json");
  const ResultsStore store(folder, part({1}, 2), facts());
  ASSERT_EQ(store.records().size(), 2U);
  EXPECT_EQ(store.records()[1].position(), (std::tuple<Index, Index, std::uint32_t>(0, 0, 1)));
  EXPECT_EQ(store.records()[1].result.reward, record(1, 1).result.reward);
  EXPECT_EQ(files(), whole);
  EXPECT_EQ(bytes("manifest.json"), manifest);
}

TEST_F(ResultsExtensionTest, AnAgentAddedAloneStandsBehindThoseThatWereThere) {
  run({1}, 2);
  EXPECT_EQ(run({0}, 1), 1U);
  const Results all = read_results(folder).results;
  EXPECT_EQ(all.settings.agents[0].spec, settings().agents[1].spec);
  EXPECT_EQ(all.settings.trials, 2);
  ASSERT_EQ(all.records.size(), 3U);
  EXPECT_EQ(all.records[2].result.reward, record(0, 0).result.reward);
}

TEST_F(ResultsExtensionTest, AnEnvironmentCanBeAddedWhereTheOthersAreTheSame) {
  run({0}, 1);
  ExperimentSettings more = part({0}, 1);
  more.environments.insert(more.environments.begin(), {"linear"});
  auto both = facts();
  both.insert(both.begin(), {"linear", 100, 10, 2, 3, 0, {}});
  {
    ResultsStore store(folder, more, both);
    ASSERT_EQ(store.records().size(), 1U);
    EXPECT_EQ(store.records()[0].environment, 1);
  }
  EXPECT_EQ(read_results(folder).results.environments[0].spec, "linear");
  both[1].features = 3;
  const std::string error = testing::error_of([&] { ResultsStore(folder, more, both); });
  EXPECT_NE(error.find("features is 2 there and 3 here"), std::string::npos) << error;
}

// As if killed right after the manifest was rewritten.
TEST_F(ResultsExtensionTest, KilledBeforeTheFirstNewTrialGoesOnEitherWay) {
  run({0}, 2);
  const std::string before = files();
  ResultsStore(folder, part({0, 1}, 3), facts());
  EXPECT_EQ(files(), before);
  EXPECT_EQ(read_results(folder).results.records.size(), 2U);
  EXPECT_EQ(run({0}, 2), 0U);
  EXPECT_EQ(run({0, 1}, 3), 4U);
}

TEST_F(ResultsExtensionTest, AFailedTrialThatIsNotAskedForStays) {
  TrialRecord failed = record(1, 0);
  failed.error = "out of memory";
  open()->append(failed);
  run({0}, 1);
  const auto records = read_results(folder).results.records;
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].error, "out of memory");
}

TEST_F(ResultsExtensionTest, ALabelThatAnotherAgentOfTheFolderHasIsRefused) {
  run({0}, 1);
  ExperimentSettings other = part({1}, 1);
  other.agents[0].label = "L";
  const std::string error = testing::error_of([&] { ResultsStore(folder, other, facts()); });
  EXPECT_NE(error.find("agent label 'L' is given twice"), std::string::npos) << error;
}

TEST_F(ResultsExtensionTest, AnEnvironmentWhoseNameIsNotUtf8IsFoundAgain) {
  ExperimentSettings odd = part({0}, 1);
  auto odd_facts = facts();
  odd.environments[0].spec = odd_facts[0].spec = "csv:\xff.csv";
  { ResultsStore(folder, odd, odd_facts).append(record(0, 0)); }
  EXPECT_EQ(ResultsStore(folder, odd, odd_facts).records().size(), 1U);
  EXPECT_EQ(read_results(folder).results.records.size(), 1U);
}

}  // namespace
}  // namespace bandolier::results_extension_test
