#include "bandolier/lab/log/csv_log.h"

#include <gtest/gtest.h>

#include "bandolier/lab/log/test_log_files.h"

namespace bandolier::csv_log_test {
namespace {

using testing::error_of_log;
using testing::events_of;
using Texts = std::vector<std::string>;

std::vector<LoggedEvent> read(std::string_view text, const LogOptions& options = {}) {
  const testing::TestLog log;
  return events_of({log.write("log.csv", text)}, options);
}

TEST(CsvLog, EveryOtherColumnIsAFeature) {
  const auto events = read(
      ",age,country,action,reward,propensity\n"
      "0,31,NO,2,-0.5,0.25\n"
      "1,,\"PE, Lima\",0,1,0.5\n");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].actions, 3) << "the highest place and one";
  EXPECT_EQ(events[0].action, 2);
  EXPECT_EQ(events[0].reward, -0.5);
  EXPECT_EQ(events[0].propensity, 0.25);
  EXPECT_EQ(events[0].action_names, (Texts{"0", "1", "2"}));
  EXPECT_EQ(testing::shown(events[0].shared), (Texts{"age:31", "country=NO"}));
  EXPECT_EQ(testing::shown(events[1].shared), Texts{"country=PE, Lima"})
      << "missing values are out";
}

TEST(CsvLog, ColumnsGoByOtherNamesAndPrefixesAreNoFeatures) {
  const auto events = read(
      "x0,banner,earned,p,slot,pi_red,pi_blue,q_red,q_blue,note,zip\n"
      "1.5,blue,2,0.4,3,0.1,0.9,7,8,hm,0012\n",
      {.action = "banner",
       .reward = "earned",
       .propensity = "p",
       .position = "slot",
       .columns = "q_+pi_",
       .drop = "no",
       .categorical = "zip"});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].action_names, (Texts{"red", "blue"})) << "in the columns' order";
  EXPECT_EQ(events[0].action, 1);
  EXPECT_EQ(events[0].reward, 2);
  EXPECT_EQ(events[0].position, 3);
  EXPECT_EQ(events[0].columns, (std::vector<std::vector<double>>{{7, 8}, {0.1, 0.9}}));
  EXPECT_EQ(testing::shown(events[0].shared), (Texts{"x0:1.5", "zip=0012"}));
}

TEST(CsvLog, NamesOfActionsComeFromAPassOverAllFiles) {
  const testing::TestLog log;
  const auto events = events_of({log.write("a.csv", "action,reward,propensity\nred,0,1\n"),
                                 log.write("b.csv", "action,reward,propensity\nblue,0,1\n")});
  EXPECT_EQ(events[0].action_names, (Texts{"blue", "red"}));
  EXPECT_EQ(events[0].action, 1);
  EXPECT_EQ(events[1].action, 0);
}

TEST(CsvLog, WrongFieldsAreNamedWithFileLineFoundAndExpected) {
  const std::string head = "x,action,reward,propensity\n1,1,0,0.5\n";
  const auto error = [&](const std::string& row, const LogOptions& options = {}) {
    return error_of_log("a.csv", head + row, options);
  };
  EXPECT_EQ(error("1,1,0,0\n"),
            "a.csv line 3: propensity is 0: expected a number above 0 and at most 1; --propensity "
            "uniform takes 1/actions instead");
  EXPECT_NE(error("1,1,0,1.5\n").find("propensity is 1.5"), std::string::npos);
  EXPECT_NE(error("1,1,0,\n").find("propensity is missing"), std::string::npos);
  EXPECT_EQ(error("1,1,nan,0.5\n"), "a.csv line 3: reward is missing: expected a finite number");
  EXPECT_EQ(error("1,1,inf,0.5\n"), "a.csv line 3: reward is 'inf': expected a finite number");
  EXPECT_EQ(error("inf,1,0,0.5\n"), "a.csv line 3: x is 'inf': expected a finite number");
  EXPECT_EQ(error("1,1,0\n"), "a.csv line 3: the row has 3 fields: expected 4, as the header");
  EXPECT_EQ(error("1,-1,0,1\n"),
            "a.csv line 3: action is '-1': expected a whole number from 0 to 1");
  EXPECT_EQ(error("1,5,0,1\n", {.actions = 4}),
            "a.csv line 3: action is '5': expected a whole number from 0 to 3");
  EXPECT_NE(error("1,red,0,1\n").find("action is 'red'"), std::string::npos);
  EXPECT_NE(error_of_log("a.csv", "x,act,reward,propensity\n1,1,0,1\n")
                .find("has no column 'action'; known: x, act, reward, propensity; --action names "
                      "the column"),
            std::string::npos);
  EXPECT_NE(error_of_log("a.csv", "x,action,reward\n1,1,0\n").find("--propensity uniform"),
            std::string::npos);
  EXPECT_NE(error_of_log("a.csv", "x,x,action\n").find("column 'x' twice"), std::string::npos);
}

TEST(CsvLog, WrongRowsAreSkippedAndCountedWhereAsked) {
  const testing::TestLog log;
  const auto reader =
      open_log(std::vector{log.write(
                   "a.csv", "x,action,reward,propensity\n1,1,0,0\n1,0,0,1\n2,0\nw,0,0,1\n")},
               {.lenient = true});
  LoggedEvent event;
  EXPECT_TRUE(reader->next(event));
  EXPECT_FALSE(reader->next(event));
  EXPECT_EQ(to_texts(reader->notes()),
            (Texts{"1 lines skipped: their propensity is missing or wrong",
                   "1 lines skipped: their the row is missing or wrong",
                   "1 lines skipped: their x is missing or wrong"}));
}

TEST(ObdLog, HasTheItemsOfItsContextFileAndAffinities) {
  const testing::TestLog log;
  log.write("item_context.csv", ",item_id,item_feature_0,item_feature_1\n0,0,-0.5,a\n1,1,0.25,b\n");
  const auto events = events_of({log.write(
      "all.csv",
      ",timestamp,item_id,position,click,propensity_score,user_feature_0,user-item_affinity_0,"
      "user-item_affinity_1\n0,2019-11-24,1,3,1,0.5,81ce,0.0,2.0\n")});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].actions, 2);
  EXPECT_EQ(events[0].action, 1);
  EXPECT_EQ(events[0].position, 3);
  EXPECT_EQ(events[0].reward, 1);
  EXPECT_EQ(testing::shown(events[0].shared), (Texts{"position=3", "user_feature_0=81ce"}));
  EXPECT_EQ(testing::shown(events[0].own[1]),
            (Texts{"item_feature_0:0.25", "item_feature_1=b", "user-item_affinity:2"}));
  EXPECT_NE(error_of_log("b.csv", "item_id,click,propensity_score\n1,1,1\n")
                .find("has no item_context.csv beside it"),
            std::string::npos);
}

// Its own README counts 10,000 rows of 80 items; 38 clicks are published (Saito et al. 2021, the
// small sample's mean reward 0.0038).
TEST(ObdLog, ReadsTheSampleOfTheDataset) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  const auto path = *real_data_path / "logs" / "obd" / "random" / "all" / "all.csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const auto reader = open_log(std::vector{path});
  double clicks = 0;
  for (LoggedEvent event; reader->next(event);) {
    clicks += event.reward;
    EXPECT_EQ(event.propensity, 0.0125);
  }
  EXPECT_EQ(reader->events(), 10'000);
  EXPECT_EQ(clicks, 38);
}

}  // namespace
}  // namespace bandolier::csv_log_test
