#include "bandolier/agent/neural_linear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bandolier/agent/neural_greedy.h"
#include "bandolier/core/error.h"

namespace bandolier::neural_linear_test {
namespace {

const ProblemShape kShape{.features = 2, .actions = 2};

// Rewards |x₀| − 0.8 and 0.8 − |x₀|: no linear model of x tells which is larger.
class Problem {
 public:
  explicit Problem(Index steps) : x_(static_cast<std::size_t>(steps)) {
    Random random({.seed = 9});
    for (auto& x : x_)
      x = {static_cast<float>(random.normal()), static_cast<float>(random.normal())};
  }
  Context context(Index t) const {
    return {Features::dense(x_[static_cast<std::size_t>(t)]), 2, {}, {}};
  }
  float reward(Index t, Index action) const {
    const auto& x = x_[static_cast<std::size_t>(t)];
    return action == 0 ? std::abs(x[0]) - 0.8f : 0.8f - std::abs(x[0]);
  }

 private:
  std::vector<std::vector<float>> x_;
};

// Plays steps [0, steps) after a warm-up of four pulls; the regret of the last `counted`.
double regret(Agent& agent, Index steps, Index counted) {
  const Problem problem(steps);
  std::vector<Experience> experience;
  for (Index t = 0; t < 4; ++t)
    experience.push_back({problem.context(t), t % 2, problem.reward(t, t % 2)});
  Random warm_up({.seed = 2, .purpose = Purpose::kWarmUp});
  agent.warm_up(experience, warm_up);
  auto scratch = agent.make_scratch();
  double sum = 0;
  for (Index t = 4; t < steps; ++t) {
    Random random({.seed = 2, .purpose = Purpose::kChoose, .step = static_cast<std::uint32_t>(t)});
    const Context context = problem.context(t);
    const Index action = agent.choose(context, random, *scratch).action;
    agent.observe({context, action, problem.reward(t, action)}, random, *scratch);
    if (t >= steps - counted) {
      sum += std::max(problem.reward(t, 0), problem.reward(t, 1)) - problem.reward(t, action);
    }
  }
  return sum / static_cast<double>(counted);
}

TEST(StoredDataAgents, LearnAProblemThatNoLinearModelDoes) {
  EXPECT_GT(regret(*make_agent("linear", kShape), 600, 200), 0.2);
  EXPECT_LT(regret(*make_agent("neural-linear", kShape), 600, 200), 0.1);
  EXPECT_LT(regret(*make_agent("neural-greedy:epsilon=0.02", kShape), 600, 200), 0.1);
  EXPECT_LT(regret(*make_agent("lim2", kShape), 600, 200), 0.1);
}

TEST(StoredDataAgents, LimitedMemoryIsAFlatLineAndUnlimitedGrowsByARow) {
  for (const std::string name : {"neural-greedy", "neural-linear", "neural-ts"}) {
    auto limited = make_agent(name + ":memory=50,max_steps=1", kShape);
    auto unlimited = make_agent(name + ":max_steps=1", kShape);
    regret(*limited, 60, 1);
    regret(*unlimited, 60, 1);
    const std::size_t flat = limited->report().belief_bytes,
                      at_60 = unlimited->report().belief_bytes;
    auto longer = make_agent(name + ":memory=50,max_steps=1", kShape);
    auto growing = make_agent(name + ":max_steps=1", kShape);
    regret(*longer, 160, 1);
    regret(*growing, 160, 1);
    EXPECT_EQ(longer->report().belief_bytes, flat) << name;
    // 2 features and a reward in 4 bytes, the output (and the block) in 8.
    EXPECT_EQ(growing->report().belief_bytes - at_60, 100u * (name == "neural-ts" ? 28 : 20))
        << name;
  }
}

TEST(StoredDataAgents, AMinibatchLargerThanTheMemoryIsTheWholeMemory) {
  auto agent = make_agent("neural-linear:memory=10,batch_size=512,update_every=10", kShape);
  EXPECT_TRUE(std::isfinite(regret(*agent, 50, 10)));
  EXPECT_TRUE(agent->report().notes.empty());
}

TEST(StoredDataAgents, ADivergingLearningRateIsReportedOnceAndTheAgentGoesOn) {
  for (const std::string name :
       {"neural-greedy:update_every=5,", "neural-linear:update_every=5,",
        "neural-ts:update_every=5,", "neural-ucb:update_every=5,", "lim2:"}) {
    auto agent = make_agent(
        name + "model=mlp:8,optimiser=sgd,learning_rate=1e9,momentum=0,gradient_clip=0", kShape);
    EXPECT_TRUE(std::isfinite(regret(*agent, 60, 10)));
    const auto notes = agent->report().notes;
    EXPECT_EQ(std::count_if(notes.begin(), notes.end(),
                            [](const Note& note) { return note.kind == "trainings-diverged"; }),
              1)
        << name;
  }
}

// The first step, of length 1e30, ruins the weights; all later ones are of length 0: trainings
// diverge once, and never after the weights have been put back.
TEST(StoredDataAgents, OneDivergedTrainingDoesNotSpoilTheLaterOnes) {
  const std::string rates = "learning_rate=1e30,rate_decay=1e60,optimiser=sgd,gradient_clip=0";
  auto agent = make_agent("lim2:" + rates, kShape);
  EXPECT_TRUE(std::isfinite(regret(*agent, 60, 10)));
  EXPECT_TRUE(agent->report().notes.at(0).to_text().starts_with("1 trainings diverged"))
      << agent->report().notes.at(0).to_text();
}

// Trained from the same data, after one bad row, as if that row's training had not been.
TEST(StoredDataAgents, TrainAgainOnceARowThatDivergedIsForgotten) {
  const Problem problem(200);
  for (const std::string spec :
       {"neural-greedy:memory=5,update_every=1", "neural-linear:memory=5,update_every=1",
        "neural-ts:memory=5,normalise=false", "neural-ucb:memory=5,normalise=false",
        "lim2:memory_per_action=5"}) {
    auto agent = make_agent(spec, kShape);
    Random random({.seed = 3});
    agent->warm_up({}, random);
    auto scratch = agent->make_scratch();
    const auto diverged = [&] {
      const auto notes = agent->report().notes;
      return notes.empty() ? 0 : notes[0].count;
    };
    for (Index t = 0; t < 20; ++t) {
      agent->observe({problem.context(t), t % 2, problem.reward(t, t % 2)}, random, *scratch);
    }
    ASSERT_EQ(diverged(), 0) << spec;
    agent->observe({problem.context(20), 0, 1e30f}, random, *scratch);
    for (Index t = 21; t < 60; ++t) {
      agent->observe({problem.context(t), t % 2, problem.reward(t, t % 2)}, random, *scratch);
    }
    const auto once = diverged();
    EXPECT_GT(once, 0) << spec;
    for (Index t = 60; t < 200; ++t) {
      agent->observe({problem.context(t), t % 2, problem.reward(t, t % 2)}, random, *scratch);
    }
    EXPECT_EQ(diverged(), once) << spec;
  }
}

TEST(StoredDataAgents, RefuseNonsense) {
  EXPECT_THROW(make_agent("neural-linear:epochs=0", kShape), Error);
  EXPECT_THROW(make_agent("neural-linear:memory=0", kShape), Error);
  EXPECT_THROW(make_agent("neural-linear:memory=some", kShape), Error);
  EXPECT_THROW(make_agent("neural-linear:model=linear", kShape), Error);
  EXPECT_THROW(make_agent("neural-greedy:update_every=0", kShape), Error);
  EXPECT_THROW(make_agent("neural-greedy:model=mlp:0", kShape), Error);
  EXPECT_THROW(make_agent("lim2:pgd_floor=0", kShape), Error);
  EXPECT_THROW(make_agent("lim2:model=linear", kShape), Error);
}

}  // namespace
}  // namespace bandolier::neural_linear_test
