#include "bandolier/nn/optimiser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bandolier::optimiser_test {
namespace {

// One parameter, one gradient after the other.
std::vector<double> path(const OptimiserOptions& options, float start,
                         const std::vector<float>& gradients) {
  Optimiser optimiser(options, 1);
  Vector<float> parameter = Vector<float>::Constant(1, start), gradient(1);
  std::vector<double> out;
  for (const float g : gradients) {
    gradient[0] = g;
    optimiser.step(parameter, gradient);
    out.push_back(static_cast<double>(parameter[0]));
  }
  return out;
}

TEST(Optimiser, SgdWithMomentumTakesTheHandComputedSteps) {
  OptimiserOptions options;
  options.learning_rate = 0.1;
  options.momentum = 0.5;
  // v = 2, 0.5·2 + 1 = 2, 0.5·2 − 4 = −3.
  const auto at = path(options, 1, {2, 1, -4});
  EXPECT_NEAR(at[0], 0.8, 1e-6);
  EXPECT_NEAR(at[1], 0.6, 1e-6);
  EXPECT_NEAR(at[2], 0.9, 1e-6);
}

TEST(Optimiser, RmspropTakesTheHandComputedSteps) {
  OptimiserOptions options;
  options.optimiser = OptimiserKind::kRmsprop;
  options.learning_rate = 0.1;
  // s = 0.9·1 + 0.1·4 = 1.3, 0.9·1.3 + 0.1·1 = 1.27.
  const auto at = path(options, 1, {2, 1});
  EXPECT_NEAR(at[0], 1 - 0.1 * 2 / std::sqrt(1.3), 1e-6);
  EXPECT_NEAR(at[1], at[0] - 0.1 / std::sqrt(1.27), 1e-6);
}

TEST(Optimiser, AdamTakesTheHandComputedSteps) {
  OptimiserOptions options;
  options.optimiser = OptimiserKind::kAdam;
  options.learning_rate = 0.1;
  // The first unbiased step is η·sign(g). Second: m = 0.9·0.2 + 0.1 = 0.28, s = 0.999·0.004 +
  // 0.001.
  const auto at = path(options, 1, {2, 1});
  EXPECT_NEAR(at[0], 0.9, 1e-6);
  const double m = 0.28 / (1 - 0.81), s = 0.004996 / (1 - 0.998001);
  EXPECT_NEAR(at[1], 0.9 - 0.1 * m / std::sqrt(s), 1e-5);
}

TEST(Optimiser, DecaysWeightsClipsGradientsAndLowersItsRate) {
  OptimiserOptions options;
  options.learning_rate = 1;
  options.momentum = 0;
  options.weight_decay = 0.5;
  EXPECT_NEAR(path(options, 2, {0})[0], 1, 1e-6);
  options.weight_decay = 0;
  options.gradient_clip = 3;
  EXPECT_NEAR(path(options, 0, {10})[0], -3, 1e-6);
  EXPECT_NEAR(path(options, 0, {2})[0], -2, 1e-6);
  options.rate_decay = 1;
  const auto at = path(options, 0, {1, 1, 1});
  EXPECT_NEAR(at[2], -(1 + 1.0 / 2 + 1.0 / 3), 1e-6);
}

TEST(Optimiser, ContinuesAfterSaveAndLoadAsIfNothingHadHappened) {
  for (const auto kind : {OptimiserKind::kSgd, OptimiserKind::kRmsprop, OptimiserKind::kAdam}) {
    OptimiserOptions options;
    options.optimiser = kind;
    options.rate_decay = 0.1;
    Optimiser one(options, 3);
    Vector<float> p = Vector<float>::Ones(3), g(3);
    g << 1, -2, 0.5f;
    one.step(p, g);
    ArchiveWriter out;
    one.save(out);
    Optimiser two(options, 3);
    two.load(ArchiveReader(out.finish(), "test"));
    Vector<float> q = p, h = g;
    one.step(p, g);
    two.step(q, h);
    EXPECT_EQ(p, q) << to_word(kind);
  }
}

TEST(Optimiser, ForgetsItsMomentsAndGoesOnWithItsRate) {
  OptimiserOptions options;
  options.optimiser = OptimiserKind::kSgd;
  options.learning_rate = 1;
  options.momentum = 0.5;
  options.rate_decay = 1;
  Optimiser optimiser(options, 1);
  Vector<float> p = Vector<float>::Zero(1), g = Vector<float>::Ones(1);
  optimiser.step(p, g);
  EXPECT_FLOAT_EQ(p[0], -1);
  optimiser.forget();
  g.setOnes();
  optimiser.step(p, g);  // rate 1/2, momentum 0
  EXPECT_FLOAT_EQ(p[0], -1.5f);
}

}  // namespace
}  // namespace bandolier::optimiser_test
