#include "bandolier/lab/evaluation/weights.h"

#include <gtest/gtest.h>

#include <numeric>

#include "bandolier/core/text.h"
#include "bandolier/lab/evaluation/test_rows.h"

namespace bandolier::weights_test {

Weights of(const std::vector<double>& weights) {
  Weights out;
  for (const double w : weights) {
    LoggedRow row;
    row.weight = w;
    out.add(row);
  }
  return out;
}

TEST(Weights, MeetTheAnswersOnTwoLogs) {
  for (const std::string log : {"binary.csv.gz", "real.csv.gz"}) {
    Weights weights;
    for (const auto& row : testing::ope_rows(log)) weights.add(row.view());
    const auto answers = testing::ope_answers(log);
    EXPECT_NEAR(weights.mean(), answers.at("mean_weight").get<double>(), 1e-12);
    EXPECT_NEAR(weights.most(), answers.at("max_weight").get<double>(), 1e-12);
    EXPECT_NEAR(weights.effective_rows(), answers.at("effective_n").get<double>(), 1e-9);
  }
}

TEST(Weights, DeviationOfTheMeanIsThatOfTheTextbook) {
  // 1, 2, 3: Σ (w − 2)² = 2, over n² = 9.
  EXPECT_NEAR(of({1, 2, 3}).mean_deviation(), std::sqrt(2.0 / 9), 1e-12);
}

TEST(Weights, WarnOfFewEffectiveRows) {
  const auto warnings = of(std::vector<double>(50, 1.0)).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "the 50 rows tell as much as 50");
  EXPECT_TRUE(of(std::vector<double>(200, 1.0)).warnings().empty());
}

TEST(Weights, WarnOfAMeanWeightThatIsNotOne) {
  const auto warnings = of(std::vector<double>(500, 1.5)).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("the mean weight is 1.50 and should be 1"), std::string::npos);
}

TEST(Weights, WarnWhereOneRowDecides) {
  std::vector<double> weights(1000, 0.8);
  weights[7] = 200;  // of 999.2 in all
  EXPECT_NE(join(of(weights).warnings(), "; ").find("one row carries 20 % of the weight"),
            std::string::npos);
}

TEST(Weights, WarnOfActionsThatTheLogNeverTook) {
  Weights weights;
  const std::vector<double> target = {0.25, 0.75}, logged = {1, 0};
  for (int i = 0; i < 1000; ++i) {
    LoggedRow row;
    row.weight = 0.25;
    row.target = target;
    row.logged = logged;
    weights.add(row);
  }
  EXPECT_NE(join(weights.warnings(), "; ").find("75.0 % of what the policy does the log never did"),
            std::string::npos);
}

TEST(Weights, OfNothingThatTheLogDidSayThatNothingIsKnown) {
  const auto warnings = of({0, 0, 0}).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("nothing is known"), std::string::npos);
}

TEST(Weights, HistogramHasAllRowsAndItsBinsFourADecade) {
  const Weights weights = of({0, 1e-9, 1, 1, 15, 1e9});
  const auto shares = weights.histogram();
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
  EXPECT_NEAR(shares[0], 1 / 6.0, 1e-12);
  EXPECT_NEAR(shares[1], 1 / 6.0, 1e-12);
  EXPECT_NEAR(shares.back(), 1 / 6.0, 1e-12);
  EXPECT_NEAR(Weights::bin_start(14), 1, 1e-12);
  EXPECT_NEAR(shares[14], 2 / 6.0, 1e-12);
  EXPECT_NEAR(Weights::bin_start(18), 10, 1e-9);
  EXPECT_NEAR(shares[18], 1 / 6.0, 1e-12);
}

}  // namespace bandolier::weights_test
