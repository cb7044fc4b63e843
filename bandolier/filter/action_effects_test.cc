#include "bandolier/filter/action_effects.h"

#include <gtest/gtest.h>

#include "bandolier/filter/test_filters.h"
#include "testing/errors.h"

namespace bandolier::action_effects_test {
namespace {

constexpr double kPrior = 0.5, kNoise = 0.2;

Observation<double> seen(double reward, double mean) {
  return {(reward - mean) / kNoise, 1 / kNoise};
}

// n rewards of one id with nothing else unknown: the conjugate posterior of a normal mean.
TEST(ActionEffects, AreTheConjugatePosteriorWhereNothingElseIsUnknown) {
  ActionEffects<double> effects(kPrior);
  double sum = 0;
  for (const double reward : {1.0, 0.4, -0.2, 0.9}) {
    effects.correct(7, seen(reward, effects.of(7).mean), 0);
    sum += reward;
  }
  const double precision = 1 / kPrior + 4 / kNoise;
  EXPECT_NEAR(effects.of(7).mean, sum / kNoise / precision, 1e-12);
  EXPECT_NEAR(effects.of(7).variance, 1 / precision, 1e-12);
}

// What else is unknown is noise of variance q' to the effect.
TEST(ActionEffects, TakeTheOthersUncertaintyForNoise) {
  ActionEffects<double> effects(kPrior);
  constexpr double kOthers = 0.7;
  effects.correct(7, seen(1, 0), kOthers);
  EXPECT_NEAR(effects.of(7).mean, kPrior / (kPrior + kNoise + kOthers), 1e-12);
  EXPECT_NEAR(effects.of(7).variance, kPrior - kPrior * kPrior / (kPrior + kNoise + kOthers),
              1e-12);
}

TEST(ActionEffects, AnIdNeverSeenIsAtThePriorWhateverOthersHaveTaught) {
  ActionEffects<double> effects(kPrior);
  for (std::int64_t id = 0; id < 1000; ++id) effects.correct(id, seen(5, 0), 0);
  EXPECT_EQ(effects.count(), 1000);
  for (const std::int64_t id : {-1L, 1000L, 5000L, 123456789012345L}) {
    EXPECT_EQ(effects.of(id).mean, 0);
    EXPECT_EQ(effects.of(id).variance, kPrior);
  }
}

TEST(ActionEffects, OfTooManyIdsForgetThoseThatEarnedNothingForLongest) {
  ActionEffects<double> effects(kPrior);
  const std::size_t bytes = effects.bytes();
  for (std::int64_t id = 0; id < 20'000; ++id) {
    effects.correct(id, seen(5, 0), 0);
    effects.correct(-1, seen(5, effects.of(-1).mean), 0);  // one that stays in use
  }
  EXPECT_EQ(effects.bytes(), bytes);
  EXPECT_EQ(effects.count(), 4096);
  EXPECT_GT(effects.of(-1).mean, 4.9);
  EXPECT_GT(effects.of(19'999).mean, 0);
  EXPECT_EQ(effects.of(0).mean, 0);
  EXPECT_EQ(effects.of(0).variance, kPrior);
}

// 1/v ← γ/v + (1 − γ)/v₀, as of a belief; what nothing was learnt of stays at the prior.
TEST(ActionEffects, ForgetTowardsThePriorAndFollowTheUnitOfRewards) {
  ActionEffects<double> effects(kPrior);
  effects.correct(7, seen(1, 0), 0);
  const auto [mean, variance] = effects.of(7);
  effects.forget(0.9);
  EXPECT_NEAR(1 / effects.of(7).variance, 0.9 / variance + 0.1 / kPrior, 1e-12);
  EXPECT_NEAR(effects.of(8).variance, kPrior, 1e-15);
  effects.scale_means(4);
  EXPECT_NEAR(effects.of(7).mean, 4 * mean, 1e-15);
  effects.add_process_noise(0.25);
  EXPECT_NEAR(1 / (effects.of(7).variance - 0.25), 0.9 / variance + 0.1 / kPrior, 1e-12);
}

TEST(ActionEffects, CopiesGoTheirOwnWay) {
  ActionEffects<double> effects(kPrior);
  effects.correct(7, seen(1, 0), 0);
  const ActionEffects<double> copy = effects;
  const double before = copy.of(7).mean;
  effects.correct(7, seen(1, before), 0);
  EXPECT_EQ(copy.of(7).mean, before);
  EXPECT_GT(effects.of(7).mean, before);
}

ArchiveReader read(const ArchiveWriter& out) { return {out.finish(), "saved"}; }

TEST(ActionEffects, GoOnFromTheirArchiveAsIfNothingHadHappened) {
  ActionEffects<double> effects(kPrior), loaded(2);
  for (std::int64_t id = 0; id < 9000; ++id) effects.correct(id % 5000 * 31, seen(3, 0), 0.1);
  ArchiveWriter out;
  effects.save(out);
  loaded.load(read(out));
  for (std::int64_t id = 0; id < 3000; ++id) {
    effects.correct(id * 17, seen(1, 0), 0.1);
    loaded.correct(id * 17, seen(1, 0), 0.1);
  }
  EXPECT_EQ(testing::archive_of(loaded), testing::archive_of(effects));
}

TEST(ActionEffects, RefuseArchivesThatCannotBe) {
  const auto refused = [](std::vector<std::int64_t> ids, std::vector<std::int64_t> used,
                          double variance) {
    ArchiveWriter out;
    out.write("prior", 1.0);
    out.write("clock", 5);
    const auto n = static_cast<Index>(ids.size());
    out.write("ids", ids);
    out.write("used", used);
    out.write("means", Vector<double>(Vector<double>::Zero(n)));
    out.write("variances", Vector<double>(Vector<double>::Constant(n, variance)));
    return testing::error_of([&] { ActionEffects<double>(1).load(read(out)); });
  };
  EXPECT_EQ(refused({1, 2}, {1, 2}, 0.5), "");
  EXPECT_NE(refused({1, 1}, {1, 2}, 0.5).find("has id 1 twice"), std::string::npos);
  EXPECT_NE(refused({1}, {9}, 0.5).find("used holds 9: expected 1 to 5"), std::string::npos);
  EXPECT_NE(refused({1}, {1}, -1).find("variances holds -1: expected "), std::string::npos);
  EXPECT_NE(refused({1}, {1, 2}, 1).find("used has 2 values, expected 1"), std::string::npos);
  EXPECT_NE(refused(std::vector<std::int64_t>(5000, 1), std::vector<std::int64_t>(5000, 1), 1)
                .find("at most 4096"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::action_effects_test
