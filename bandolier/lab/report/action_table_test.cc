#include "bandolier/lab/report/action_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bandolier/lab/report/test_results.h"

namespace bandolier::action_table_test {
namespace {

using testing::example_results;

std::string tables_of(const Results& results) {
  return action_tables(results, summarise(results, 0));
}

TEST(ActionTable, HasTheSharesOfEachAgentTheLargestFirst) {
  Results results = example_results();
  EXPECT_EQ(tables_of(results),
            "\nwheel: how often each action was chosen, %\n"
            "action  linear   <U>\n"
            "0         70.0  20.0\n"
            "1         30.0  20.0\n"
            "2          0.0  20.0\n"
            "3          0.0  20.0\n"
            "4          0.0  20.0\n");
  results.environments[0].action_names = {"red", "blue", "a", "b", "c"};
  EXPECT_NE(tables_of(results).find("\nblue      30.0  20.0\n"), std::string::npos);
}

TEST(ActionTable, ShowsTwentyActionsAndCountsTheOthers) {
  Results results = example_results();
  results.environments[0].actions = 33;
  for (auto& record : results.records) {
    record.result.chosen.assign(33, 0);
    record.result.chosen[31] = 10;
  }
  const std::string text = tables_of(results);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 + 1 + 20 + 1);
  EXPECT_NE(text.find("\n31       100.0"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("… 13 more\n")) << text;
}

TEST(ActionTable, SaysWhereNoActionsStayTheSame) {
  Results results = example_results();
  for (auto& record : results.records) record.result.chosen.clear();
  EXPECT_EQ(tables_of(results), "\nNo environment has actions that stay the same.\n");
}

}  // namespace
}  // namespace bandolier::action_table_test
