#include "bandolier/lab/env/csv_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/test_csv.h"
#include "testing/errors.h"

namespace bandolier::csv_problem_test {
namespace {

using testing::error_of;
using Numbers = std::vector<float>;

using CsvProblem = testing::CsvTest;

// Each context of a trial with its expected rewards.
std::map<Numbers, Numbers> rows_of(const Environment& environment) {
  std::map<Numbers, Numbers> rows;
  const auto trial = environment.trial(1, 0, environment.default_steps());
  ContextBuffer buffer;
  for (Index t = 0; t < trial->steps(); ++t) {
    const auto x = trial->context(t, buffer).features.values;
    Numbers expected(static_cast<std::size_t>(environment.shape().actions));
    trial->expected_rewards(t, expected);
    rows[Numbers(x.begin(), x.end())] = expected;
  }
  return rows;
}

TEST_F(CsvProblem, TurnsClassesIntoActionsAndWordsIntoOneHotFeatures) {
  const auto environment =
      make("age,label,colour\n1,no,red\n2,yes,blue\n3,yes,?\n", "label=label,standardise=none");
  // age, then blue, red, missing; actions no, yes.
  EXPECT_EQ(rows_of(*environment),
            (std::map<Numbers, Numbers>{
                {{1, 0, 1, 0}, {1, 0}}, {{2, 1, 0, 0}, {0, 1}}, {{3, 0, 0, 1}, {0, 1}}}));
}

// The first feature at every step of the trial whose rows come in this order, which action 1's
// rewards tell.
Numbers features_in_order(const Environment& environment, const Numbers& order) {
  for (std::uint32_t number = 0;; ++number) {
    const auto trial = environment.trial(1, number, environment.default_steps());
    Numbers rows, features;
    ContextBuffer buffer;
    for (Index t = 0; t < trial->steps(); ++t) {
      rows.push_back(trial->reward(t, 1));
      features.push_back(trial->context(t, buffer).features.values[0]);
    }
    if (rows == order) return features;
  }
}

TEST_F(CsvProblem, AMissingNumberIsTheMeanOfTheRowsThatStandardiseIt) {
  const auto features = [&](const std::string& standardise, const Numbers& order) {
    const std::string text = "x,r0,r1\n1,0,0\n?,0,1\n5,0,2\n9,0,3\n";
    return features_in_order(*make(text, "rewards=r,standardise=" + standardise), order);
  };
  const auto expect = [](const Numbers& found, const Numbers& expected) {
    for (std::size_t t = 0; t < 4; ++t) EXPECT_NEAR(found.at(t), expected[t], 1e-6) << t;
  };
  const auto root = [](double x) { return static_cast<float>(std::sqrt(x)); };
  const Numbers middle = {2, 1, 0, 3}, first = {1, 2, 0, 3};  // 5 ? 1 9 and ? 5 1 9

  // 1, 5, 5, 9: mean 5, variance 8.
  expect(features("none", middle), {5, 5, 1, 9});
  expect(features("all", middle), {0, 0, -root(2), root(2)});
  // 5, 3, 1: mean 3, variance 8/3.
  expect(features("warmup,standardise_rows=3", middle),
         {root(1.5), 0, -root(1.5), 6 / root(8.0 / 3)});
  // 5; 5, 5; 5, 3, 1; 5, 5, 1, 9: nothing of 1 and 9 is known before they come.
  expect(features("running", middle), {0, 0, -root(1.5), root(2)});
  expect(features("running", first), {0, 0, -root(1.5), root(2)});
}

TEST_F(CsvProblem, TakesOneRewardColumnPerAction) {
  const auto environment = make("r_buy;x;r_sell\n0.5;1;-1\n2;2;4\n", "rewards=r_,standardise=none");
  EXPECT_EQ(rows_of(*environment), (std::map<Numbers, Numbers>{{{1}, {0.5, -1}}, {{2}, {2, 4}}}));
}

TEST_F(CsvProblem, TakesColumnsByNumberWhereThereIsNoHeader) {
  const auto environment = make("1 10 7\n2 20 8\n3 30 7\n", "label=3,standardise=none,drop=1");
  EXPECT_EQ(rows_of(*environment),
            (std::map<Numbers, Numbers>{{{10}, {1, 0}}, {{20}, {0, 1}}, {{30}, {1, 0}}}));
}

TEST_F(CsvProblem, TakesColumnsByTheFilesNumberWhereOthersAreDropped) {
  const auto environment =
      make("id,x,y,z\nk,10,7,1\nl,20,8,1\n", "label=3,standardise=none,drop=id+z");
  EXPECT_EQ(rows_of(*environment), (std::map<Numbers, Numbers>{{{10}, {1, 0}}, {{20}, {0, 1}}}));
}

TEST_F(CsvProblem, ReadsNumbersAsCategoriesWhereAsked) {
  const auto environment = make("zip,y\n10,a\n9,b\n", "label=y,categorical=zip,standardise=none");
  EXPECT_EQ(rows_of(*environment),
            (std::map<Numbers, Numbers>{{{0, 1}, {1, 0}}, {{1, 0}, {0, 1}}}));
}

TEST_F(CsvProblem, GivesActionsTheirFeaturesByOrderOrByName) {
  const std::string text = "x,y\n1,low\n2,high\n";  // actions: high, low
  for (const std::string& file : {write("order.csv", "price,kind\n3,a\n4,b\n"),
                                  write("name.csv", "action,price,kind\nlow,4,b\nhigh,3,a\n")}) {
    const auto environment = make(text, "label=y,actions=" + file);
    EXPECT_EQ(environment->shape().action_features, 3);
    ContextBuffer buffer;
    const auto features = environment->trial(1, 0, 2)->context(0, buffer).action_features;
    EXPECT_EQ(Numbers(features.begin(), features.end()), (Numbers{3, 1, 0, 4, 0, 1})) << file;
  }
}

TEST_F(CsvProblem, CountsRowsLeftOutAndMissingValuesInItsNotes) {
  const auto environment = make("x,w,y\n1,a,p\n?,NA,q\n3,b,\n4,a,q\n", "label=y");
  EXPECT_EQ(environment->default_steps(), 3);
  EXPECT_EQ(to_texts(environment->notes()),
            (std::vector<std::string>{"1 of 4 rows left out: no label or reward",
                                      "1 missing numbers replaced by their column's mean",
                                      "1 missing words kept as a category",
                                      "features standardised over all 3 rows"}));
}

TEST_F(CsvProblem, AnEmptyRewardCellIsAnActionThatIsNotAvailable) {
  const std::string text = "x,r1,r2\n1,1,0\n2,,1\n3,5,\n4,,\n";
  const auto environment = make(text, "rewards=r,standardise=none");
  EXPECT_EQ(environment->default_steps(), 3);
  const auto notes = to_texts(environment->notes());
  ASSERT_GE(notes.size(), 2u);
  EXPECT_EQ(notes[0], "1 of 4 rows left out: no label or reward");
  EXPECT_EQ(notes[1], "2 rewards are missing: their actions are not available there");
  const auto trial = environment->trial(1, 0, 3);
  // From step 1 on every action is where the next one was.
  const auto drifted = make(text, "rewards=r,standardise=none,drift=1")->trial(1, 0, 3);
  ContextBuffer buffer;
  for (Index t = 0; t < 3; ++t) {
    const Context context = trial->context(t, buffer);
    const float x = context.features.values[0];
    EXPECT_EQ(context.allows(0), x != 2);
    EXPECT_EQ(context.allows(1), x != 3);
    EXPECT_EQ(context.allowed(), x == 1 ? 2 : 1);
    const Context after = drifted->context(t, buffer);
    EXPECT_EQ(after.allows(t == 0 ? 0 : 1), x != 2);
    EXPECT_EQ(after.allows(t == 0 ? 1 : 0), x != 3);
  }
}

TEST_F(CsvProblem, TakesRowsAndChangesAsOtherEnvironmentsDo) {
  const auto environment =
      make("x,y\n1,a\n2,b\n3,a\n4,b\n", "label=y,rows=3,drift=2,standardise=running");
  EXPECT_EQ(environment->default_steps(), 3);
}

TEST_F(CsvProblem, RefusesALabelOfOneClass) {
  EXPECT_EQ(refusal("x,y\n1,a\n2,a\n", "label=y"),
            "a.csv: the label 'y' has one class only, 'a': expected at least two");
}

TEST_F(CsvProblem, RefusesAnUnknownLabel) {
  EXPECT_EQ(refusal("x,label\n1,a\n2,b\n", "label=labl"),
            "a.csv has no column 'labl', did you mean 'label'?");
}

TEST_F(CsvProblem, RefusesFewerThanTwoRewardColumns) {
  EXPECT_EQ(
      refusal("x,r1\n1,2\n", "rewards=r"),
      "a.csv has 1 columns whose name starts with 'r': expected at least two, one per action");
}

TEST_F(CsvProblem, RefusesWordsInARewardColumn) {
  EXPECT_EQ(refusal("x,r1,r2\n1,2,good\n2,3,bad\n", "rewards=r"),
            "a.csv: the reward column 'r2' holds words such as 'bad': expected numbers");
}

TEST_F(CsvProblem, RefusesAFileOfNothingButItsLabel) {
  EXPECT_EQ(refusal("y\na\nb\n", "label=y"), "a.csv has no feature columns: expected some");
}

TEST_F(CsvProblem, RefusesNeitherAndBothOfLabelAndRewards) {
  EXPECT_EQ(refusal("x,y\n1,a\n", "standardise=all"),
            "environment 'csv': found neither label nor rewards: expected csv:PATH,label=COLUMN or "
            "csv:PATH,rewards=PREFIX");
  EXPECT_EQ(refusal("x,y\n1,a\n", "label=y,rewards=r"),
            "environment 'csv': found both label and rewards: expected csv:PATH,label=COLUMN or "
            "csv:PATH,rewards=PREFIX");
}

TEST_F(CsvProblem, RefusesALabelThatIsDropped) {
  EXPECT_EQ(refusal("x,y\n1,a\n2,b\n", "label=y,drop=y"),
            "a.csv: column 'y' is both dropped and needed: expected one of them");
}

TEST_F(CsvProblem, RefusesActionFeaturesOfOtherActions) {
  const std::string text = "x,y\n1,low\n2,high\n";
  EXPECT_EQ(refusal(text, "label=y,actions=" + write("few.csv", "price\n3\n")),
            "few.csv has 1 rows: expected 2, one per action (high, low)");
  EXPECT_EQ(refusal(text, "label=y,actions=" + write("odd.csv", "action,price\nlow,1\nmid,2\n")),
            "odd.csv: found action 'mid': expected each of high, low once");
  EXPECT_EQ(refusal(text, "label=y,actions=" + write("twice.csv", "action,price\nlow,1\nlow,2\n")),
            "twice.csv: found action 'low' twice: expected it once");
}

TEST_F(CsvProblem, RefusesASpecWithoutAPath) {
  EXPECT_EQ(error_of([] { make_environment("csv:label=y"); }),
            "'csv:label=y' has 0 parts without '=': expected csv:PATH,label=COLUMN or "
            "csv:PATH,rewards=PREFIX");
}

}  // namespace
}  // namespace bandolier::csv_problem_test
