// What the agents that serve actions which come and go, without being told how, promise of them.
#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/agent/registry.h"
#include "testing/allocations.h"
#include "testing/errors.h"

namespace bandolier::changing_actions_test {
namespace {

constexpr Index kFeatures = 3, kOfAction = 2, kCandidates = 5;
const ProblemShape kShape{.features = kFeatures,
                          .actions = kCandidates,
                          .action_features = kOfAction,
                          .fixed_actions = false};

// A menu of up to five actions, new at each step; the reward of one with features a is
// s₀a₀ + s₁a₁ + worth(id) + 0.1·noise, worth(id) = 1 for one id in ten and else 0.
class Menus {
 public:
  explicit Menus(std::int64_t ids = 1'000'000'000) : ids_(ids) {}

  Context at(Index t) {
    Random random({.seed = 21, .step = static_cast<std::uint32_t>(t)});
    state_.resize(kFeatures);
    const Index actions = 2 + t % (kCandidates - 1);
    features_.resize(actions * kOfAction);
    random.fill_normal(state_);
    random.fill_normal(features_);
    names_.clear();
    while (static_cast<Index>(names_.size()) < actions) {
      const auto id = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(ids_)));
      if (std::find(names_.begin(), names_.end(), id) == names_.end()) names_.push_back(id);
    }
    return {Features::dense({state_.data(), static_cast<std::size_t>(kFeatures)}),
            actions,
            {features_.data(), static_cast<std::size_t>(features_.size())},
            names_};
  }
  float expected(Index a) const {
    return state_[0] * features_[2 * a] + state_[1] * features_[2 * a + 1] + worth(a);
  }
  float worth(Index a) const { return names_[static_cast<std::size_t>(a)] % 10 == 0 ? 1 : 0; }
  float reward(Index t, Index a) const {
    Random random({.seed = 22, .step = static_cast<std::uint32_t>(t)});
    return expected(a) +
           0.1f * static_cast<float>(random.fork(static_cast<std::uint32_t>(a)).normal());
  }

 private:
  std::int64_t ids_;
  Vector<float> state_, features_;
  std::vector<std::int64_t> names_;
};

Random stream(Purpose purpose, Index t) {
  return Random({.seed = 23, .purpose = purpose, .step = static_cast<std::uint32_t>(t)});
}

struct Earned {
  std::vector<Index> actions;
  double share = 0;  // of the way from uniform to the best, over the last half
};

Earned play(Agent& agent, Menus& menus, Index begin, Index end, bool probabilities = false) {
  Earned earned;
  double won = 0, uniform = 0, best = 0;
  const auto scratch = agent.make_scratch();
  for (Index t = begin; t < end; ++t) {
    const Context context = menus.at(t);
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const Decision decision = probabilities ? agent.decide(context, choose, *scratch)
                                            : agent.choose(context, choose, *scratch);
    earned.actions.push_back(decision.action);
    if (t >= (begin + end) / 2) {
      double sum = 0, most = -1e9;
      for (Index a = 0; a < context.actions; ++a) {
        sum += static_cast<double>(menus.expected(a));
        most = std::max(most, static_cast<double>(menus.expected(a)));
      }
      won += static_cast<double>(menus.expected(decision.action));
      uniform += sum / static_cast<double>(context.actions);
      best += most;
    }
    agent.observe({context, decision.action, menus.reward(t, decision.action), decision.ticket},
                  observe, *scratch);
  }
  earned.share = (won - uniform) / (best - uniform);
  return earned;
}

class ChangingActions : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Agent> make() const {
    auto agent = make_agent(GetParam(), kShape);
    Random random = stream(Purpose::kWarmUp, 0);
    agent->warm_up({}, random);
    return agent;
  }
};

TEST_P(ChangingActions, AreLearntWithoutOptionsAndWithoutAWarmUp) {
  for (const bool probabilities : {false, true}) {
    auto agent = make();
    Menus menus;
    EXPECT_GT(play(*agent, menus, 0, 600, probabilities).share, 0.7) << probabilities;
  }
}

// Forty ids, seen again and again, four of which are worth 1 more than their features say.
TEST_P(ChangingActions, WhatAnIdTeachesCountsBesideItsFeatures) {
  Menus menus(40);
  auto agent = make();
  play(*agent, menus, 0, 600);
  auto scratch = agent->make_scratch();
  double with = 0, without = 0;
  const std::vector<float> state = {0, 0, 0}, features = {0, 0, 0, 0};
  for (std::int64_t id = 0; id < 40; id += 10) {
    const std::vector<std::int64_t> ids = {id, id + 1};
    const Context context{Features::dense(state), 2, features, ids};
    for (Index t = 0; t < 200; ++t) {
      Random random = stream(Purpose::kTest, t);
      const Decision decision = agent->choose(context, random, *scratch);
      with += static_cast<double>(decision.scores[0]) / 800;
      without += static_cast<double>(decision.scores[1]) / 800;
    }
  }
  EXPECT_GT(with - without, 0.5);
}

