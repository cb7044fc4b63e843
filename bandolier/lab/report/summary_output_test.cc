#include "bandolier/lab/report/summary_output.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/lab/report/test_results.h"

namespace bandolier::summary_output_test {
namespace {

using testing::example_results;

std::string table_of(const Results& results) {
  return summary_table(results, summarise(results, 0), 0);
}

TEST(SummaryOutput, TheTableHasAgentsReferencesNotesAndTheProtocol) {
  const std::string table = table_of(example_results());
  // t(0.975, 2) · 1 / √3 = 2.48.
  EXPECT_NE(table.find("11.0 ± 2.5"), std::string::npos) << table;
  EXPECT_NE(table.find("(best fixed action)"), std::string::npos);
  EXPECT_NE(table.find("linear: 6 rewards were refused"), std::string::npos) << table;
  EXPECT_NE(table.find("wheel: a note of the data"), std::string::npos);
  EXPECT_NE(table.find("\nhonest protocol"), std::string::npos);
}

TEST(SummaryOutput, AFailedTrialIsNamedWithItsReason) {
  Results results = example_results();
  results.records[0].error = "out of memory";
  EXPECT_NE(table_of(results).find("linear: 1 of 3 trials failed: out of memory"),
            std::string::npos);
}

TEST(SummaryOutput, TrialsThatWereNotRunAreSaid) {
  Results results = example_results();
  EXPECT_EQ(table_of(results).find("were run"), std::string::npos);
  results.records.erase(results.records.begin());
  EXPECT_NE(table_of(results).find("linear: 2 of 3 trials were run"), std::string::npos)
      << table_of(results);
}

TEST(SummaryOutput, FullWarmUpFeedbackIsMarkedInTableAndJson) {
  Results results = example_results();
  results.settings.warmup_feedback = WarmupFeedback::kFull;
  EXPECT_NE(table_of(results).find("NOT the honest protocol"), std::string::npos);
  EXPECT_EQ(summary_json(results, summarise(results, 0), 0)[0]["warmup_feedback"], "full");
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
