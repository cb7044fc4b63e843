// What every registered agent promises of many rewards at once: that they are what they are one
// after the other.
#include <cmath>
#include <limits>

#include "bandolier/agent/test_conformance.h"
#include "testing/errors.h"

namespace bandolier::conformance_test {
namespace {

// Rewards of actions that do not depend on what was learnt.
std::vector<Feedback> feedback_of(const LinearProblem& problem, Index begin, Index end) {
  std::vector<Feedback> list;
  for (Index t = begin; t < end; ++t) {
    const Index action = (t * t / 3 + t / 50) % kActions;
    list.push_back({problem.context(t), action, problem.reward(t, action)});
  }
  return list;
}

std::size_t observe_in_batches(Agent& agent, std::span<const Feedback> feedback, std::size_t size) {
  const auto scratch = agent.make_scratch();
  Random random = stream(Purpose::kObserve, 0);
  std::size_t refused = 0;
  for (std::size_t first = 0; first < feedback.size(); first += size) {
    refused += agent.observe_batch(feedback.subspan(first, std::min(size, feedback.size() - first)),
                                   random, *scratch);
  }
  return refused;
}

std::size_t observe_singly(Agent& agent, std::span<const Feedback> feedback) {
  const auto scratch = agent.make_scratch();
  Random random = stream(Purpose::kObserve, 0);
  std::size_t refused = 0;
  for (const Feedback& one : feedback) refused += !agent.observe(one, random, *scratch);
  return refused;
}

// Scores with the same draws, so that means, deviations and counts of pulls all show.
void expect_same_scores(const Agent& agent, const Agent& other, const LinearProblem& problem,
                        float tolerance) {
  const auto a = agent.make_scratch(), b = other.make_scratch();
  for (Index t = 0; t < 20; ++t) {
    Random left = stream(Purpose::kChoose, t), right = stream(Purpose::kChoose, t);
    const auto expected = other.decide(problem.context(t), right, *b).scores;
    const auto scores = agent.decide(problem.context(t), left, *a).scores;
    for (std::size_t k = 0; k < scores.size(); ++k) {
      EXPECT_NEAR(scores[k], expected[k], tolerance * (1 + std::abs(expected[k]))) << t;
    }
  }
}

TEST_P(Conformance, RewardsInBatchesAreWhatTheyAreOneAfterTheOther) {
  const Index rewards = entry().flat_memory ? 500 : 30;  // others train for each
  const LinearProblem problem(kWarmUp + rewards);
  const auto feedback = feedback_of(problem, kWarmUp, problem.steps());
  const auto start = trained(problem, 0);
  const auto singly = start->clone();
  EXPECT_EQ(observe_singly(*singly, feedback), 0u);
  for (const std::size_t size : {1u, 7u, 32u}) {
    const auto together = start->clone();
    EXPECT_EQ(observe_in_batches(*together, feedback, size), 0u);
    EXPECT_EQ(together->report().steps, singly->report().steps);
    if (size == 1) {
      EXPECT_TRUE(save_agent(*together) == save_agent(*singly));
    }
    expect_same_scores(*together, *singly, problem, 2e-3f);
  }
}

TEST_P(Conformance, WithoutAWarmUpABatchIsWhatItsRewardsAreOneAfterTheOther) {
  const LinearProblem problem(60);
  const auto feedback = feedback_of(problem, 0, problem.steps());
  const auto singly = make(), together = make();
  warm_up(*singly, problem, 0);
  warm_up(*together, problem, 0);
  EXPECT_EQ(observe_singly(*singly, feedback), observe_in_batches(*together, feedback, 50));
  EXPECT_EQ(together->report().steps, singly->report().steps);
  expect_same_scores(*together, *singly, problem, 2e-3f);
}

TEST_P(Conformance, TheSameBatchGivesTheSameBits) {
  const LinearProblem problem(kWarmUp + 60);
  const auto feedback = feedback_of(problem, kWarmUp, problem.steps());
  const auto first = trained(problem, 10), second = first->clone();
  observe_in_batches(*first, feedback, 25);
  observe_in_batches(*second, feedback, 25);
  EXPECT_TRUE(save_agent(*first) == save_agent(*second));
}

TEST_P(Conformance, ARewardThatIsWrongByItselfIsNamedAndNothingOfItsBatchIsLearnt) {
  const LinearProblem problem(kWarmUp + 20);
  auto feedback = feedback_of(problem, kWarmUp, problem.steps());
  const auto agent = trained(problem, 0);
  const std::string before = save_agent(*agent);
  feedback[13].reward = std::numeric_limits<float>::quiet_NaN();
  const std::string said = testing::error_of([&] { observe_in_batches(*agent, feedback, 20); });
  EXPECT_NE(said.find("reward 13 of a batch of 20: "), std::string::npos) << said;
  EXPECT_NE(said.find("expected a finite number"), std::string::npos) << said;
  EXPECT_TRUE(save_agent(*agent) == before);
}

TEST_P(Conformance, ASnapshotDoesNotChangeWhileTheAgentLearnsFromABatch) {
  const LinearProblem problem(kWarmUp + 60);
  const auto feedback = feedback_of(problem, kWarmUp, problem.steps());
  const auto agent = trained(problem, 20);
  const auto snapshot = agent->snapshot();
  const std::string before = save_agent(*snapshot);
  observe_in_batches(*agent, feedback, 30);
  EXPECT_TRUE(save_agent(*snapshot) == before);
  EXPECT_EQ(agent->report().steps, kWarmUp + 20 + 60);
}

TEST_P(Conformance, ABatchOfNothingChangesNothing) {
  const LinearProblem problem(kWarmUp);
  const auto agent = trained(problem, 0);
  const std::string before = save_agent(*agent);
  const auto scratch = agent->make_scratch();
  Random random = stream(Purpose::kObserve, 0);
  EXPECT_EQ(agent->observe_batch({}, random, *scratch), 0u);
  EXPECT_TRUE(save_agent(*agent) == before);
}

}  // namespace
}  // namespace bandolier::conformance_test
