// Many rewards at once, where an agent's inputs or actions are of a kind of their own, and what a
// batch allocates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "bandolier/agent/registry.h"
#include "testing/allocations.h"
#include "testing/errors.h"

namespace bandolier::observe_batch_test {
namespace {

constexpr Index kFeatures = 6, kActions = 4;
const ProblemShape kTable{.features = kFeatures, .actions = kActions};
constexpr Index kSide = 12, kPixels = kSide * kSide;
const ProblemShape kImages{.features = kPixels, .actions = 2, .image = {kSide, kSide, 1}};

// Contexts with actions and rewards, kept alive. A picture has a bright row or column.
struct Rewards {
  Rewards(const ProblemShape& shape, Index count) : x(count, shape.features) {
    Random random({.seed = 5});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    const bool pictures = shape.image.size() > 0;
    for (Index t = 0; t < count; ++t) {
      float value = x(t, 0);
      if (pictures) {
        value = t % 2 == 0 ? 1.0f : -1.0f;
        x.row(t) *= 0.05f;
        const Index at = t * 5 % kSide;
        for (Index i = 0; i < kSide; ++i) x(t, t % 2 == 0 ? at * kSide + i : i * kSide + at) += 1;
      }
      const Index action = (t / 3 + t) % shape.actions;
      const std::span<const float> row(x.row(t).data(), static_cast<std::size_t>(shape.features));
      list.push_back({{Features::dense(row), shape.actions, {}, {}},
                      action,
                      value * static_cast<float>(action - 1) + 0.1f * x(t, 2)});
    }
  }
  std::span<const Feedback> from(std::size_t first) const { return std::span(list).subspan(first); }
  Matrix<float> x;
  std::vector<Feedback> list;
};

std::unique_ptr<Agent> make(const std::string& spec, const ProblemShape& shape,
                            std::span<const Feedback> first) {
  auto agent = make_agent(spec, shape);
  std::vector<Experience> warm_up;
  for (const auto& [context, action, reward, ticket, weight] : first) {
    warm_up.push_back({context, action, reward});
  }
  Random random({.seed = 6});
  agent->warm_up(warm_up, random);
  return agent;
}

class Batches : public ::testing::TestWithParam<std::string> {};

TEST_P(Batches, AllocateNothingOnceWarm) {
  const bool images = GetParam().find("patches") != std::string::npos;
  const ProblemShape& shape = images ? kImages : kTable;
  const Rewards rewards(shape, 1000);
  const auto agent = make(GetParam(), shape, std::span(rewards.list).first(40));
  const auto scratch = agent->make_scratch();
  Random random({.seed = 7});
  // Small batches and large ones: both have memory of their own. (A challenger that begins from
  // another leader's prior copies it.)
  for (std::size_t t = 40, size = 5; t + size <= rewards.list.size(); t += size) {
    if (t == 200) size = 40;
    const std::int64_t before = testing::allocations();
    EXPECT_EQ(agent->observe_batch(rewards.from(t).first(size), random, *scratch), 0u);
    if (t >= 600) {
      EXPECT_EQ(testing::allocations(), before) << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Agents, Batches,
                         ::testing::Values("linear", "auto:challenger=0", "auto:inputs=patches",
                                           "linear:inputs=patches", "linear:noise_variance=1"),
                         [](const auto& agent) {
                           std::string name = agent.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); },
                               '_');
                           return name;
                         });

// Of all actions for a context that was not learnt from.
std::vector<float> scores(const Agent& agent, const Context& context) {
  const auto scratch = agent.make_scratch();
  Random random({.seed = 8});
  const auto scores = agent.decide(context, random, *scratch).scores;
  return {scores.begin(), scores.end()};
}

TEST(ObserveBatch, OfImagesIsWhatTheyAreOneAfterTheOther) {
  const Rewards rewards(kImages, 260);
  for (const std::string spec : {"auto", "linear:inputs=patches"}) {
    const auto singly = make(spec, kImages, std::span(rewards.list).first(40));
    const auto together = singly->clone();
    const auto scratch = singly->make_scratch();
    Random random({.seed = 7});
    for (const Feedback& one : rewards.from(40).first(200)) singly->observe(one, random, *scratch);
    together->observe_batch(rewards.from(40).first(200), random, *scratch);
    for (const Feedback& one : rewards.from(240)) {
      const auto expected = scores(*singly, one.context), found = scores(*together, one.context);
      for (std::size_t a = 0; a < found.size(); ++a) {
        EXPECT_NEAR(found[a], expected[a], 2e-3f * (1 + std::abs(expected[a]))) << spec;
      }
    }
  }
}

TEST(ObserveBatch, WhatALearningBodyOrAJointBeliefLearnsIsTheSameToTheBit) {
  const Rewards rewards(kTable, 80);
  for (const std::string spec : {"auto:body=subspace", "auto:forgetting=0.99",
                                 "auto:body=subspace,joint=true", "auto:head_covariance=diag"}) {
    const auto singly = make(spec, kTable, std::span(rewards.list).first(40));
    const auto together = singly->clone();
    const auto scratch = singly->make_scratch();
    Random random({.seed = 7});
    for (const Feedback& one : rewards.from(40)) singly->observe(one, random, *scratch);
    together->observe_batch(rewards.from(40), random, *scratch);
    EXPECT_TRUE(save_agent(*singly) == save_agent(*together)) << spec;
  }
}

TEST(ObserveBatch, OutliersThatNoUnitExplainsAreCountedAndLeaveNoTrace) {
  const Rewards rewards(kTable, 200);
  for (const std::string spec : {"auto", "linear"}) {
    const auto tried = make(spec, kTable, std::span(rewards.list).first(40));
    const auto spared = tried->clone();
    const auto scratch = tried->make_scratch();
    Random random({.seed = 7});
    std::vector<Feedback> with(rewards.from(40).begin(), rewards.from(40).end());
    for (const std::ptrdiff_t at : {90, 41, 3}) {
      Feedback wrong = with.front();
      wrong.reward = 1e30f;
      with.insert(with.begin() + at, wrong);
    }
    EXPECT_EQ(tried->observe_batch(with, random, *scratch), 3u) << spec;
    EXPECT_EQ(spared->observe_batch(rewards.from(40), random, *scratch), 0u) << spec;
    EXPECT_EQ(tried->report().steps, spared->report().steps);
    const auto expected = scores(*spared, rewards.list.front().context);
    const auto found = scores(*tried, rewards.list.front().context);
    for (std::size_t a = 0; a < found.size(); ++a) {
      EXPECT_NEAR(found[a], expected[a], 1e-3f * (1 + std::abs(expected[a]))) << spec;
    }
  }
}

TEST(ObserveBatch, ARewardThatTheLikelihoodCannotGiveIsNamedBeforeAnyIsLearnt) {
  const Rewards rewards(kTable, 60);
  std::vector<Feedback> coins = rewards.list;
  for (Feedback& one : coins) one.reward = one.reward > 0 ? 1 : 0;
  const auto agent = make("auto:likelihood=bernoulli", kTable, std::span(coins).first(40));
  coins[45].reward = 0.5f;
  const auto scratch = agent->make_scratch();
  Random random({.seed = 7});
  const std::string said = testing::error_of(
      [&] { agent->observe_batch(std::span(coins).subspan(40), random, *scratch); });
  EXPECT_EQ(said.find("reward 5 of a batch of 20: "), 0u) << said;
  EXPECT_EQ(agent->report().steps, 40);
}

}  // namespace
}  // namespace bandolier::observe_batch_test
