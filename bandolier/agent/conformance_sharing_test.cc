// What every registered agent promises to those who share it: whom a scratch serves, that a
// snapshot stays as it is, and that many threads may read one while another learns.
#include <mutex>
#include <thread>

#include "bandolier/agent/test_conformance.h"
#include "testing/errors.h"

namespace bandolier::conformance_test {
namespace {

// What choosing, choosing a batch and observing say of this agent with this scratch.
std::vector<std::string> refusals(Agent& agent, Scratch& scratch) {
  const LinearProblem problem(1);
  const Context context = problem.context(0);
  Random random = stream(Purpose::kChoose, 0);
  Index action = 0;
  return {testing::error_of([&] { agent.choose(context, random, scratch); }),
          testing::error_of([&] {
            agent.choose_batch({&context, 1}, random, scratch, {&action, 1});
          }),
          testing::error_of([&] {
            agent.observe({context, 0, 1}, random, scratch);
          })};
}

TEST_P(Conformance, AScratchOfAnotherAgentIsAnErrorThatSaysWhoseToTake) {
  const LinearProblem problem(kWarmUp);
  auto agent = trained(problem, 0), other = trained(problem, 0);
  const auto scratch = other->make_scratch();
  for (const std::string& said : refusals(*agent, *scratch)) {
    EXPECT_EQ(said,
              "this scratch was made by another agent: expected one from make_scratch() of this "
              "agent, of its clone or of its snapshot");
  }
  EXPECT_EQ(agent->report().steps, kWarmUp);
}

TEST_P(Conformance, AScratchMadeBeforeLoadIsAnErrorAfterwards) {
  const LinearProblem problem(kWarmUp + 10);
  auto agent = trained(problem, 5);
  const auto scratch = agent->make_scratch();
  ArchiveWriter out;
  trained(problem, 10)->save(out);
  agent->load(ArchiveReader(out.finish(), "saved"));
  for (const std::string& said : refusals(*agent, *scratch)) {
    EXPECT_NE(said.find("expected one from make_scratch() of this agent"), std::string::npos)
        << said;
  }
}

TEST_P(Conformance, BeforeWarmUpEveryCallSaysToWarmUp) {
  auto agent = make();
  const auto scratch = trained(LinearProblem(kWarmUp), 0)->make_scratch();
  auto said = refusals(*agent, *scratch);
  said.push_back(testing::error_of([&] { agent->make_scratch(); }));
  for (const std::string& one : said) {
    EXPECT_EQ(one, "this agent has not warmed up: call warm_up, with an empty list if need be");
  }
  EXPECT_EQ(testing::error_of([&] { save_agent(*agent); }),
            "this agent has not warmed up: there is nothing to save");
}

TEST_P(Conformance, WarmingUpTwiceIsAnError) {
  const LinearProblem problem(kWarmUp);
  auto agent = trained(problem, 0);
  EXPECT_EQ(testing::error_of([&] { warm_up(*agent, problem); }),
            "this agent has warmed up or was loaded already: make a new one");
  EXPECT_EQ(agent->report().steps, kWarmUp);
}

TEST_P(Conformance, AScratchServesTheAgentAndItsClonesAndSnapshotsInTurn) {
  const LinearProblem problem(kWarmUp + 40);
  auto agent = trained(problem, 20);
  const auto clone = agent->clone();
  const auto snapshot = agent->snapshot();
  const auto own = clone->make_scratch();
  const auto expected = decide(*clone, problem, kWarmUp + 20, problem.steps(), *own);
  const auto scratch = agent->make_scratch();
  EXPECT_EQ(decide(*agent, problem, kWarmUp + 20, problem.steps(), *scratch), expected);
  EXPECT_EQ(decide(*clone, problem, kWarmUp + 20, problem.steps(), *scratch), expected);
  EXPECT_EQ(decide(*snapshot, problem, kWarmUp + 20, problem.steps(), *scratch), expected);
}

TEST_P(Conformance, ASnapshotDoesNotChangeWhileTheAgentLearns) {
  const LinearProblem problem(kWarmUp + 110);
  auto agent = trained(problem, 20);
  const auto snapshot = agent->snapshot();
  const std::string bytes = save_agent(*snapshot);
  const auto scratch = snapshot->make_scratch();
  const Index begin = kWarmUp + 60;
  const auto at_once = decide(*snapshot, problem, begin, problem.steps(), *scratch);
  play(*agent, problem, kWarmUp + 20, begin);
  EXPECT_EQ(decide(*snapshot, problem, begin, problem.steps(), *scratch), at_once);
  EXPECT_EQ(save_agent(*snapshot), bytes);
  EXPECT_EQ(agent->report().steps, begin);
}

TEST_P(Conformance, ManyThreadsChooseAtOnceAsOneDoes) {
  const LinearProblem problem(kWarmUp + 100);
  const auto agent = trained(problem, 20);
  const auto choose = [&](std::vector<Index>& actions) {
    const auto scratch = agent->make_scratch();
    actions = decide(*agent, problem, 0, problem.steps(), *scratch);
  };
  std::vector<Index> alone, left, right;
  choose(alone);
  std::thread one([&] { choose(left); }), two([&] { choose(right); });
  one.join();
  two.join();
  EXPECT_EQ(left, alone);
  EXPECT_EQ(right, alone);
}

// Readers choose from the last snapshot for as long as the learner goes on; it learns what it would
// have learnt alone.
TEST_P(Conformance, ManyThreadsChooseFromSnapshotsWhileOneLearns) {
  const Index kRewards = entry().flat_memory ? 300 : 30;  // others train for each
  const LinearProblem problem(kWarmUp + kRewards);
  auto agent = trained(problem, 0);
  const auto alone = agent->clone();
  std::mutex mutex;
  std::shared_ptr<const Agent> last = agent->snapshot();
  bool done = false;

  const auto read = [&](Scratch& scratch, Index& decisions) {
    for (bool go_on = true; go_on;) {
      std::shared_ptr<const Agent> snapshot;
      {
        const std::lock_guard lock(mutex);
        snapshot = last;
        go_on = !done;
      }
      for (const Index action : decide(*snapshot, problem, 0, 10, scratch)) {
        decisions += action >= 0 && action < kActions;
      }
    }
  };
  std::vector<Index> decisions(4, 0);
  std::vector<std::unique_ptr<Scratch>> scratches;
  for (int i = 0; i < 4; ++i) scratches.push_back(agent->make_scratch());
  std::vector<std::thread> readers;
  for (std::size_t i = 0; i < 4; ++i) {
    readers.emplace_back([&, i] { read(*scratches[i], decisions[i]); });
  }
  for (Index t = kWarmUp; t < problem.steps(); t += 10) {
    play(*agent, problem, t, t + 10);
    const std::lock_guard lock(mutex);
    last = agent->snapshot();
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  for (std::thread& reader : readers) reader.join();
  for (const Index count : decisions) {
    EXPECT_GE(count, 10);
    EXPECT_EQ(count % 10, 0);
  }
  play(*alone, problem, kWarmUp, problem.steps());
  EXPECT_EQ(save_agent(*agent), save_agent(*alone));
}

// A context is a view: its memory is the caller's again once choose has returned, and observe is
// given another.
TEST_P(Conformance, TheContextOfADecisionIsNotReadAfterIt) {
  const LinearProblem problem(140);
  auto agent = trained(problem, 40), same = trained(problem, 40);
  auto scratch = agent->make_scratch();
  for (Index t = 80; t < 120; ++t) {
    const auto x = problem.features(t);
    auto gone = std::make_unique<std::vector<float>>(x.begin(), x.end());
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const Decision decision =
        agent->choose({Features::dense(*gone), kActions, {}, {}}, choose, *scratch);
    std::fill(gone->begin(), gone->end(), 1e6f);
    gone.reset();
    agent->observe(
        {problem.context(t), decision.action, problem.reward(t, decision.action), decision.ticket},
        observe, *scratch);
  }
  play(*same, problem, 80, 120);
  EXPECT_EQ(play(*agent, problem, 120, 140), play(*same, problem, 120, 140));
}

}  // namespace
}  // namespace bandolier::conformance_test
