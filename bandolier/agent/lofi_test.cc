#include "bandolier/agent/lofi.h"

#include <gtest/gtest.h>

#include "testing/errors.h"

namespace bandolier::lofi_test {
namespace {

const ProblemShape kShape{.features = 3, .actions = 2};
constexpr int kSteps = 150;

// The scores of every step while an agent plays a problem with a kink.
Matrix<float> scores_of(const std::string& spec) {
  auto agent = make_agent(spec, kShape);
  Random warm({.seed = 1, .purpose = Purpose::kWarmUp}), world({.seed = 2});
  agent->warm_up({}, warm);
  auto scratch = agent->make_scratch();
  Matrix<float> scores(kSteps, kShape.actions);
  Vector<float> x(kShape.features);
  for (int t = 0; t < kSteps; ++t) {
    world.fill_normal(x);
    const Context context{Features::dense({x.data(), 3}), kShape.actions, {}, {}};
    Random random({.seed = 3, .purpose = Purpose::kChoose, .step = static_cast<std::uint32_t>(t)});
    const Decision decision = agent->choose(context, random, *scratch);
    for (Index a = 0; a < kShape.actions; ++a) {
      scores(t, a) = decision.scores[static_cast<std::size_t>(a)];
    }
    const Index action = t % 2;  // the same for all, so that all learn from the same
    const float reward = action == 0 ? std::abs(x[0]) : x[1] - 0.5f;
    agent->observe({context, action, reward, decision.ticket}, random, *scratch);
  }
  return scores;
}

TEST(Lofi, WithRoomForEveryDirectionScoresAsTheFullFilterTo1e3) {
  // 3-4-2: 26 weights.
  const auto full = scores_of("ekf:model=mlp:4,policy=ucb,noise_variance=0.1,prior_variance=0.3");
  const auto low =
      scores_of("lofi:model=mlp:4,policy=ucb,noise_variance=0.1,prior_variance=0.3,rank=26");
  EXPECT_LT((full - low).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_GT((full.row(kSteps - 1) - full.row(0)).norm(), 0.01);
}

TEST(Lofi, ASmallRankIsAnApproximationThatStaysNear) {
  const auto full = scores_of("ekf:model=mlp:4,policy=greedy");
  const auto low = scores_of("lofi:model=mlp:4,policy=greedy,rank=8");
  const float difference = (full - low).norm() / full.norm();
  EXPECT_LT(difference, 0.3f);
  EXPECT_GT(difference, 0);
}

TEST(Lofi, IsEkfWithALowRankPrecision) {
  EXPECT_EQ(scores_of("lofi:model=mlp:4,rank=5"),
            scores_of("ekf:model=mlp:4,covariance=low-rank,prior_limit=1,rank=5"));
}

TEST(Lofi, MemoryIsLinearInTheNumberOfWeights) {
  const auto bytes = [](const std::string& spec) {
    auto agent = make_agent(spec, kShape);
    Random random({.seed = 1});
    agent->warm_up({}, random);
    return agent->report().belief_bytes;
  };
  // 6 weights a unit, and (2 rank + 3) floats a weight.
  EXPECT_EQ(bytes("lofi:model=mlp:200") - bytes("lofi:model=mlp:100"), 100u * 6 * 23 * 4);
}

double prior_variance(const std::string& options) {
  auto agent = make_agent("lofi:model=mlp:4," + options, kShape);
  Random random({.seed = 1});
  agent->warm_up({}, random);
  return agent->report().signals.at("prior_variance");
}

TEST(Lofi, PriorVarianceIsTheSmallerOfThePredictivesAndTheLimitTimesTheMeanSquareOfTheWeights) {
  const double asked = prior_variance("prior_limit=0");
  EXPECT_EQ(prior_variance("prior_limit=1e6"), asked);
  const double limited = prior_variance("prior_limit=0.001");
  EXPECT_LT(limited, asked);
  EXPECT_NEAR(prior_variance("prior_limit=0.002"), 2 * limited, 1e-9);
  // P is in units of an inferred noise variance, whose guess is 0.3 / (3 − 1).
  EXPECT_NEAR(prior_variance("prior_limit=0.001,noise_variance=0.1"), 0.15 * limited, 1e-9);
  EXPECT_EQ(prior_variance("prior_limit=0.001,prior_variance=0.3"), 2);
}

// Images of 12 × 12: four classes, each a pattern of its own under noise. Without the limit the
// prior is so much wider than the network's first weights that early steps leave units which no
// image activates: of 200 images at the end these two trials then win 85, where chance wins 50.
TEST(Lofi, LearnsToTellImagesApartWithAConvolutionalNetwork) {
  constexpr Index kSide = 12, kPixels = kSide * kSide, kClasses = 4, kImages = 700;
  const ProblemShape shape{.features = kPixels, .actions = kClasses, .image = {kSide, kSide, 1}};
  for (const std::uint64_t trial : {4u, 6u}) {
    Random world({.seed = trial});
    Vector<float> patterns(kClasses * kPixels), x(kPixels);
    world.fill_normal(patterns);
    auto agent = make_agent("lofi:model=lenet5", shape);
    Random warm({.seed = trial, .purpose = Purpose::kWarmUp});
    agent->warm_up({}, warm);
    auto scratch = agent->make_scratch();
    int won = 0;
    for (Index t = 0; t < kImages; ++t) {
      const auto label = static_cast<Index>(world.below(kClasses));
      world.fill_normal(x);
      x = 0.2f * (patterns.segment(label * kPixels, kPixels).cwiseMax(0) + 0.1f * x);
      const Context context{Features::dense({x.data(), kPixels}), kClasses, {}, {}};
      Random random(
          {.seed = trial, .purpose = Purpose::kChoose, .step = static_cast<std::uint32_t>(t)});
      const Decision decision = agent->choose(context, random, *scratch);
      const bool right = decision.action == label;
      agent->observe({context, decision.action, right ? 1.0f : 0.0f, decision.ticket}, random,
                     *scratch);
      if (t >= kImages - 100 && right) ++won;
    }
    EXPECT_GT(won, 90) << trial;
  }
}

TEST(Lofi, RefusesAnotherCovarianceAndARankBelowOne) {
  EXPECT_EQ(testing::error_of([] { make_agent("lofi:rank=0", kShape); }),
            "agent 'lofi': rank=0: expected a whole number >= 1");
  EXPECT_THROW(make_agent("lofi:covariance=full", kShape), Error);
}

TEST(Lofi, RefusesARankAboveTheNumberOfWeightsBeforeAnythingRuns) {
  EXPECT_NO_THROW(make_agent("lofi:model=mlp:4,rank=26", kShape));
  EXPECT_EQ(testing::error_of([] { make_agent("lofi:model=mlp:4,rank=27", kShape); }),
            "rank=27: expected at most 26, the dimensions of the belief");
}

}  // namespace
}  // namespace bandolier::lofi_test
