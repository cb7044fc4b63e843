#include "bandolier/lab/env/change.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/lab/env/linear.h"
#include "bandolier/lab/env/registry.h"
#include "testing/errors.h"

namespace bandolier::change_test {
namespace {

using testing::error_of;

constexpr Index kSteps = 4000;

std::unique_ptr<Trial> plain() { return make_linear_problem({})->trial(1, 0, kSteps); }
std::unique_ptr<Trial> changed(const ChangeOptions& options) {
  return make_changed(make_linear_problem({}), options)->trial(1, 0, kSteps);
}

TEST(Change, DriftGivesEveryActionTheNextOnesRewardsFromItsStepOn) {
  const auto before = plain(), after = changed({.drift = 100});
  std::vector<float> old_expected(8), new_expected(8);
  for (const Index t : {0, 99, 100, 3999}) {
    before->expected_rewards(t, old_expected);
    after->expected_rewards(t, new_expected);
    for (Index a = 0; a < 8; ++a) {
      const Index from = t < 100 ? a : (a + 1) % 8;
      EXPECT_EQ(after->reward(t, a), before->reward(t, from));
      EXPECT_EQ(after->observed_reward(t, a), before->reward(t, from));
      EXPECT_EQ(new_expected[static_cast<std::size_t>(a)],
                old_expected[static_cast<std::size_t>(from)]);
    }
  }
}

// How many places the actions' rewards have moved at step t; −1 if by no number.
Index moved(const Trial& before, const Trial& after, Index t) {
  for (Index by = 0; by < 8; ++by) {
    bool all = true;
    for (Index a = 0; a < 8; ++a) {
      all = all && after.reward(t, a) == before.reward(t, (a + by) % 8);
    }
    if (all) return by;
  }
  return -1;
}

TEST(Change, RepeatedDriftMovesOnAndSeasonsGoToAndFro) {
  const auto before = plain();
  const auto repeated =
      changed({.drift = 100, .drift_kind = DriftKind::kRepeated, .drift_steps = 50});
  const auto seasons =
      changed({.drift = 100, .drift_kind = DriftKind::kSeasons, .drift_steps = 50});
  EXPECT_EQ(moved(*before, *repeated, 99), 0);
  EXPECT_EQ(moved(*before, *repeated, 149), 1);
  EXPECT_EQ(moved(*before, *repeated, 150), 2);
  EXPECT_EQ(moved(*before, *repeated, 100 + 7 * 50), 0) << "the eighth of eight";
  EXPECT_EQ(moved(*before, *seasons, 149), 1);
  EXPECT_EQ(moved(*before, *seasons, 150), 0);
  EXPECT_EQ(moved(*before, *seasons, 200), 1);
}

TEST(Change, GradualDriftIsMoreAndMoreOften) {
  const auto before = plain();
  const auto after =
      changed({.drift = 1000, .drift_kind = DriftKind::kGradual, .drift_steps = 2000});
  const auto count = [&](Index begin, Index end) {
    Index sum = 0;
    for (Index t = begin; t < end; ++t) sum += moved(*before, *after, t);
    return sum;
  };
  EXPECT_EQ(count(0, 1000), 0);
  EXPECT_NEAR(static_cast<double>(count(1000, 2000)), 250, 60);
  EXPECT_NEAR(static_cast<double>(count(2000, 3000)), 750, 60);
  EXPECT_EQ(count(3000, 4000), 1000);
}

TEST(Change, RewardNoiseIsToldAndNotCounted) {
  const auto before = plain(), after = changed({.reward_noise = 0.5});
  double sum = 0, squares = 0;
  for (Index t = 0; t < kSteps; ++t) {
    EXPECT_EQ(after->reward(t, 3), before->reward(t, 3));
    const double noise = static_cast<double>(after->observed_reward(t, 3) - after->reward(t, 3));
    sum += noise;
    squares += noise * noise;
  }
  EXPECT_NEAR(sum / kSteps, 0, 4 * 0.5 / std::sqrt(kSteps));
  EXPECT_NEAR(std::sqrt(squares / kSteps), 0.5, 0.03);
}

TEST(Change, OutliersAreAHundredStandardDeviationsBothWaysAndNotCounted) {
  // Rewards of `linear` have mean 0 and standard deviation 1: unit weights on N(0, I).
  const auto before = plain(), after = changed({.outliers = 0.1});
  int high = 0, low = 0;
  for (Index t = 0; t < kSteps; ++t) {
    EXPECT_EQ(after->reward(t, 3), before->reward(t, 3));
    const float told = after->observed_reward(t, 3);
    if (told == after->reward(t, 3)) continue;
    EXPECT_NEAR(std::abs(told), 100, 5);
    ++(told > 0 ? high : low);
  }
  EXPECT_NEAR(high, 200, 4 * 14);
  EXPECT_NEAR(low, 200, 4 * 14);
}

TEST(Change, DelayIsSaidAndRewardsStay) {
  const auto before = plain(), after = changed({.delay = 25});
  EXPECT_EQ(after->delay(), 25);
  EXPECT_EQ(before->delay(), 0);
  EXPECT_EQ(after->observed_reward(7, 2), before->observed_reward(7, 2));
}

TEST(Change, IsPureInT) {
  const auto trial = changed({.drift = 50, .reward_noise = 1, .outliers = 0.5, .delay = 3});
  std::vector<float> first;
  for (Index t = 0; t < 100; ++t) first.push_back(trial->observed_reward(t, t % 8));
  for (Index t = 100; t-- > 0;) {
    EXPECT_EQ(trial->observed_reward(t, t % 8), first[static_cast<std::size_t>(t)]);
  }
}

TEST(Change, WrapsEveryEnvironmentByItsOptionsAndSaysSo) {
  const auto environment =
      make_environment("wheel:delta=0.9,drift=10,reward_noise=0.1,outliers=0.05,delay=2");
  EXPECT_EQ(to_texts(environment->notes()),
            (std::vector<std::string>{
                "each action's rewards become the next one's at step 10",
                "rewards told with noise of standard deviation 0.1; totals without",
                "5 % of rewards told as outliers of 100 standard deviations; totals without",
                "rewards told 2 steps later"}));
  EXPECT_TRUE(make_environment("wheel:delay=0")->notes().empty());
}

TEST(Change, RefusesValuesThatMakeNoSense) {
  EXPECT_EQ(error_of([] { make_environment("wheel:outliers=1.5"); }),
            "environment 'wheel': outliers=1.5: expected a number from 0 to 1");
  EXPECT_EQ(error_of([] { make_environment("wheel:drift_kind=gradual"); }),
            "drift_kind=gradual: nothing changes without drift=STEP, the first step of the change");
  EXPECT_EQ(error_of([] { make_environment("wheel:drift=-1"); }),
            "environment 'wheel': drift=-1: expected a whole number >= 0");
  EXPECT_NE(error_of([] { make_environment("wheel:delay=soon"); }), "");
}

TEST(Registry, SuggestsTheNearestEnvironmentAndOption) {
  EXPECT_EQ(error_of([] { make_environment("wheal"); }),
            "no environment is called 'wheal', did you mean 'wheel'?");
  EXPECT_EQ(error_of([] { make_environment("wheel:delt=0.5"); }),
            "environment 'wheel' has no option 'delt', did you mean 'delta'?");
  EXPECT_EQ(error_of([] { make_environment("wheel:0.5"); }),
            "'wheel:0.5' has 1 parts without '=': expected wheel");
}

}  // namespace
}  // namespace bandolier::change_test
