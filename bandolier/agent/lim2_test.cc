#include "bandolier/agent/lim2.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::lim2_test {
namespace {

const ProblemShape kShape{.features = 3, .actions = 2};

struct Stream {
  Matrix<float> x = Matrix<float>(400, 3);
  Stream() {
    Random random({.seed = 6});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
  }
  Context context(Index t) const { return {Features::dense({x.data() + 3 * t, 3}), 2, {}, {}}; }
  // Feeds rows [begin, end), action a, reward x·w_a.
  void feed(Agent& agent, Index begin, Index end) const {
    auto scratch = agent.make_scratch();
    for (Index t = begin; t < end; ++t) {
      Random random({.seed = 7, .step = static_cast<std::uint32_t>(t)});
      agent.observe({context(t), t % 2, x(t, t % 2)}, random, *scratch);
    }
  }
};

std::unique_ptr<Agent> start(const std::string& spec) {
  auto agent = make_agent(spec, kShape);
  Random random({.seed = 8});
  agent->warm_up({}, random);
  return agent;
}

std::vector<float> means(const Agent& agent, const Context& context) {
  auto scratch = agent.make_scratch();
  Random random({.seed = 1});
  const auto scores = agent.choose(context, random, *scratch).scores;
  return {scores.begin(), scores.end()};
}

TEST(Lim2, KeepsWhatForgottenRowsTaught) {
  // Memory for 20 rows; 300 rows of both actions, then 60 of action 1 alone: action 0's rows are
  // all forgotten, and its head's prior mean, the network's last layer, still predicts it.
  const Stream stream;
  auto agent = start("lim2:policy=greedy,memory_per_action=10,fifo=shared");
  stream.feed(*agent, 0, 300);
  auto scratch = agent->make_scratch();
  for (Index t = 300; t < 360; ++t) {
    Random random({.seed = 7, .step = static_cast<std::uint32_t>(t)});
    agent->observe({stream.context(t), 1, stream.x(t, 1)}, random, *scratch);
  }
  double error = 0, spread = 0;
  for (Index t = 360; t < 400; ++t) {
    const auto reward = static_cast<double>(stream.x(t, 0));
    error += std::pow(static_cast<double>(means(*agent, stream.context(t))[0]) - reward, 2);
    spread += reward * reward;
  }
  EXPECT_LT(error, 0.25 * spread);
}

TEST(Lim2, WithoutFeaturesThatChangeIsBayesianRegressionOnTheLastRows) {
  // Algorithms 4 and 5, and a step too small to move the network: Σ₀ stays at I/λ, and with a
  // memory that holds all rows the heads' means agree with neural-linear's, whose prior mean is 0,
  // once data outweigh the prior.
  const Stream stream;
  auto lim2 = start(
      "lim2:matching=prior,policy=greedy,lambda=0.01,learning_rate=1e-12,memory_per_action=200");
  auto linear =
      start("neural-linear:policy=greedy,lambda=0.01,learning_rate=1e-12,update_every=400");
  stream.feed(*lim2, 0, 400);
  stream.feed(*linear, 0, 400);
  for (Index t = 0; t < 20; ++t) {
    const auto one = means(*lim2, stream.context(t)), other = means(*linear, stream.context(t));
    for (std::size_t a = 0; a < 2; ++a) EXPECT_NEAR(one[a], other[a], 0.03);
  }
}

TEST(Lim2, WhatIsForgottenAndWhatIsMatchedChangeWhatIsLearnt) {
  const Stream stream;
  auto authors = start("lim2:model=mlp:8,policy=ucb,memory_per_action=10");
  auto shared = start("lim2:model=mlp:8,policy=ucb,memory_per_action=10,fifo=shared");
  auto prior = start("lim2:model=mlp:8,policy=ucb,memory_per_action=10,matching=prior");
  for (Agent* agent : {authors.get(), shared.get(), prior.get()}) {
    stream.feed(*agent, 0, 31);
    auto scratch = agent->make_scratch();
    for (Index t = 31; t < 51; ++t) {  // action 1 alone
      Random random({.seed = 7, .step = static_cast<std::uint32_t>(t)});
      agent->observe({stream.context(t), 1, stream.x(t, 1)}, random, *scratch);
    }
  }
  const auto expected = means(*authors, stream.context(100));
  EXPECT_NE(means(*shared, stream.context(100)), expected);
  EXPECT_NE(means(*prior, stream.context(100)), expected);
}

TEST(Lim2, BytesAreAFlatLine) {
  const Stream stream;
  auto agent = start("lim2");
  const std::size_t before = agent->report().belief_bytes;
  stream.feed(*agent, 0, 300);
  EXPECT_EQ(agent->report().belief_bytes, before);
}

}  // namespace
}  // namespace bandolier::lim2_test
