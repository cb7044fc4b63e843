#include "bandolier/lab/report/summary_output.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/lab/report/test_results.h"

namespace bandolier::summary_output_test {
namespace {

using testing::example_results;

TEST(SummaryOutput, FullWarmUpFeedbackIsMarkedInJson) {
  Results results = example_results();
  results.settings.warmup_feedback = WarmupFeedback::kFull;
  EXPECT_EQ(summary_json(results, summarise(results, 0), 0)[0]["warmup_feedback"], "full");
}

TEST(SummaryOutput, JsonHasNotesAsObjectsTheShareAndWhatWasChosen) {
  Results results = example_results();
  results.environments[0].action_names = {"a", "b", "c", "d", "e"};
  const auto rows = summary_json(results, summarise(results, 0), 0);
  const auto note = rows[0]["notes"][0];
  EXPECT_EQ(note["kind"], "rewards-refused");
  EXPECT_EQ(note["text"], "rewards were refused");
  EXPECT_EQ(note["count"], 6);
  EXPECT_DOUBLE_EQ(rows[0]["share_mean"], (11.0 - 5) / (20 - 5));
  EXPECT_EQ(rows[0]["chosen"][1]["action"], "b");
  EXPECT_DOUBLE_EQ(rows[0]["chosen"][1]["share"], 0.3);
}

TEST(SummaryOutput, JsonHasNullWhereANumberHasNoMeaning) {
  Results results = example_results(1);
  for (auto& record : results.records) {
    record.result.best_fixed = record.result.step_us_p50 = record.result.step_us_p99 = std::nan("");
  }
  const auto rows = summary_json(results, summarise(results, 0), 0);
  ASSERT_EQ(rows.size(), 2U);
  for (const auto* key : {"reward_std", "reward_ci95", "best_fixed_mean", "step_us_p50",
                          "step_us_p99", "parameters", "subspace_dim", "difference_ci95"}) {
    EXPECT_TRUE(rows[1][key].is_null()) << key;
  }
  EXPECT_EQ(rows[1]["reward_mean"], 4.0);
  EXPECT_EQ(rows[1]["difference_mean"], -6.0);
}

TEST(SummaryOutput, CsvHasTheKeysOfJsonAndALineForEachPair) {
  const Results results = example_results();
  const std::string csv = summary_csv(results, summarise(results, 0), 0);
  EXPECT_TRUE(csv.starts_with("env,agent,steps,trials,reward_mean,")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_NE(csv.find("\nwheel,uniform,10,3,6,"), std::string::npos) << csv;
}

}  // namespace
}  // namespace bandolier::summary_output_test
