#include "bandolier/lab/evaluation/estimators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/lab/evaluation/test_rows.h"
#include "testing/errors.h"

namespace bandolier::estimators_test {

using testing::error_of;
using testing::ope_answers;
using testing::ope_rows;
using testing::OwnedRow;
using testing::tiny_problem;
using testing::value_of;

// Numbers of the logs are read from text, so that answers agree to the round-off of sums.
constexpr double kRoundOff = 1e-11;

TEST(Estimators, MeetTheAnswersOfOpenBanditPipelineOnTwoLogs) {
  for (const std::string log : {"binary.csv.gz", "real.csv.gz"}) {
    const auto rows = ope_rows(log);
    const auto answers = ope_answers(log);
    ASSERT_EQ(rows.size(), answers.at("n").get<std::size_t>());
    const std::pair<const char*, const char*> pairs[] = {{"ips", "ips"},
                                                         {"snips", "snips"},
                                                         {"dm", "dm"},
                                                         {"dr", "dr"},
                                                         {"sndr", "sndr"},
                                                         {"switch-dr:tau=3", "switch-dr tau=3"},
                                                         {"dros:lambda=5", "dros lambda=5"},
                                                         {"ips:clip=3", "ips clip=3"}};
    for (const auto& [ours, theirs] : pairs) {
      EXPECT_NEAR(value_of(ours, rows), answers.at(theirs).get<double>(), kRoundOff)
          << ours << " on " << log;
    }
  }
}

TEST(Estimators, CressieReadMeetsTheAnswerOfVowpalWabbit) {
  const auto answers = ope_answers("binary.csv.gz");
  const WeightBounds bounds{answers.at("wmin").get<double>(), answers.at("wmax").get<double>()};
  EXPECT_NEAR(value_of("cressie-read", ope_rows("binary.csv.gz"), bounds),
              answers.at("cressie-read estimate").get<double>(), kRoundOff);
}

TEST(Estimators, AllButDmAreRightInExpectationOnAProblemThatIsEnumerated) {
  const auto problem = tiny_problem();
  // 0.3 (0.25·0.9 + 0.75·0.5) + 0.7 (0.6·0.7 + 0.4·0.1)
  EXPECT_NEAR(problem.truth, 0.502, 1e-12);
  for (const char* name : {"ips", "snips", "dr", "sndr", "switch-dr:tau=6", "ips:clip=6"}) {
    EXPECT_NEAR(value_of(name, problem.outcomes), problem.truth, 1e-12) << name;
  }
  // dm: 0.3 (0.25·0.3 + 0.75·0.8) + 0.7 (0.6·0.5 + 0.4·0.2)
  EXPECT_NEAR(value_of("dm", problem.outcomes), 0.4685, 1e-12);
}

TEST(Estimators, ShrinkageGoesFromDmToDr) {
  const auto rows = tiny_problem().outcomes;
  const double dm = value_of("dm", rows), dr = value_of("dr", rows);
  EXPECT_NEAR(value_of("dros:lambda=0", rows), dm, 1e-12);
  EXPECT_NEAR(value_of("dros:lambda=1e12", rows), dr, 1e-9);
  EXPECT_NEAR(value_of("switch-dr:tau=0", rows), dm, 1e-12);
  // w = 6, 4, 3.75, 5/6 and 0: τ = 4 leaves out the context 1 with action 0, of w = 6.
  const double left_out = 0.7 * 0.1 * 6 * (0.7 - 0.5);
  EXPECT_NEAR(value_of("switch-dr:tau=4", rows), dr - left_out, 1e-12);
  // λ = 36 halves w = 6: v + 3 (r − q).
  OwnedRow row;
  row.row.weight = 6;
  row.row.reward = 1;
  row.row.predicted = 0.5;
  row.row.value = 0.38;
  EXPECT_NEAR(value_of("dros:lambda=36", {row}), 1.88, 1e-12);
}

TEST(Estimators, MarginalWeightsReplaceThoseOfActions) {
  auto rows = tiny_problem().outcomes;
  for (OwnedRow& row : rows) {
    row.row.marginal_weight = row.row.weight;
    row.row.weight = 1e9;  // not looked at
  }
  EXPECT_NEAR(value_of("mips", rows), 0.502, 1e-12);
}

TEST(Estimators, SelfNormalisedOnesMoveWithTheRewardsAndIpsDoesNot) {
  const auto rows = ope_rows("real.csv.gz");
  auto moved = rows;
  for (OwnedRow& row : moved) row.row.reward += 100;
  EXPECT_NEAR(value_of("snips", moved), value_of("snips", rows) + 100, 1e-9);
  EXPECT_NEAR(value_of("cressie-read", moved), value_of("cressie-read", rows) + 100, 1e-9);
  // Σw/n = 1.10: the offset is weighed.
  EXPECT_NEAR(value_of("ips", moved), value_of("ips", rows) + 110.199019925, 1e-6);
}

TEST(Estimators, TheLoggingPolicyEarnsWhatTheLogDid) {
  auto rows = ope_rows("binary.csv.gz");
  double mean = 0;
  for (OwnedRow& row : rows) {
    row.row.weight = 1;
    mean += row.row.reward / static_cast<double>(rows.size());
  }
  for (const char* name : {"ips", "snips"}) EXPECT_NEAR(value_of(name, rows), mean, 1e-12);
  EXPECT_NEAR(value_of("cressie-read", rows, {1, 1}), mean, 1e-12);
}

TEST(Estimators, ARowThatStandsForThreeCountsAsThree) {
  auto rows = tiny_problem().outcomes;
  for (OwnedRow& row : rows) row.row.count = 1;
  auto thrice = rows;
  thrice.push_back(rows[1]);
  thrice.push_back(rows[1]);
  rows[1].row.count = 3;
  for (const char* name : {"ips", "snips", "dr", "sndr"}) {
    EXPECT_NEAR(value_of(name, rows), value_of(name, thrice), 1e-12) << name;
  }
}

TEST(Estimators, SayWhatIsWrongWithASpec) {
  EXPECT_EQ(error_of([] { make_estimator("snipss"); }),
            "no estimator is called 'snipss', did you mean 'snips'?");
  EXPECT_EQ(error_of([] { make_estimator("ips:clip=-1"); }),
            "estimator 'ips': clip=-1: expected a number > 0 or none");
  EXPECT_NE(error_of([] { make_estimator("snips:clip=3"); }).find("clip"), std::string::npos);
  EXPECT_NE(error_of([] { make_estimator("switch-dr:lambda=3"); }).find("'lambda'"),
            std::string::npos);
  EXPECT_NE(error_of([] { make_estimator("dr:3"); }).find("expected key=value"), std::string::npos);
}

}  // namespace bandolier::estimators_test
