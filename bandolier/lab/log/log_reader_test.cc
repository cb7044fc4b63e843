#include "bandolier/lab/log/log_reader.h"

#include <gtest/gtest.h>

#include "bandolier/lab/log/test_log_files.h"

namespace bandolier::log_reader_test {
namespace {

using testing::error_of_log;
using testing::events_of;

constexpr const char* kDsjson =
    R"({"_label_cost":-1,"_label_probability":0.5,"_label_Action":1,"c":{"a":1,"_multi":[{"b":2},{"b":3}]}})"
    "\n";
constexpr const char* kCsv = "age,action,reward,propensity\n31,0,1,0.5\n";

TEST(OpenLog, ReadsFilesOneAfterTheOtherEachByItsFirstBytes) {
  const testing::TestLog log;
  const auto events = events_of({log.write("a.log", kDsjson), log.write("b.csv", kCsv),
                                 log.write("c.gz", testing::gzip("2:1:0.25 | tall\n"))},
                                {.actions = 3});
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].reward, 1);
  EXPECT_EQ(events[1].actions, 3);
  EXPECT_EQ(events[2].action, 1);
  EXPECT_EQ(events[2].reward, -1);
  EXPECT_EQ(events[2].propensity, 0.25);
}

TEST(OpenLog, SaysWhereAFileIsOfAnotherFormatThanItsName) {
  EXPECT_EQ(error_of_log("a.dsjson", "age,action\n1,2\n"),
            "a.dsjson begins with 'age,action', which is csv: expected dsjson, as its name says; "
            "--log-format csv reads it");
  EXPECT_NE(error_of_log("a.csv", "1:0:0.5 | x\n").find("which is vw"), std::string::npos);
}

TEST(OpenLog, AnEmptyLogIsAnErrorAndSoIsOneWithoutDecisions) {
  EXPECT_EQ(error_of_log("a", " \n\n"), "a is empty: expected logged decisions");
  EXPECT_EQ(
      error_of_log("a", R"({"RewardValue":1})"
                        "\n"),
      "a holds no decision; 1 lines left out: they have no _label_cost: expected at least one");
  EXPECT_NE(error_of_log("a.csv", "age,action,reward,propensity\n").find("no action"),
            std::string::npos);
  EXPECT_EQ(testing::error_of([] { events_of({}); }),
            "no log is given: expected at least one file");
}

TEST(OpenLog, UniformPropensitiesRepairALogOfAnyFormat) {
  const testing::TestLog log;
  const std::string no_p = R"({"_label_cost":0,"_label_Action":1,"c":{"_multi":[{},{},{},{}]}})"
                           "\n";
  for (const auto& path :
       {log.write("a.dsjson", no_p), log.write("b.vw", "shared | a\n0:1 | b\n | c\n | d\n | e\n\n"),
        log.write("c.csv", "x,action,reward\n1,3,0\n"), log.write("d.vw", "4:1:0 | a\n"),
        log.write("e.csv", "x,action,reward,propensity\n1,3,0,7\n")}) {
    const auto events = events_of({path}, {.propensity = "uniform"});
    ASSERT_EQ(events.size(), 1u) << path;
    EXPECT_EQ(events[0].propensity, 0.25) << path;
    EXPECT_EQ(events[0].probabilities, std::vector<double>(4, 0.25)) << path;
  }
  EXPECT_EQ(events_of({log.write("c.csv", "x,action,reward,propensity\n1,3,0,0.5\n")},
                      {.propensity = "uniform"})[0]
                .shared.size(),
            1)
      << "the propensities that are not read are no feature";
}

TEST(OpenLog, FeaturesThatChangeTypeAreNamedWithBothLines) {
  const auto line = [](const char* context) {
    return fmt::format(R"({{"_label_cost":0,"_label_probability":1,"_label_Action":1,)"
                       R"("c":{{{},"_multi":[{{}},{{}}]}}}})"
                       "\n",
                       context);
  };
  EXPECT_EQ(error_of_log("a", line(R"("u":{"age":31})") + line(R"("u":{"age":null})") +
                                  line(R"("u":{"age":"old"})")),
            "a line 3: u.age is a word, 'old': expected a number, as in line 1");
  EXPECT_EQ(error_of_log("a.csv", "age,action,reward,propensity\n31,0,0,1\n,0,0,1\nold,0,0,1\n"),
            "a.csv line 4: age is 'old': expected a number, as in line 2; --categorical age reads "
            "all as words");
}

TEST(OpenLog, OnlyACsvHasColumnsOfItsOwn) {
  EXPECT_NE(error_of_log("a", kDsjson, {.columns = "pi_"}).find("expected a CSV"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::log_reader_test
