// What every registered agent promises of decisions that will be evaluated: probabilities that are
// its own, and nothing that is not available.
#include <cmath>
#include <numeric>

#include "bandolier/agent/test_conformance.h"
#include "testing/allocations.h"

namespace bandolier::conformance_test {
namespace {

TEST_P(Conformance, ProbabilitiesSumToOneAndTheActionIsDrawnFromThem) {
  const LinearProblem problem(kWarmUp + 60);
  const auto agent = trained(problem, 20);
  auto scratch = agent->make_scratch();
  // Three contexts, often: the mean probability of each action against how often it is taken.
  for (const Index t : {kWarmUp + 31, kWarmUp + 43, kWarmUp + 59}) {
    constexpr int kDecisions = 500;
    std::vector<double> said(kActions), taken(kActions), chosen(kActions);
    for (int i = 0; i < kDecisions; ++i) {
      Random random = stream(Purpose::kChoose, i), other = stream(Purpose::kTest, i);
      const Decision decision = agent->decide(problem.context(t), random, *scratch);
      ASSERT_EQ(decision.probabilities.size(), static_cast<std::size_t>(kActions));
      ASSERT_NEAR(
          std::accumulate(decision.probabilities.begin(), decision.probabilities.end(), 0.0), 1,
          1e-9);
      ++taken[static_cast<std::size_t>(decision.action)];
      ASSERT_EQ(decision.propensity,
                decision.probabilities[static_cast<std::size_t>(decision.action)]);
      for (std::size_t a = 0; a < said.size(); ++a) said[a] += decision.probabilities[a];
      ++chosen[static_cast<std::size_t>(agent->choose(problem.context(t), other, *scratch).action)];
    }
    for (std::size_t a = 0; a < said.size(); ++a) {
      const double q = said[a] / kDecisions;
      // Five deviations of a count, and of one taken once where none was expected.
      const double error = 5 * std::sqrt(kDecisions * q * (1 - q)) + 1;
      EXPECT_NEAR(taken[a], said[a], error) << "step " << t << ", action " << a;
      EXPECT_NEAR(chosen[a], said[a], std::sqrt(2.0) * error) << "step " << t << ", action " << a;
    }
  }
}

TEST_P(Conformance, AnActionThatIsNotAvailableIsNeverTaken) {
  const LinearProblem problem(kWarmUp + 26);
  auto agent = trained(problem, 20);
  auto scratch = agent->make_scratch();
  for (Index t = kWarmUp + 20; t < problem.steps(); ++t) {
    std::vector<std::uint8_t> available(kActions, 1);
    available[static_cast<std::size_t>(t % kActions)] = 0;
    Context context = problem.context(t);
    context.available = available;
    Random random = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    EXPECT_NE(agent->choose(context, random, *scratch).action, t % kActions);
    const Decision decision = agent->decide(context, random, *scratch);
    EXPECT_NE(decision.action, t % kActions);
    EXPECT_EQ(decision.probabilities[static_cast<std::size_t>(t % kActions)], 0);
    Index batched = -1;
    agent->choose_batch({&context, 1}, random, *scratch, {&batched, 1});
    EXPECT_NE(batched, t % kActions);
    EXPECT_TRUE(agent->observe({context, decision.action, problem.reward(t, decision.action), 0},
                               observe, *scratch));
  }
}

TEST_P(Conformance, RefusesContextsThatAllowNothingAndRewardsOfWhatWasNotAllowed) {
  const LinearProblem problem(kWarmUp + 1);
  auto agent = trained(problem, 0);
  auto scratch = agent->make_scratch();
  const std::vector<std::uint8_t> none(kActions, 0), some = {0, 1, 1}, few = {1};
  Context context = problem.context(kWarmUp);
  Random random = stream(Purpose::kChoose, 0);
  context.available = none;
  EXPECT_THROW(agent->decide(context, random, *scratch), Error);
  context.available = few;
  EXPECT_THROW(agent->choose(context, random, *scratch), Error);
  context.available = some;
  EXPECT_THROW(agent->observe({context, 0, 1, 0}, random, *scratch), Error);
  EXPECT_EQ(agent->report().steps, kWarmUp);
}

TEST_P(Conformance, AFloorIsTheLeastProbabilityOfAnyAction) {
  const LinearProblem problem(kWarmUp + 4);
  auto agent = make_agent(with("exploration_floor=0.3"), kShape);
  warm_up(*agent, problem);
  auto scratch = agent->make_scratch();
  for (Index t = kWarmUp; t < problem.steps(); ++t) {
    Random random = stream(Purpose::kChoose, t);
    const Decision decision = agent->decide(problem.context(t), random, *scratch);
    EXPECT_TRUE(decision.full_support);
    for (const double q : decision.probabilities) EXPECT_GE(q, 0.1 - 1e-12);
  }
  EXPECT_THROW(make_agent(with("exploration_floor=1.5"), kShape), Error);
}

TEST_P(Conformance, DecideAllocatesNothingInTheSteadyState) {
  const LinearProblem problem(kWarmUp + 21);
  const auto agent = trained(problem, 20);
  auto scratch = agent->make_scratch();
  // The scratch grows at the first use of every member of a mixture.
  for (Index i = 0; i < 2040; ++i) {
    Random random = stream(Purpose::kChoose, i);
    const std::int64_t before = testing::allocations();
    agent->decide(problem.context(kWarmUp + 20), random, *scratch);
    if (i >= 2000) {
      EXPECT_EQ(testing::allocations(), before) << "decision " << i;
    }
  }
}

// Σ r·π(a)/q of an agent that learns while it is logged is an unbiased estimate of what another
// policy would have earned.
TEST(Decide, ImportanceWeightedRewardsAreWhatOtherPoliciesEarn) {
  for (const std::string spec : {"linear:exploration_floor=0.1", "auto:exploration_floor=0.1",
                                 "subspace-ekf:exploration_floor=0.1"}) {
    const LinearProblem problem(kWarmUp + 1500);
    auto agent = make_agent(spec, kShape);
    warm_up(*agent, problem);
    auto scratch = agent->make_scratch();
    double uniform = 0, fixed = 0, variance_uniform = 0, variance_fixed = 0;
    for (Index t = kWarmUp; t < problem.steps(); ++t) {
      Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
      const Decision decision = agent->decide(problem.context(t), choose, *scratch);
      const double q = *decision.propensity;
      const float reward = problem.reward(t, decision.action);
      agent->observe({problem.context(t), decision.action, reward, decision.ticket}, observe,
                     *scratch);
      double truth_uniform = 0;
      for (Index a = 0; a < kActions; ++a) {
        truth_uniform += static_cast<double>(problem.reward(t, a)) / kActions;
      }
      const double weighted = static_cast<double>(reward) / q;
      const double error_uniform = weighted / kActions - truth_uniform;
      const double error_fixed =
          (decision.action == 1 ? weighted : 0) - static_cast<double>(problem.reward(t, 1));
      uniform += error_uniform;
      fixed += error_fixed;
      variance_uniform += error_uniform * error_uniform;
      variance_fixed += error_fixed * error_fixed;
    }
    EXPECT_LT(std::abs(uniform), 4 * std::sqrt(variance_uniform)) << spec;
    EXPECT_LT(std::abs(fixed), 4 * std::sqrt(variance_fixed)) << spec;
  }
}

}  // namespace
}  // namespace bandolier::conformance_test
