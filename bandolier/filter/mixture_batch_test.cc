// Many rewards at once are what they are one after the other: in what is learnt, in what is refused
// and in what happens on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "bandolier/filter/test_mixtures.h"

namespace bandolier::mixture_batch_test {
namespace {

using testing::archive_of;
using testing::context_of;
using testing::features;
using testing::inferred;
using testing::kActions;
using testing::kFixed;
using testing::member;

constexpr std::int64_t kChallenger = 100;

FilterOptions robust(double prior_mean) {
  FilterOptions options = inferred({3, prior_mean});
  options.robust = 5;
  options.degrees = 8;
  return options;
}

// Heads over fixed features under two priors, a linear model that explains next to nothing, and a
// challenger.
Mixture make(const RewardUnit& unit, std::int64_t challenger = kChallenger,
             const FilterOptions& loser = testing::known(1e4)) {
  HeadPredictorOptions options;
  options.body = BodyKind::kNone;
  const std::vector<std::shared_ptr<const Predictor>> shared = {
      testing::make_heads("mlp:12", Encoding::kMultiHead, options),
      testing::make_heads("linear", Encoding::kMultiHead, {})};
  return Mixture(shared,
                 {member(*shared[0], 0, robust(0.3), 0.5f), member(*shared[0], 0, robust(0.3), 20),
                  member(*shared[1], 1, loser, 1)},
                 {.share = 1e-5, .challenger = challenger}, unit);
}

// Rewards that grow at 100, an outlier now and then, a world that turns over at 330, and some that
// no unit explains.
class Rewards {
 public:
  explicit Rewards(int count) {
    for (int t = 0; t < count; ++t) x_.push_back(features(t));
    for (int t = 0; t < count; ++t) {
      const Index action = (t * t / 3) % kActions;
      float y = testing::reward_of(x_[static_cast<std::size_t>(t)], action);
      if (t >= 330) y = -y;
      if (t >= 100) y *= 3;
      if (t % 41 == 40) y += 12;
      if (t % 97 == 50) y = 1e30f;
      list_.push_back({context_of(x_[static_cast<std::size_t>(t)]), action, y});
    }
  }
  std::span<const Experience> list() const { return list_; }

