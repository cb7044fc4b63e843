#include "bandolier/agent/auto.h"

#include <gtest/gtest.h>

#include "bandolier/agent/test_played.h"
#include "testing/errors.h"

namespace bandolier::auto_test {
namespace {

using played_test::kShape;
using played_test::Problem;
using played_test::run;

double signal(const Agent& agent, const std::string& name) {
  return agent.report().signals.at(name);
}

TEST(Auto, FindsThatALinearProblemIsLinearWithin300Rewards) {
  const auto played = run("auto:model=mlp:10", Problem(300, {.linear = true}), 2, 300);
  EXPECT_GT(signal(*played.agent, "weight_near_linear"), 0.9);
}

TEST(Auto, FindsThatAStepProblemIsNotLinearWithin500Rewards) {
  const auto played = run("auto:model=mlp:30", Problem(500), 2, 500);
  EXPECT_LT(signal(*played.agent, "weight_near_linear"), 0.1);
}

TEST(Auto, ItsChallengerFollowsAChangeWhereWithoutOneItLags) {
  const Problem problem(1500, {.linear = true, .turn = 1000});
  const auto with = run("auto:model=mlp:10", problem, 2, 1500);
  const auto without = run("auto:model=mlp:10,challenger=0", problem, 2, 1500);
  EXPECT_GT(with.mean_reward(200), 0.65);  // of E max of three normals = 0.846
  EXPECT_LT(without.mean_reward(200), with.mean_reward(200));
  EXPECT_EQ(signal(*with.agent, "restarts"), 1);
}

TEST(Auto, ItsTrackerFollowsAChangeToo) {
  const Problem problem(1500, {.linear = true, .turn = 1000});
  const auto with = run("auto:model=mlp:10,challenger=0,tracker=0.99", problem, 2, 1500);
  EXPECT_GT(with.mean_reward(200), 0.65);
  EXPECT_GT(signal(*with.agent, "weight_tracker"), 0.5);
}

// forgetting is of every member; the tracker's comes on top.
TEST(Auto, ForgettingIsOfAllMembersAndNeedsNoTracker) {
  const Problem problem(1500, {.linear = true, .turn = 1000});
  const auto all = run("auto:model=mlp:10,dim=10,forgetting=0.99,challenger=0", problem, 2, 1500);
  EXPECT_GT(all.mean_reward(200), 0.65);
  EXPECT_FALSE(all.agent->report().signals.contains("weight_tracker"));
}

TEST(Auto, TakesNoOptionOfAPredictorWithoutHeads) {
  for (const std::string option : {"head=full", "precision=half", "thinning=2", "offset=sgd",
                                   "centre=true", "filter_warmup=false", "epochs=3"}) {
    const std::string said = testing::error_of([&] { make_agent("auto:" + option, kShape); });
    EXPECT_NE(said.find("agent 'auto' has no option"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace bandolier::auto_test
