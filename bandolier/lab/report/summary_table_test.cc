#include "bandolier/lab/report/summary_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "bandolier/lab/report/test_results.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier::summary_table_test {
namespace {

using testing::example_results;

std::string table_of(const Results& results) {
  return summary_table(results, summarise(results, 0), 0);
}

// The widest of the lines from the heading to the last reference.
std::size_t table_width(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    widest = std::max(widest, display_width(line));
  }
  return widest;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(SummaryTable, TheTableHasAgentsReferencesNotesAndTheProtocol) {
  const std::string table = table_of(example_results());
  // t(0.975, 2) · 1 / √3 = 2.48.
  EXPECT_NE(table.find("11.0 ± 2.5"), std::string::npos) << table;
  // (11 − 5) / (20 − 5).
  EXPECT_NE(table.find("  40.0  "), std::string::npos) << table;
  EXPECT_NE(table.find("(best fixed)"), std::string::npos);
  EXPECT_NE(table.find("linear: 6 rewards were refused"), std::string::npos) << table;
  EXPECT_NE(table.find("wheel: a note of the data"), std::string::npos);
  EXPECT_NE(table.find("\nhonest protocol"), std::string::npos);
}

TEST(SummaryTable, AFailedTrialIsNamedWithItsReason) {
  Results results = example_results();
  results.records[0].error = "out of memory";
  EXPECT_NE(table_of(results).find("linear: 1 of 3 trials failed: out of memory"),
            std::string::npos);
}

TEST(SummaryTable, TrialsThatWereNotRunAreSaid) {
  Results results = example_results();
  EXPECT_EQ(table_of(results).find("were run"), std::string::npos);
  results.records.erase(results.records.begin());
  EXPECT_NE(table_of(results).find("linear: 2 of 3 trials were run"), std::string::npos)
      << table_of(results);
}

TEST(SummaryTable, FullWarmUpFeedbackIsMarked) {
  Results results = example_results();
  results.settings.warmup_feedback = WarmupFeedback::kFull;
  EXPECT_NE(table_of(results).find("NOT the honest protocol"), std::string::npos);
}

TEST(SummaryTable, StaysWithinAHundredColumnsHoweverLongTheSpecsAre) {
  Results results = example_results();
  const std::string agent = "auto:prior_predictive=" + std::string(120, '1') + ",centre=true";
  const std::string environment = "csv:" + std::string(150, 'x') + ".csv,label=y";
  results.settings.agents[0].spec = agent;
  results.settings.environments[0].spec = results.environments[0].spec = environment;
  for (auto& record : results.records) {
    record.result.reward *= 1.2e3;
    record.result.regret *= 1.2e3;
    record.result.step_us_p99 = 12345;
  }
  const std::string table = table_of(results);
  EXPECT_LE(table_width(table), 100U) << table;
  EXPECT_NE(table.find("\n[1] auto:"), std::string::npos) << table;
  EXPECT_NE(table.find("…"), std::string::npos) << table;
  EXPECT_EQ(count(table, agent), 1U) << table;
  EXPECT_NE(table.find("\n  [1] " + agent + "\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\n  [e1] " + environment + "\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\n  [1]: 6 rewards were refused\n"), std::string::npos) << table;
}

TEST(SummaryTable, ANoteOfSeveralAgentsIsSaidOnceAndNamesThem) {
  Results results = example_results();
  for (auto& record : results.records) {
    record.result.report.notes = {{"rewards-refused", "rewards were refused", 2}};
  }
  const std::string table = table_of(results);
  EXPECT_NE(table.find("\n  linear, <U>: 12 rewards were refused\n"), std::string::npos) << table;
  EXPECT_EQ(count(table, "were refused"), 1U);
}

TEST(SummaryTable, ANoteOfOneOfSeveralEnvironmentsNamesIt) {
  Results results = example_results();
  results.settings.environments.push_back({"linear", "L"});
  results.environments.push_back({"linear", 10, 2, 2, 5, 0, {{"note", "a note of the data"}}});
  const std::string table = table_of(results);
  EXPECT_NE(table.find("\n  linear on wheel: 6 rewards were refused\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("\n  wheel, L: a note of the data\n"), std::string::npos) << table;
  EXPECT_NE(table.find("\nL: 10 steps"), std::string::npos) << table;
}

}  // namespace
}  // namespace bandolier::summary_table_test
