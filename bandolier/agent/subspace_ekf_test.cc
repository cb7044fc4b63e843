// The paper's method: the subspace, its dimension and what is said of them.
#include "bandolier/agent/subspace_ekf.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bandolier/agent/test_played.h"
#include "testing/errors.h"

namespace bandolier::subspace_ekf_test {
namespace {

using played_test::Played;
using played_test::Problem;
using played_test::run;
using testing::error_of;

bool has_note(const Agent& agent, std::string_view text) {
  const auto notes = agent.report().notes;
  return std::any_of(notes.begin(), notes.end(),
                     [&](const Note& note) { return note.text.find(text) != std::string::npos; });
}

TEST(SubspaceEkf, WithTheIdentityBasisChoosesAsEkfDoes) {
  const Problem problem(200);
  const Played whole = run("ekf:model=mlp:10", problem, 2, 200);
  const Played identity = run("subspace-ekf:model=mlp:10,basis=identity", problem, 2, 200);
  EXPECT_EQ(whole.actions, identity.actions);
}

TEST(SubspaceEkf, WorksWithoutWarmUp) {
  const Problem problem(700);
  const Played result = run("subspace-ekf", problem, 0, 700);
  EXPECT_GT(result.mean_reward(), 0.56);
}

TEST(SubspaceEkf, ReportsDirectionsThatTrainingLacked) {
  const Problem problem(100);
  const Played result = run("subspace-ekf:basis=svd,dim=60,epochs=40,thinning=2", problem, 2, 30);
  EXPECT_EQ(result.agent->report().subspace_dim, 60);
  EXPECT_TRUE(has_note(*result.agent, "Gaussian ones were added"));
}

TEST(SubspaceEkf, TrustsAnOffsetTrainedOnTenRewardsPerActionAndNotOnTwoThatPredictNothing) {
  const Problem problem(40);
  const auto stays_random = [&](Index pulls) {
    const Played result = run("subspace-ekf:basis=svd,dim=20,epochs=40", problem, pulls, 40);
    return has_note(*result.agent, "the offset stays random");
  };
  EXPECT_TRUE(stays_random(2));
  EXPECT_FALSE(stays_random(10));
}

TEST(SubspaceEkf, TakesMoreDirectionsForALargerShareOfTheIteratesVariance) {
  const Problem problem(30);
  const auto dim = [&](const std::string& share) {
    return *run("subspace-ekf:basis=svd,epochs=100,dim=" + share, problem, 2, 7)
                .agent->report()
                .subspace_dim;
  };
  EXPECT_LT(dim("0.8"), dim("0.9999"));
  EXPECT_LT(dim("0.9999"), 50);
}

TEST(SubspaceEkf, ChoosesItsDimByValidationWhereWarmUpHas200Rewards) {
  const Problem problem(300);
  const Played result = run("subspace-ekf", problem, 70, 220);
  EXPECT_TRUE(has_note(*result.agent, "by validation on 210 warm-up rewards"));
}

TEST(SubspaceEkf, CapsItsDefaultDimAtTheNumberOfParameters) {
  const Problem problem(30);
  const Played result = run("subspace-ekf:model=mlp:4", problem, 2, 30);
  EXPECT_EQ(result.agent->report().subspace_dim, 4 * 7 + 3 * 5);
}

TEST(SubspaceEkf, SvdWithoutWarmUpRewardsIsAnError) {
  const Problem problem(10);
  EXPECT_NE(error_of([&] { run("subspace-ekf:basis=svd", problem, 0, 10); }).find("none"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::subspace_ekf_test
