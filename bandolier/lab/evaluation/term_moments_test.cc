#include "bandolier/lab/evaluation/term_moments.h"

#include <gtest/gtest.h>

#include <array>

#include "bandolier/lab/evaluation/slope.h"

namespace bandolier::term_moments_test {

TEST(TermMoments, OfFourRowsAreThoseOfTheTextbook) {
  TermMoments moments(2);
  for (const auto& row : {std::array{1.0, 2.0}, {2.0, 1.0}, {3.0, 5.0}, {6.0, 4.0}}) {
    moments.add(row, 1);
  }
  EXPECT_DOUBLE_EQ(moments.means()[0], 3);
  EXPECT_DOUBLE_EQ(moments.means()[1], 3);
  // Σ (x − 3)² = 14, Σ (y − 3)² = 10, Σ (x − 3)(y − 3) = 2 + 2 + 0 + 3 = 7; over n (n − 1) = 12.
  EXPECT_DOUBLE_EQ(moments.covariance(0, 0), 14 / 12.0);
  EXPECT_DOUBLE_EQ(moments.covariance(1, 1), 10 / 12.0);
  EXPECT_DOUBLE_EQ(moments.covariance(0, 1), 7 / 12.0);
  EXPECT_DOUBLE_EQ(moments.covariance(1, 0), 7 / 12.0);
  EXPECT_DOUBLE_EQ(moments.effective_rows(), 4);
}

TEST(TermMoments, KeepTheirDigitsFarFromZero) {
  TermMoments moments(1);
  for (const double x : {1e9 + 1, 1e9 + 2, 1e9 + 3}) moments.add(std::array{x}, 1);
  EXPECT_DOUBLE_EQ(moments.means()[0], 1e9 + 2);
  EXPECT_DOUBLE_EQ(moments.covariance(0, 0), 2 / 6.0);
}

TEST(TermMoments, CountsWeighRowsAndTellHowManyTheyAreWorth) {
  TermMoments moments(1);
  moments.add(std::array{1.0}, 1);
  moments.add(std::array{4.0}, 2);
  EXPECT_DOUBLE_EQ(moments.means()[0], 3);
  EXPECT_DOUBLE_EQ(moments.effective_rows(), 9 / 5.0);
  // 2/1 · (1·(1 − 3)² + 4·(4 − 3)²) / 3²
  EXPECT_DOUBLE_EQ(moments.covariance(0, 0), 16 / 9.0);
}

TEST(Slope, StopsWhereEstimatesNoLongerAgreeWithinTheirSpread) {
  // c = 2, 1, 0.2. |0.5 − 0| ≤ 1 + 1.449·2; |4 − 0| > 0.2 + 1.449·2 = 3.1.
  EXPECT_EQ(slope(std::array{0.0, 0.5, 4.0}, std::array{2.0, 1.0, 0.2}), 1);
  EXPECT_EQ(slope(std::array{0.0, 0.5, 1.4}, std::array{2.0, 1.0, 0.2}), 2);
  // The second disagrees: what comes after is not looked at.
  EXPECT_EQ(slope(std::array{0.0, 9.0, 0.0}, std::array{2.0, 1.0, 0.2}), 0);
}

}  // namespace bandolier::term_moments_test
