// A member that begins anew every so many rewards, and leads where the world has changed.
#include <gtest/gtest.h>

#include "bandolier/filter/test_mixtures.h"

namespace bandolier::mixture_challenger_test {
namespace {

using testing::context_of;
using testing::features;

constexpr int kLife = 50;

// Two linear filters of different priors, and a challenger.
Mixture make() {
  const auto shared = testing::predictors();
  return Mixture(shared,
                 {testing::member(*shared[1], 1, testing::inferred({3, 0.3}), 1),
                  testing::member(*shared[1], 1, testing::inferred({3, 0.3}), 100)},
                 {.share = 1e-5, .challenger = kLife}, testing::kFixed);
}

// Rewards [begin, end) of a linear world that is turned over where `sign` is −1.
void play(Mixture& mixture, int begin, int end, float sign) {
  MixtureScratch scratch = mixture.make_scratch();
  for (int t = begin; t < end; ++t) {
    const Vector<float> x = features(t);
    const Index action = t % testing::kActions;
    const float noise = testing::normals(1, 5000 + static_cast<std::uint64_t>(t))[0];
    ASSERT_TRUE(mixture.learn({context_of(x), action, sign * x[action] + 0.2f * noise}, scratch));
  }
}

double mean_error(const Mixture& mixture, float sign) {
  MixtureScratch scratch = mixture.make_scratch();
  double sum = 0;
  for (int t = 0; t < 20; ++t) {
    const Vector<float> x = features(9000 + t);
    mixture.release(scratch);
    std::vector<float> means(testing::kActions);
    mixture.scorer(mixture.weights().leader(), context_of(x), scratch).mean(means);
    for (Index a = 0; a < testing::kActions; ++a) {
      sum += std::abs(static_cast<double>(means[static_cast<std::size_t>(a)] - sign * x[a]));
    }
  }
  return sum / (20 * testing::kActions);
}

TEST(Challenger, LeavesAWorldThatStaysAsItIs) {
  Mixture mixture = make();
  play(mixture, 0, 2000, 1);
  EXPECT_EQ(mixture.restarts(), 0);
  EXPECT_LT(mixture.weights()[2], 1e-3);
  EXPECT_LT(mean_error(mixture, 1), 0.05);
}

TEST(Challenger, TakesTheLeadersPlaceOnceTheWorldHasChanged) {
  Mixture mixture = make();
  play(mixture, 0, 1010, 1);
  play(mixture, 1010, 1010 + 3 * kLife, -1);
  EXPECT_EQ(mixture.restarts(), 1);
  EXPECT_LT(mean_error(mixture, -1), 0.2);
}

// In the middle of a term: the challenger that has seen the old world is given up at once, and the
// next one takes the place a term after the change, not after the next two ends of a term.
TEST(Challenger, IsGivenUpAtOnceWhereTheLeaderIsSurprised) {
  Mixture mixture = make();
  play(mixture, 0, 20 * kLife + 20, 1);
  play(mixture, 20 * kLife + 20, 21 * kLife + 35, -1);
  EXPECT_EQ(mixture.restarts(), 1);
  EXPECT_LT(mean_error(mixture, -1), 0.2);
}

TEST(Challenger, BeginsFromThePriorWithTheLeadersNoiseAndNextToNoWeight) {
  Mixture mixture = make();
  play(mixture, 0, 10 * kLife, 1);
  const auto& leader = mixture.leader();
  const auto& challenger = mixture.members().back();
  EXPECT_EQ(challenger.name, "challenger");
  EXPECT_LT(mixture.weights()[2], 1e-5);
  EXPECT_EQ(challenger.filter.noise()->a, leader.filter.noise()->a);
  EXPECT_EQ(challenger.filter.noise()->b, leader.filter.noise()->b);
  EXPECT_TRUE(challenger.filter.belief().head_mean(0).isZero());
  const float prior = challenger.filter.belief().covariance()(0, 0);
  EXPECT_TRUE(std::abs(prior - 1) < 1e-4f || std::abs(prior - 100) < 1e-2f) << prior;
}

TEST(Challenger, GoesOnAfterSaveAndLoad) {
  Mixture mixture = make(), loaded = make();
  play(mixture, 0, 1020, 1);
  loaded.load(ArchiveReader(testing::archive_of(mixture), "test"));
  for (Mixture* one : {&mixture, &loaded}) play(*one, 1020, 1020 + 3 * kLife, -1);
  EXPECT_EQ(loaded.restarts(), 1);
  EXPECT_TRUE(testing::archive_of(loaded) == testing::archive_of(mixture));
}

}  // namespace
}  // namespace bandolier::mixture_challenger_test
