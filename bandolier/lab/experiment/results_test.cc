#include "bandolier/lab/experiment/results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/core/error.h"

namespace bandolier::results_test {
namespace {

Results two_agents() {
  Results results;
  results.settings.environments = {{"wheel"}};
  results.settings.agents = {{"linear", ""}, {"auto", "A"}};
  results.settings.trials = 3;
  results.environments = {{"wheel", 10, 2, 2, 5, 0, {}}};
  const double rewards[2][3] = {{10, 20, 30}, {12, 24, 36}};
  for (Index a = 0; a < 2; ++a) {
    for (std::uint32_t t = 0; t < 3; ++t) {
      TrialRecord record{0, a, t, {}, {}};
      record.result.reward = rewards[a][t];
      record.result.report.belief_bytes = 100 + t;
      record.result.report.notes = {{"same", "the same note"}};
      results.records.push_back(record);
    }
  }
  return results;
}

TEST(Summarise, DifferencesArePairedByTrial) {
  const auto summaries = summarise(two_agents(), 0);
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_FALSE(summaries[0].difference.has_value());
  EXPECT_DOUBLE_EQ(summaries[1].reward.mean, 24);
  EXPECT_DOUBLE_EQ(summaries[1].difference->mean, 4);
  EXPECT_DOUBLE_EQ(*summaries[1].difference->deviation, 2);
  EXPECT_EQ(summaries[1].belief_bytes, 102U);
  EXPECT_EQ(summaries[1].notes, (std::vector<Note>{{"same", "the same note"}}));
}

TEST(Summarise, AFailedTrialLeavesItsPairOutOfTheDifference) {
  Results results = two_agents();
  results.records[0].error = "out of memory";
  const auto summaries = summarise(results, 0);
  EXPECT_EQ(summaries[0].failed, 1);
  EXPECT_EQ(summaries[0].first_error, "out of memory");
  EXPECT_EQ(summaries[0].reward.count, 2);
  EXPECT_EQ(summaries[1].difference->count, 2);
  EXPECT_DOUBLE_EQ(summaries[1].difference->mean, 5);
}

TEST(Summarise, NotesThatCountAreSummedAndOthersShownOnce) {
  Results results = two_agents();
  results.records[0].result.report.notes = {{"diverged", "trainings diverged", 2},
                                            {"plain", "plain"}};
  results.records[1].result.report.notes = {{"plain", "plain"},
                                            {"diverged", "trainings diverged", 3}};
  results.records[2].result.report.notes = {};
  EXPECT_EQ(summarise(results, 0)[0].notes,
            (std::vector<Note>{{"diverged", "trainings diverged", 5}, {"plain", "plain"}}));
}

TEST(Summarise, StepsWithoutADecisionHaveNoLatency) {
  Results results = two_agents();
  for (std::size_t i = 0; i < 3; ++i) results.records[i].result.step_us_p50 = std::nan("");
  results.records[3].result.step_us_p50 = 8;
  results.records[4].result.step_us_p50 = std::nan("");
  results.records[5].result.step_us_p50 = 4;
  const auto summaries = summarise(results, 0);
  EXPECT_FALSE(summaries[0].step_us_p50.has_value());
  EXPECT_EQ(summaries[1].step_us_p50, 6);
}

TEST(Summarise, TheShareIsOfTheWayFromUniformToOracle) {
  Results results = two_agents();
  for (auto& record : results.records) {
    record.result.uniform = 10;
    record.result.oracle = 50;
  }
  EXPECT_DOUBLE_EQ(*summarise(results, 0)[0].share, 0.25);
  for (auto& record : results.records) record.result.oracle = 10;
  EXPECT_FALSE(summarise(results, 0)[0].share.has_value());
}

TEST(Summarise, SharesOfActionsAreOfAllStepsOfAllTrials) {
  Results results = two_agents();
  results.records[0].result.chosen = {6, 4, 0};
  results.records[1].result.chosen = {10, 0, 0};
  EXPECT_EQ(summarise(results, 0)[0].chosen, (std::vector<double>{0.8, 0.2, 0}));
  EXPECT_TRUE(summarise(results, 0)[1].chosen.empty());
}

TEST(Summarise, ChangingActionsHaveNoBestFixedAction) {
  Results results = two_agents();
  for (auto& record : results.records) record.result.best_fixed = std::nan("");
  EXPECT_FALSE(summarise(results, 0)[0].best_fixed.has_value());
}

TEST(Baseline, IsFoundBySpecOrLabelAndLinearByDefault) {
  const auto settings = two_agents().settings;
  EXPECT_EQ(find_baseline(settings, ""), 0);
  EXPECT_EQ(find_baseline(settings, "auto"), 1);
  EXPECT_EQ(find_baseline(settings, "A"), 1);
  EXPECT_THROW(find_baseline(settings, "lin"), Error);
}

TEST(Settings, AreTheSameAfterJson) {
  ExperimentSettings settings = two_agents().settings;
  settings.steps = 7;
  settings.warmup_feedback = WarmupFeedback::kFull;
  EXPECT_EQ(to_json(settings_from_json(to_json(settings))), to_json(settings));
}

TEST(Settings, AbsurdSizesAndRepeatsAreErrors) {
  const ExperimentSettings good = two_agents().settings;
  EXPECT_NO_THROW(check(good));
  const auto refused = [&good](auto change) {
    ExperimentSettings bad = good;
    change(bad);
    EXPECT_THROW(check(bad), Error);
  };
  refused([](auto& s) { s.trials = 0; });
  refused([](auto& s) { s.trials = -1; });
  refused([](auto& s) { s.trials = 2'000'000; });
  refused([](auto& s) { s.steps = 0; });
  refused([](auto& s) { s.steps = std::int64_t{1} << 40; });
  refused([](auto& s) { s.seed = -1; });
  refused([](auto& s) { s.warmup_pulls = -1; });
  refused([](auto& s) { s.environments.clear(); });
  refused([](auto& s) { s.agents.clear(); });
  refused([](auto& s) { s.environments.push_back({"wheel"}); });
  refused([](auto& s) { s.agents.push_back({"linear", "again"}); });
  refused([](auto& s) { s.agents.push_back({"uniform", "A"}); });
}

}  // namespace
}  // namespace bandolier::results_test
