#include "bandolier/agent/linear.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::linear_test {
namespace {

const ProblemShape kShape{.features = 3, .actions = 2};

std::unique_ptr<Agent> make_linear(const std::string& options = "intercept=true") {
  auto agent = make_agent("linear:" + options, kShape);
  Random random({.seed = 1});
  agent->warm_up({}, random);
  return agent;
}

// Feeds action 0 the reward 1 + 2 x₀ and action 1 the reward −1, without noise.
void teach(Agent& agent, int steps) {
  Random random({.seed = 4});
  auto scratch = agent.make_scratch();
  std::vector<float> x(3);
  for (int i = 0; i < steps; ++i) {
    for (auto& value : x) value = static_cast<float>(random.normal());
    const Index action = i % 2;
    agent.observe({{Features::dense(x), 2, {}, {}}, action, action == 0 ? 1 + 2 * x[0] : -1},
                  random, *scratch);
  }
}

std::vector<float> scores_at(const Agent& agent, const Context& context) {
  auto scratch = agent.make_scratch();
  Random random({.seed = 9});
  const auto scores = agent.choose(context, random, *scratch).scores;
  return {scores.begin(), scores.end()};
}

TEST(LinearAgent, LearnsWeightsAndInterceptOfEveryAction) {
  auto agent = make_linear("policy=greedy,noise_variance=0.01");
  teach(*agent, 400);
  const std::vector<float> x = {0.5f, 3, -1};
  const auto scores = scores_at(*agent, {Features::dense(x), 2, {}, {}});
  EXPECT_NEAR(scores[0], 2, 0.02);
  EXPECT_NEAR(scores[1], -1, 0.02);
}

TEST(LinearAgent, WithoutInterceptAConstantRewardIsNotLearnt) {
  auto agent = make_linear("policy=greedy,intercept=false");
  teach(*agent, 400);
  const std::vector<float> origin = {0, 0, 0};
  const auto scores = scores_at(*agent, {Features::dense(origin), 2, {}, {}});
  EXPECT_EQ(scores[0], 0);
  EXPECT_EQ(scores[1], 0);
}

TEST(LinearAgent, PriorDeviationIsRootOfNoiseTimesSquaredNormOverLambda) {
  // x = (2, 0, 0, 1): ‖x‖² = 5; Eσ² = 6/5, b0/5, or as given.
  const std::vector<float> x = {2, 0, 0};
  const Context context{Features::dense(x), 2, {}, {}};
  EXPECT_NEAR(scores_at(*make_linear("policy=ucb,lambda=0.5"), context)[0],
              std::sqrt(6.0 / 5 * 5 / 0.5), 1e-5);
  EXPECT_NEAR(scores_at(*make_linear("policy=ucb,lambda=0.5,b0=3"), context)[0],
              std::sqrt(3.0 / 5 * 5 / 0.5), 1e-5);
  EXPECT_NEAR(scores_at(*make_linear("policy=ucb,noise_variance=0.2,alpha=3"), context)[0],
              3 * std::sqrt(0.2 * 5 / 0.25), 1e-5);
}

TEST(LinearAgent, SparseContextsScoreAsDenseOnes) {
  auto agent = make_linear();
  teach(*agent, 50);
  const std::vector<float> dense = {0, -1.5f, 0}, value = {-1.5f};
  const std::vector<std::int32_t> index = {1};
  EXPECT_EQ(scores_at(*agent, {Features::dense(dense), 2, {}, {}}),
            scores_at(*agent, {{value, index, 3}, 2, {}, {}}));
}

// Of actions that change there is one regression, over (a, s, vec(a sᵀ), 1), with the same prior:
// that of a problem with one action whose context is all that.
TEST(LinearAgent, OfActionsThatChangeIsOneRegressionOverBothAndTheirProducts) {
  const ProblemShape shape{
      .features = 2, .actions = 2, .action_features = 1, .fixed_actions = false};
  auto changing = make_agent("linear:policy=greedy", shape);
  auto wide = make_agent("linear:policy=greedy", {.features = 5, .actions = 2});
  Random random({.seed = 4});
  changing->warm_up({}, random);
  wide->warm_up({}, random);
  auto scratch = changing->make_scratch(), wide_scratch = wide->make_scratch();
  for (int t = 0; t < 40; ++t) {
    const std::vector<float> s = {static_cast<float>(random.normal()),
                                  static_cast<float>(random.normal())};
    const std::vector<float> a = {static_cast<float>(random.normal()), 0.5f};
    const std::vector<float> x = {a[0], s[0], s[1], a[0] * s[0], a[0] * s[1]};
    // A new id each time: its own effect, of variance 0.3, is noise to the rest.
    const std::vector<std::int64_t> ids = {2 * t, 2 * t + 1};
    const Context context{Features::dense(s), 2, a, ids};
    const auto reward = static_cast<float>(1 + a[0] * s[1] + 0.1 * random.normal());
    changing->observe({context, 0, reward}, random, *scratch);
    wide->observe({{Features::dense(x), 2, {}, {}}, 0, reward}, random, *wide_scratch);
  }
  const std::vector<float> s = {0.3f, -1}, a = {2, 0.5f}, x = {2, 0.3f, -1, 0.6f, -2};
  const std::vector<std::int64_t> ids = {1000, 1001};
  const auto found = scores_at(*changing, {Features::dense(s), 2, a, ids});
  const auto expected = scores_at(*wide, {Features::dense(x), 2, {}, {}});
  EXPECT_NEAR(found[0], expected[0], 0.1);
  EXPECT_NEAR(found[0], 1 - 2, 0.2);
}

TEST(LinearAgent, RefusesARewardThatWouldMakeTheBeliefInfiniteAndSaysSo) {
  auto agent = make_linear("policy=greedy");
  teach(*agent, 20);
  const std::vector<float> x = {1e25f, 1e25f, 0}, probe = {1, 2, 3};
  const Context context{Features::dense(probe), 2, {}, {}};
  const auto before = scores_at(*agent, context);
  Random random({.seed = 1});
  auto scratch = agent->make_scratch();
  EXPECT_FALSE(agent->observe({{Features::dense(x), 2, {}, {}}, 0, 1}, random, *scratch));
  EXPECT_EQ(scores_at(*agent, context), before);
  ASSERT_EQ(agent->report().notes.size(), 1u);
  EXPECT_EQ(agent->report().steps, 20);
}

TEST(LinearAgent, ReportsItsSizes) {
  const auto report = make_linear()->report();
  EXPECT_EQ(report.parameters, 2 * 4);
  // Per action: μ (4), S (4 × 4) in float, (a, b) in double; a pull count.
  EXPECT_EQ(report.belief_bytes, 2 * (4 * 4 + 16 * 4 + 2 * 8 + 8));
  EXPECT_FALSE(report.subspace_dim.has_value());
}

}  // namespace
}  // namespace bandolier::linear_test
