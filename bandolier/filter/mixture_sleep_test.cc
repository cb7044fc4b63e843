// Members that have lost their weight learn from one reward in four, and forget at every one.
#include <gtest/gtest.h>

#include "bandolier/filter/test_mixtures.h"

namespace bandolier::mixture_sleep_test {
namespace {

using testing::context_of;
using testing::features;
using testing::reward_of;

// The first member explains rewards a hundred times as well: the second sleeps from about reward
// 500 on.
class MixtureOfASleeper : public ::testing::Test {
 protected:
  static constexpr double kPrior = 1e3;

  void make(double process_noise, double forgetting) {
    const auto shared = testing::predictors();
    FilterOptions loser = testing::known(1e4);
    loser.process_noise = process_noise;
    loser.forgetting = forgetting;
    mixture_.emplace(
        shared,
        std::vector{testing::member(*shared[1], 1, testing::known(1)),
                    testing::member(*shared[1], 1, loser, float(kPrior), BeliefKind::kDiagonal)},
        MixtureOptions{.share = testing::kShare}, testing::kFixed);
    scratch_ = mixture_->make_scratch();
  }

  void pull(Index action, int rewards) {
    for (int end = step_ + rewards; step_ < end; ++step_) {
      slept_ += !mixture_->weights().awake(1, step_);
      const Vector<float> x = features(step_);
      ASSERT_TRUE(mixture_->learn({context_of(x), action, reward_of(x, action)}, scratch_));
    }
  }

  // Of the last action's bias, in what the sleeper believes.
  double variance() const {
    const Matrix<float> p = mixture_->members()[1].filter.belief().covariance();
    return static_cast<double>(p(p.rows() - 1, p.rows() - 1));
  }

  std::optional<Mixture> mixture_;
  MixtureScratch scratch_;
  int step_ = 0, slept_ = 0;
};

TEST_F(MixtureOfASleeper, ItSleepsThroughThreeRewardsInFourOnceItHasLostFor500) {
  make(0, 1);
  pull(0, 1500);
  EXPECT_NEAR(slept_, 750, 10);
}

TEST_F(MixtureOfASleeper, WhatIsNotPulledGainsTheProcessNoiseOfEveryReward) {
  make(1, 1);
  pull(0, 1500);
  EXPECT_GT(slept_, 700);
  EXPECT_NEAR(variance(), kPrior + 1500, 1);
}

// Evidence of n rewards ago counts γⁿ: 1/v = 1/v₀ + γⁿ(1/v' − 1/v₀).
TEST_F(MixtureOfASleeper, EvidenceFadesAtEveryReward) {
  constexpr double kForgetting = 0.999;
  make(0, kForgetting);
  pull(2, 300);
  const double learnt = 1 / variance() - 1 / kPrior;
  EXPECT_GT(learnt, 10 / kPrior);
  pull(0, 1200);
  EXPECT_GT(slept_, 700);
  EXPECT_NEAR((1 / variance() - 1 / kPrior) / (learnt * std::pow(kForgetting, 1200)), 1, 0.01);
}

}  // namespace
}  // namespace bandolier::mixture_sleep_test