 private:
  std::vector<Vector<float>> x_;
  std::vector<Experience> list_;
};

std::vector<bool> learn_singly(Mixture& mixture, std::span<const Experience> rewards) {
  MixtureScratch scratch = mixture.make_scratch();
  std::vector<bool> accepted;
  for (const auto& [context, action, reward, weight] : rewards) {
    accepted.push_back(mixture.learn({context, action, reward, weight}, scratch));
  }
  return accepted;
}

std::vector<bool> learn_in_batches(Mixture& mixture, std::span<const Experience> rewards,
                                   std::size_t size, MixtureScratch& scratch) {
  std::vector<bool> accepted;
  for (std::size_t first = 0; first < rewards.size(); first += size) {
    const auto some = rewards.subspan(first, std::min(size, rewards.size() - first));
    const auto answers = std::make_unique<bool[]>(some.size());
    mixture.learn_batch(some, scratch, {answers.get(), some.size()});
    accepted.insert(accepted.end(), answers.get(), answers.get() + some.size());
  }
  return accepted;
}

void expect_alike(const Mixture& one, const Mixture& other, double tolerance) {
  EXPECT_EQ(one.restarts(), other.restarts());
  EXPECT_EQ(one.unit().unit(), other.unit().unit());
  EXPECT_NEAR(one.innovation_ratio(), other.innovation_ratio(), tolerance);
  EXPECT_NEAR(one.recent_innovation_ratio(), other.recent_innovation_ratio(), tolerance);
  for (std::size_t m = 0; m < one.members().size(); ++m) {
    EXPECT_NEAR(one.weights()[m], other.weights()[m], tolerance) << m;
    const Filter<float>&a = one.members()[m].filter, &b = other.members()[m].filter;
    EXPECT_NEAR(a.unit_variance(), b.unit_variance(), tolerance * b.unit_variance()) << m;
    const Vector<float> means = testing::mean_of(b.belief());
    EXPECT_LT((testing::mean_of(a.belief()) - means).norm(), float(tolerance) * (1 + means.norm()))
        << m;
    const Matrix<float> p = b.belief().covariance();
    EXPECT_LT((a.belief().covariance() - p).norm(), float(tolerance) * p.norm()) << m;
  }
}

TEST(MixtureBatch, IsWhatSinglesAreThroughNewUnitsChallengersSleepersAndRefusals) {
  const Rewards rewards(900);
  Mixture singly = make(RewardUnit(RewardUnit::Of::kSize));
  const std::vector<bool> accepted = learn_singly(singly, rewards.list());
  EXPECT_EQ(std::count(accepted.begin(), accepted.end(), false), 9);
  EXPECT_GT(singly.restarts(), 0);
  for (const std::size_t size : {1u, 7u, 17u, 32u, 128u, 500u}) {
    Mixture together = make(RewardUnit(RewardUnit::Of::kSize));
    MixtureScratch scratch = together.make_scratch();
    EXPECT_EQ(learn_in_batches(together, rewards.list(), size, scratch), accepted) << size;
    expect_alike(together, singly, 2e-3);
  }
}

// The last member weighs next to nothing from the beginning: it sleeps from 500 on, but for one
// reward in four and what surprises the leader.
TEST(MixtureBatch, WhoSleepsLearnsFromTheSameRewards) {
  const Rewards rewards(1200);
  Mixture singly = make(kFixed, 0), together = make(kFixed, 0);
  learn_singly(singly, rewards.list());
  EXPECT_FALSE(singly.weights().awake(2, 1));
  MixtureScratch scratch = together.make_scratch();
  learn_in_batches(together, rewards.list(), 100, scratch);
  expect_alike(together, singly, 1e-3);
}

TEST(MixtureBatch, TheSameRewardsGiveTheSameBits) {
  const Rewards rewards(400);
  Mixture first = make(RewardUnit(RewardUnit::Of::kSize)), second = first;
  MixtureScratch used = first.make_scratch();
  Mixture other = make(kFixed);
  learn_in_batches(other, rewards.list(), 33, used);
  MixtureScratch fresh = second.make_scratch();
  learn_in_batches(first, rewards.list(), 64, used);
  learn_in_batches(second, rewards.list(), 64, fresh);
  EXPECT_TRUE(archive_of(first) == archive_of(second));
}

TEST(MixtureBatch, ACopyStaysAsItIs) {
  const Rewards rewards(200);
  Mixture mixture = make(kFixed);
  MixtureScratch scratch = mixture.make_scratch();
  learn_in_batches(mixture, rewards.list().first(100), 20, scratch);
  const Mixture copy = mixture;
  const std::string before = archive_of(copy);
  learn_in_batches(mixture, rewards.list().subspan(100), 20, scratch);
  EXPECT_TRUE(archive_of(copy) == before);
  EXPECT_FALSE(archive_of(mixture) == before);
}

// In float the square of a feature of 10³⁰ is infinite, and with it the predictor's variance.
TEST(MixtureBatch, AContextThatOverflowsIsRefusedWithoutATrace) {
  const Rewards rewards(60);
  const Vector<float> x = Vector<float>::Constant(testing::kFeatures, 1e30f);
  std::vector<Experience> with(rewards.list().begin(), rewards.list().end());
  std::erase_if(with, [](const Experience& one) { return one.reward > 1e20f; });
  const std::vector<Experience> without = with;
  for (const std::ptrdiff_t at : {50, 31, 30, 7}) {
    with.insert(with.begin() + at, Experience{context_of(x), at % kActions, 0.1f});
  }
  Mixture spared = make(kFixed), tried = make(kFixed);
  MixtureScratch scratch = spared.make_scratch();
  learn_in_batches(spared, without, 60, scratch);
  const auto accepted = learn_in_batches(tried, with, 63, scratch);
  EXPECT_EQ(std::count(accepted.begin(), accepted.end(), false), 4);
  expect_alike(tried, spared, 1e-3);
}

TEST(MixtureBatch, ItIsForHeadsOverWhatDoesNotLearnWhileNoTimePasses) {
  EXPECT_TRUE(make(kFixed).learns_batches());
  FilterOptions forgets = testing::known(1), drifts = testing::known(1);
  forgets.forgetting = 0.99;
  drifts.process_noise = 0.1;
  for (const FilterOptions& loser : {forgets, drifts}) {
    EXPECT_FALSE(make(kFixed, 0, loser).learns_batches());
  }
  EXPECT_FALSE(testing::make_mixture(kFixed).learns_batches());  // over a body that learns
  const auto linear = testing::make_heads("linear", Encoding::kMultiHead, {});
  for (const BeliefKind kind : {BeliefKind::kDiagonal, BeliefKind::kLowRank}) {
    const Mixture mixture({linear}, {member(*linear, 0, testing::known(1), 1, kind)}, {}, kFixed);
    EXPECT_FALSE(mixture.learns_batches());
  }
}

// A reward of 0 or 1 changes the curvature by where its predictor stood.
TEST(MixtureBatch, ProbabilitiesAreLearntAlike) {
  const auto linear = testing::make_heads("linear", Encoding::kMultiHead, {});
  FilterOptions options;
  options.likelihood = Likelihood::bernoulli();
  const Rewards rewards(300);
  std::vector<Experience> coins(rewards.list().begin(), rewards.list().end());
  for (Experience& one : coins) one.reward = one.reward > 0.2f ? 1 : 0;
  Mixture singly({linear}, {member(*linear, 0, options, 1)}, {}, kFixed), together = singly;
  learn_singly(singly, coins);
  MixtureScratch scratch = together.make_scratch();
  learn_in_batches(together, coins, 50, scratch);
  expect_alike(together, singly, 1e-4);
}

}  // namespace
}  // namespace bandolier::mixture_batch_test
