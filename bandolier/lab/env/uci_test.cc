// Shuttle, covertype, adult and mushroom, read from small files in UCI's formats.
#include "bandolier/lab/env/uci.h"

#include <gtest/gtest.h>

#include "bandolier/lab/env/mushroom.h"
#include "bandolier/lab/env/test_data.h"
#include "testing/errors.h"

namespace bandolier::uci_test {
namespace {

using testing::error_of;

class UciTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  testing::ScopedVariable data_{"BANDOLIER_DATA", folder_.path().string()};
  std::string path(const std::string& file) const { return (folder_ / file).string(); }
};

TEST_F(UciTest, ShuttleHasNineNumbersAndTheLabelLast) {
  testing::write_file(folder_, "uci/shuttle.trn",
                      "50 21 77 0 28 0 27 48 22 2\n55 0 92 0 0 26 36 92 56 4\n");
  UciOptions options;
  options.standardise = Standardise::kNone;
  const auto environment = make_shuttle(options);
  EXPECT_EQ(environment->shape().features, 9);
  EXPECT_EQ(environment->shape().actions, 2);
  const auto trial = environment->trial(1, 0, 2);
  ContextBuffer buffer;
  for (Index t = 0; t < 2; ++t) {
    const bool first = trial->context(t, buffer).features.values[0] == 50;
    EXPECT_EQ(buffer.values[8], first ? 22 : 56);
    EXPECT_EQ(trial->reward(t, 0), first ? 1 : 0);
  }
}

TEST_F(UciTest, AdultHasItsCategoriesOneHotWithMissingOnesLast) {
  testing::write_file(
      folder_, "uci/adult.data",
      "39, State-gov, 77516, Bachelors, 13, Never-married, ?, Not-in-family, White, Male, 2174, 0, "
      "40, United-States, <=50K\n"
      "50, ?, 83311, Bachelors, 13, Divorced, Sales, Husband, White, Male, 0, 0, 13, ?, >50K\n\n");
  UciOptions options;
  options.standardise = Standardise::kNone;
  const auto environment = make_adult(options);
  // 6 numbers; workclass 1 + missing, education 1, marital 2, occupation 1 + missing,
  // relationship 2, race 1, sex 1, country 1 + missing.
  EXPECT_EQ(environment->shape().features, 6 + 2 + 1 + 2 + 2 + 2 + 1 + 1 + 2);
  EXPECT_EQ(environment->shape().actions, 2);
  EXPECT_EQ(environment->notes().front().to_text(), "3 missing words kept as a category");
  const auto trial = environment->trial(1, 0, 2);
  ContextBuffer buffer;
  for (Index t = 0; t < 2; ++t) {
    const bool first = trial->context(t, buffer).features.values[0] == 39;
    EXPECT_EQ(buffer.values[1], first ? 1 : 0) << "State-gov";
    EXPECT_EQ(buffer.values[2], first ? 0 : 1) << "missing";
    EXPECT_EQ(buffer.values[3], first ? 77516 : 83311);
    EXPECT_EQ(trial->reward(t, 0), first ? 1 : 0) << "<=50K";
  }
}

TEST_F(UciTest, ThePapersSampleIsReadFromItsOwnFile) {
  testing::write_file(folder_, "paper/covertype.csv.gz",
                      testing::gzip("x0,x1,label\n-1,1,0\n1,-1,2\n0.5,0.5,5\n"));
  UciOptions options;
  options.sample = UciSample::kPaper;
  const auto environment = make_covertype(options);
  EXPECT_EQ(environment->shape().features, 2);
  EXPECT_EQ(environment->shape().actions, 3);
}

TEST_F(UciTest, AMissingFileIsNamedWithTheWayToGetIt) {
  EXPECT_EQ(error_of([] { make_covertype({}); }),
            path("uci/covtype.data") +
                " is missing (plain or .gz): `bandolier data get covertype` brings it, or set "
                "BANDOLIER_DATA to the folder that holds uci/covtype.data");
}

TEST_F(UciTest, WhereOnlyThePapersSampleIsThereTheErrorSaysSo) {
  testing::write_file(folder_, "paper/adult.csv", "x0,label\n1,0\n2,1\n");
  EXPECT_EQ(error_of([] { make_adult({}); }),
            path("uci/adult.data") +
                " is missing (plain or .gz): `bandolier data get adult` brings it; the paper's "
                "5,000 rows are there: adult:sample=paper");
}

TEST_F(UciTest, AMissingSampleIsNamedWithUcisOwnRowsInstead) {
  UciOptions options;
  options.sample = UciSample::kPaper;
  EXPECT_EQ(error_of([&] { make_adult(options); }),
            path("paper/adult.csv") +
                " is missing (plain or .gz): bench/released/rows.py brings the paper's rows from "
                "its authors' repository; or use UCI's own rows with adult:sample=uci");
}

TEST_F(UciTest, AnotherNumberOfColumnsIsRefused) {
  testing::write_file(folder_, "uci/shuttle.trn", "50 21 77\n");
  EXPECT_EQ(error_of([] { make_shuttle({}); }),
            path("uci/shuttle.trn") + " line 1: found 3 columns, expected 10");
}

TEST_F(UciTest, EatingPaysFiveOrMinusFifteenOnAverageAndLeavingNothing) {
  std::string text;
  const std::string rest = ",x,s,n,t,p,f,c,n,k,e,?,s,s,w,w,p,w,o,p,k,s,u\n";
  for (int i = 0; i < 500; ++i) text += (i % 2 ? "p" : "e") + rest;
  testing::write_file(folder_, "uci/agaricus-lepiota.data", text);
  const auto environment = make_mushroom({});
  EXPECT_EQ(environment->shape().actions, 2);
  const auto trial = environment->trial(1, 0, 500);
  int safe = 0, lucky = 0, poisoned = 0;
  for (Index t = 0; t < 500; ++t) {
    float expected[2];
    trial->expected_rewards(t, expected);
    EXPECT_EQ(trial->reward(t, 0), 0);
    const float eaten = trial->reward(t, 1);
    if (expected[1] == 5) {
      EXPECT_EQ(eaten, 5);
      ++safe;
    } else {
      EXPECT_EQ(expected[1], -15);
      EXPECT_TRUE(eaten == 5 || eaten == -35);
      ++(eaten == 5 ? lucky : poisoned);
    }
  }
  EXPECT_EQ(safe, 250);
  EXPECT_NEAR(lucky, 125, 4 * 7.9);
  EXPECT_EQ(lucky + poisoned, 250);
}

}  // namespace
}  // namespace bandolier::uci_test
