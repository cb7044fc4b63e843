#include "bandolier/policy/pulls.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/core/error.h"

namespace bandolier::pulls_test {
namespace {

TEST(Pulls, AreCountedByTheActionsIdentityAndThoseBeyondTheActionsShareByRemainder) {
  Pulls pulls(4);
  for (const std::int64_t id : {9, 2, 2, -1}) pulls.count(id, 4, 1);
  EXPECT_EQ(pulls.of(9), 1);
  EXPECT_EQ(pulls.of(1), 1);  // 9 = 1 modulo 4
  EXPECT_EQ(pulls.of(2), 2);
  EXPECT_EQ(pulls.of(-1), 1);
  EXPECT_EQ(pulls.of(0), 0);
  EXPECT_EQ(pulls.total(), 4);
}

TEST(Pulls, OfActionsThatChangeAreSharedBetweenThoseOfEachDecision) {
  Pulls pulls(4, false);
  for (int i = 0; i < 11; ++i) pulls.count(1000 + i, i < 8 ? 4 : 2, 1);
  EXPECT_EQ(pulls.of(1000), 8 / 4.0 + 3 / 2.0);
  EXPECT_EQ(pulls.of(77), 3.5);
  EXPECT_EQ(pulls.total(), 11);
}

TEST(Pulls, MeanSquareIsThatOfTheRewards) {
  Pulls pulls(2);
  EXPECT_EQ(pulls.mean_square(), 0);
  for (const float reward : {3.0f, -4.0f, 0.0f, 5.0f}) pulls.count(0, 4, reward);
  EXPECT_DOUBLE_EQ(pulls.mean_square(), (9 + 16 + 0 + 25) / 4.0);
}

// The one at 50 counts as 5 times the root of the mean square so far, which is 1.
TEST(Pulls, OneOutlierAmongManyDoesNotSetTheSize) {
  for (const int at : {0, 50}) {
    Pulls pulls(2);
    for (int i = 0; i < 1000; ++i) pulls.count(1, 4, i == at ? 100.0f : 1.0f);
    EXPECT_NEAR(pulls.mean_square(), (999 + (at == 0 ? 1e4 : 25)) / 1000, 1e-9);
  }
}

// Largest finite reward: its square is beyond a float's range, and within a double's.
TEST(Pulls, TheLargestRewardHasAFiniteSquare) {
  Pulls pulls(1);
  pulls.count(0, 4, 3e38f);
  EXPECT_NEAR(std::sqrt(pulls.mean_square()), 3e38, 1e32);
}

TEST(Pulls, SurviveSaveAndLoadAndAnotherNumberOfActionsIsAnError) {
  Pulls pulls(3), loaded(3), other(4);
  pulls.count(2, 4, 3);
  pulls.count(2, 4, 5);
  ArchiveWriter out;
  pulls.save(out);
  const ArchiveReader in(out.finish(), "test");
  loaded.load(in);
  EXPECT_EQ(loaded.of(2), 2);
  EXPECT_EQ(loaded.total(), 2);
  EXPECT_DOUBLE_EQ(loaded.mean_square(), 17);
  EXPECT_THROW(other.load(in), Error);
}

TEST(Pulls, SavedCountsBelowZeroAreAnError) {
  ArchiveWriter out;
  out.write("pulls", std::vector<std::int64_t>{1, -1});
  out.write("mean_square", 1.0);
  Pulls pulls(2);
  EXPECT_THROW(pulls.load(ArchiveReader(out.finish(), "test")), Error);
}

}  // namespace
}  // namespace bandolier::pulls_test
