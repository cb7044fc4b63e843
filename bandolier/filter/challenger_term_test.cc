// How long a challenger has, and what cuts that short.
#include "bandolier/filter/challenger_term.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"
#include "bandolier/core/random.h"
#include "bandolier/core/test_archive.h"

namespace bandolier::challenger_term_test {
namespace {

constexpr std::int64_t kRewards = 250;
constexpr bool kLeads = true;

void pass(ChallengerTerm& term, int rewards, double squared_error) {
  for (int i = 0; i < rewards; ++i) term.pass(squared_error);
}

// z² of a calibrated leader: that of a normal, or, one in `every`, of an outlier. How many terms
// ended before their time.
int alarms(int rewards, int every) {
  ChallengerTerm term(kRewards);
  Random random({.seed = 1});
  int count = 0;
  for (int t = 1; t <= rewards; ++t) {
    const double z = random.normal();
    term.pass(every > 0 && t % every == 0 ? 1e4 : z * z);
    if (!term.over(!kLeads)) continue;
    count += term.left() > 0;
    term.begin();
  }
  return count;
}

TEST(ChallengerTerm, LastsSoManyRewardsWhereNothingSurprises) {
  ChallengerTerm term(kRewards);
  pass(term, 249, 1);
  EXPECT_FALSE(term.over(!kLeads));
  EXPECT_EQ(term.left(), 1);
  pass(term, 1, 1);
  EXPECT_TRUE(term.over(!kLeads));
  EXPECT_TRUE(term.over(kLeads));
}

TEST(ChallengerTerm, ThreeLargeErrorsInARowEndItUnlessTheChallengerLeads) {
  ChallengerTerm term(kRewards);
  pass(term, 100, 1);
  pass(term, 2, 9);
  EXPECT_FALSE(term.over(!kLeads));  // S = 12
  pass(term, 1, 1e6);                // 18
  EXPECT_TRUE(term.over(!kLeads));
  EXPECT_FALSE(term.over(kLeads));
}

TEST(ChallengerTerm, AfterAnAlarmTheNextIsNotCutShort) {
  ChallengerTerm term(kRewards);
  pass(term, 3, 9);
  term.begin();
  pass(term, 249, 9);
  EXPECT_FALSE(term.over(!kLeads));
  pass(term, 1, 9);
  EXPECT_TRUE(term.over(!kLeads));
  term.begin();
  pass(term, 3, 9);
  EXPECT_TRUE(term.over(!kLeads));
}

TEST(ChallengerTerm, ACalibratedLeaderRaisesFewAlarmsAndOutliersOneInAHundredNoMore) {
  EXPECT_LE(alarms(100'000, 0), 2);
  EXPECT_LE(alarms(100'000, 100), 40);
}

TEST(ChallengerTerm, NoneEndsWhereThereIsNoChallenger) {
  ChallengerTerm term(0);
  pass(term, 1000, 9);
  EXPECT_FALSE(term.over(!kLeads));
}

TEST(ChallengerTerm, GoesOnAfterSaveAndLoad) {
  ChallengerTerm term(kRewards), loaded(kRewards), other(100);
  pass(term, 3, 9);
  term.begin();
  pass(term, 120, 4);
  ArchiveWriter out;
  {
    const auto section = out.section("term");
    term.save(out);
  }
  const ArchiveReader in(out.finish(), "test");
  loaded.load(in, 7777);
  EXPECT_EQ(loaded.left(), 130);
  pass(loaded, 129, 4);
  EXPECT_FALSE(loaded.over(!kLeads));
  EXPECT_THROW(other.load(in, 0), Error);
}

TEST(ChallengerTerm, OfAnArchiveThatKnowsNoneIsThatOfTheSteps) {
  ChallengerTerm term(kRewards);
  ArchiveWriter out;
  out.write("steps", 620);
  term.load(ArchiveReader(out.finish(), "test"), 620);
  EXPECT_EQ(term.left(), 130);
}

}  // namespace
}  // namespace bandolier::challenger_term_test