// Five contexts and five actions, each a word of its own: what is good for one says nothing of the
// next. An agent that stops trying too soon stays where it began.
TEST_P(ChangingActions, WordsThatShareNothingAreAllTried) {
  const ProblemShape shape{
      .features = 5, .actions = 20, .action_features = 5, .fixed_actions = false};
  double earned = 0;
  constexpr int kSeeds = 4, kSteps = 800;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    auto agent = make_agent(GetParam(), shape);
    Random random({.seed = 50 + seed});
    agent->warm_up({}, random);
    auto scratch = agent->make_scratch();
    const std::vector<std::int64_t> ids = {0, 1, 2, 3, 4};
    std::vector<float> actions(25);
    for (std::size_t a = 0; a < 5; ++a) actions[6 * a] = 1;
    for (int t = 0; t < kSteps; ++t) {
      std::vector<float> state(5);
      const std::uint64_t word = random.below(5);
      state[word] = 1;
      const Context context{Features::dense(state), 5, actions, ids};
      const Decision decision = agent->choose(context, random, *scratch);
      const bool right = static_cast<std::uint64_t>(decision.action) == (3 * word + 1) % 5;
      if (t >= kSteps / 2) earned += right ? 1 : 0;
      const float reward = random.uniform() < (right ? 0.8 : 0.2) ? 1.0f : 0.0f;
      agent->observe({context, decision.action, reward, decision.ticket}, random, *scratch);
    }
  }
  EXPECT_GT(earned / (kSeeds * kSteps / 2), 0.7);
}

TEST_P(ChangingActions, AnIdNeverSeenScoresAsAnyOtherThatIsNew) {
  Menus menus(40);
  auto agent = make_agent(GetParam() + ":policy=greedy", kShape);
  Random random = stream(Purpose::kWarmUp, 0);
  agent->warm_up({}, random);
  play(*agent, menus, 0, 400);
  auto scratch = agent->make_scratch();
  const std::vector<float> state = {1, 0.5f, 0}, features = {1, 2, 1, 2, 1, 2};
  const std::vector<std::int64_t> ids = {1'000'003, -5, 77'000'000'000'000};
  const auto scores =
      agent->choose({Features::dense(state), 3, features, ids}, random, *scratch).scores;
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_EQ(scores[0], scores[2]);
}

TEST_P(ChangingActions, SavedAndLoadedTheAgentGoesOnAsItWas) {
  Menus menus(40);
  auto agent = make();
  play(*agent, menus, 0, 150);
  auto loaded = load_agent(save_agent(*agent), "saved");
  EXPECT_EQ(play(*loaded, menus, 150, 350).actions, play(*agent, menus, 150, 350).actions);
}

TEST_P(ChangingActions, MemoryStaysTheSameHoweverManyIdsThereAre) {
  Menus menus;
  auto agent = make();
  play(*agent, menus, 0, 40);  // the first 32 may be kept until there are as many
  const std::size_t before = agent->report().belief_bytes;
  play(*agent, menus, 40, 300);
  EXPECT_EQ(agent->report().belief_bytes, before);
}

TEST_P(ChangingActions, AreChosenAndLearntFromWithoutAllocation) {
  Menus menus;
  auto agent = make();
  const auto scratch = agent->make_scratch();
  for (Index t = 0; t < 400; ++t) {
    const Context context = menus.at(t);
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const std::int64_t before = testing::allocations();
    const Decision decision = agent->choose(context, choose, *scratch);
    agent->observe({context, decision.action, menus.reward(t, decision.action), decision.ticket},
                   observe, *scratch);
    if (t >= 380) {
      EXPECT_EQ(testing::allocations(), before) << "step " << t;
    }
  }
}

TEST_P(ChangingActions, AnIdTwiceInOneDecisionIsRefusedAndNothingIsLearnt) {
  auto agent = make();
  auto scratch = agent->make_scratch();
  Random random = stream(Purpose::kChoose, 0);
  const std::vector<float> state = {1, 0, 0}, features = {1, 2, 1, 2, 1, 2};
  const std::vector<std::int64_t> ids = {4, 9, 4};
  const Context context{Features::dense(state), 3, features, ids};
  EXPECT_EQ(testing::error_of([&] { agent->choose(context, random, *scratch); }),
            "actions 0 and 2 of the context have the same id, 4: expected each action once");
  EXPECT_THROW(agent->observe({context, 0, 1}, random, *scratch), Error);
  EXPECT_EQ(agent->report().steps, 0);
}

INSTANTIATE_TEST_SUITE_P(Agents, ChangingActions,
                         ::testing::Values("auto", "linear", "subspace-ekf"),
                         [](const auto& agent) {
                           return agent.param == "subspace-ekf" ? "subspace_ekf" : agent.param;
                         });

TEST(ChangingActions, OfMoreThanAThousandAreRefused) {
  EXPECT_NE(testing::error_of([] {
              make_agent("auto", {.features = 2, .actions = 1001, .fixed_actions = false});
            }).find("expected at most 1000"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::changing_actions_test
