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
            scores_of("ekf:model=mlp:4,covariance=low-rank,rank=5"));
}

TEST(Lofi, MemoryIsLinearInTheNumberOfWeights) {
  const auto bytes = [](const std::string& spec) {
    auto agent = make_agent(spec, kShape);
    Random random({.seed = 1});
    agent->warm_up({}, random);
    return agent->report().belief_bytes;
  };
  // 6 weights a unit, and (rank + 3) floats a weight.
  EXPECT_EQ(bytes("lofi:model=mlp:200") - bytes("lofi:model=mlp:100"), 100u * 6 * 13 * 4);
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
