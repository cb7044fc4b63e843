// What every registered agent promises: it learns, late rewards included, in flat memory. (What it
// takes: conformance_input_test.cc; its files: conformance_saving_test.cc; scratches, snapshots and
// threads: conformance_sharing_test.cc.)
#include <algorithm>
#include <cctype>

#include "bandolier/agent/test_conformance.h"
#include "testing/allocations.h"

namespace bandolier::conformance_test {
namespace {

TEST_P(Conformance, EarnsHalfOfWhatTheOracleEarnsAboveUniformWithin300Steps) {
  const LinearProblem problem(kWarmUp + 300);
  auto agent = make();
  warm_up(*agent, problem);
  play(*agent, problem, kWarmUp, kWarmUp + 150);
  const Index begin = kWarmUp + 150;
  const auto actions = play(*agent, problem, begin, problem.steps());
  double earned = 0, uniform = 0, oracle = 0;
  for (Index t = begin; t < problem.steps(); ++t) {
    earned += problem.expected(t, actions[static_cast<std::size_t>(t - begin)]);
    uniform += problem.mean(t);
    oracle += problem.best(t);
  }
  const double share = (earned - uniform) / (oracle - uniform);
  if (learns()) {
    EXPECT_GT(share, 0.5);
  } else {
    EXPECT_NEAR(share, 0, 0.3);
  }
  EXPECT_EQ(agent->report().steps, problem.steps());
}

TEST_P(Conformance, TheSameStreamsGiveTheSameActions) {
  const LinearProblem problem(kWarmUp + 70);
  auto first = make(), second = make();
  warm_up(*first, problem);
  warm_up(*second, problem);
  EXPECT_EQ(play(*first, problem, kWarmUp, problem.steps()),
            play(*second, problem, kWarmUp, problem.steps()));
}

TEST_P(Conformance, BeliefStaysTheSameSizeWhereItPromisesSo) {
  const LinearProblem problem(kWarmUp + 100);
  auto agent = trained(problem, 40);  // the first 32 may be kept until there are as many
  const std::size_t before = agent->report().belief_bytes;
  play(*agent, problem, kWarmUp + 40, problem.steps());
  if (entry().flat_memory) {
    EXPECT_EQ(agent->report().belief_bytes, before);
  } else {
    EXPECT_GT(agent->report().belief_bytes, before);
  }
}

TEST_P(Conformance, ChooseAndObserveAllocateNothingInTheSteadyState) {
  if (!entry().flat_memory) GTEST_SKIP() << GetParam() << " stores its data";
  if (GetParam().find("process_noise") != std::string::npos) {
    GTEST_SKIP() << "process noise is folded in by a decomposition, every d rewards";
  }
  const LinearProblem problem(kWarmUp + 160);
  auto agent = trained(problem, 20);
  auto scratch = agent->make_scratch();
  for (Index t = kWarmUp + 20; t < problem.steps(); ++t) {
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const std::int64_t before = testing::allocations();
    const Decision decision = agent->choose(problem.context(t), choose, *scratch);
    agent->observe(
        {problem.context(t), decision.action, problem.reward(t, decision.action), decision.ticket},
        observe, *scratch);
    // The scratch grows at its first use; forgetting by 0.99 uses it every hundred steps.
    if (t >= kWarmUp + 130) {
      EXPECT_EQ(testing::allocations(), before) << "step " << t;
    }
  }
}

TEST_P(Conformance, ObserveIsTheSameWithAndWithoutTheDecisionsTicket) {
  const LinearProblem problem(kWarmUp + 90);
  auto with = trained(problem, 20);
  auto without = with->clone();
  EXPECT_EQ(play(*with, problem, kWarmUp + 20, problem.steps(), true),
            play(*without, problem, kWarmUp + 20, problem.steps(), false));
}

TEST_P(Conformance, RewardsMayComeLateAndInAnyOrderWithOrWithoutTickets) {
  const LinearProblem problem(kWarmUp + 90);
  const auto play_late = [&](Agent& agent, bool use_ticket) {
    std::vector<Index> actions;
    auto scratch = agent.make_scratch();
    std::vector<Feedback> waiting;
    for (Index t = kWarmUp + 10; t < problem.steps(); ++t) {
      Random random = stream(Purpose::kChoose, t);
      const Decision decision = agent.choose(problem.context(t), random, *scratch);
      actions.push_back(decision.action);
      waiting.push_back({problem.context(t), decision.action, problem.reward(t, decision.action),
                         use_ticket ? decision.ticket : 0});
      if (waiting.size() < 20) continue;
      for (; !waiting.empty(); waiting.pop_back()) {  // the last first
        Random observe = stream(Purpose::kObserve, t - static_cast<Index>(waiting.size()));
        agent.observe(waiting.back(), observe, *scratch);
      }
    }
    return actions;
  };
  auto agent = trained(problem, 10);
  auto clone = agent->clone();
  EXPECT_EQ(play_late(*agent, true), play_late(*clone, false));
  EXPECT_EQ(agent->report().steps, problem.steps());
}

TEST_P(Conformance, AStaleTicketIsNotBelieved) {
  // A ticket whose work the scratch no longer holds must not change what is learnt.
  const LinearProblem problem(kWarmUp + 80);
  auto agent = trained(problem, 20);
  auto reference = agent->clone();
  auto scratch = agent->make_scratch(), clean = reference->make_scratch();
  Random random = stream(Purpose::kChoose, 1);
  const Decision first = agent->choose(problem.context(26), random, *scratch);
  const Index action = first.action;
  const std::uint64_t ticket = first.ticket;
  agent->choose(problem.context(27), random, *scratch);
  Random observe = stream(Purpose::kObserve, 1), same = stream(Purpose::kObserve, 1);
  agent->observe({problem.context(26), action, 1, ticket}, observe, *scratch);
  reference->observe({problem.context(26), action, 1, 0}, same, *clean);
  EXPECT_EQ(play(*agent, problem, kWarmUp + 22, problem.steps()),
            play(*reference, problem, kWarmUp + 22, problem.steps()));
}

TEST_P(Conformance, WorksWithoutAnyWarmUpExperience) {
  const LinearProblem problem(60);
  auto agent = make();
  warm_up(*agent, problem, 0);
  for (const Index action : play(*agent, problem, 0, problem.steps())) {
    EXPECT_GE(action, 0);
    EXPECT_LT(action, kActions);
  }
  EXPECT_EQ(agent->report().steps, 60);
}

// A power of two changes no digit: what is left of the rewards' unit anywhere would tip an action.
TEST_P(Conformance, RewardsTimesAPowerOfTwoChangeNoAction) {
  const bool optimism = has_option("optimism") && GetParam().find("optimism") == std::string::npos;
  const auto actions = [&](float factor, float shift, Index warm_up_pulls) {
    const LinearProblem problem(kWarmUp + 100, factor, shift);
    auto agent = make_agent(optimism ? with("optimism=0.5") : GetParam(), kShape);
    warm_up(*agent, problem, warm_up_pulls);
    return play(*agent, problem, kWarmUp, problem.steps());
  };
  const auto expected = actions(1, 0, kWarmUp);
  EXPECT_EQ(actions(1024, 0, kWarmUp), expected);
  EXPECT_EQ(actions(1 / 1024.0f, 0, kWarmUp), expected);
  EXPECT_EQ(actions(1024, 128, 0), actions(1, 128, 0));
}

// Whatever the units and the zero of rewards: at most a quarter more regret, but for what chance
// alone makes, and what the first rewards are worth where an agent begins anew.
TEST_P(Conformance, RewardsOfAnyScaleAndOffsetAreLearntAlike) {
  if (!learns()) GTEST_SKIP() << GetParam() << " learns nothing";
  constexpr Index kSteps = 400;
  const auto regret = [&](float factor, float shift, Index warm_up_pulls) {
    const LinearProblem problem(kWarmUp + kSteps, factor, shift);
    auto agent = make();
    warm_up(*agent, problem, warm_up_pulls);
    const auto actions = play(*agent, problem, kWarmUp, problem.steps());
    double sum = 0;
    for (Index t = kWarmUp; t < problem.steps(); ++t) {
      sum += static_cast<double>(
          problem.best(t) - problem.expected(t, actions[static_cast<std::size_t>(t - kWarmUp)]));
    }
    return sum;
  };
  double uniform = 0;
  const LinearProblem problem(kWarmUp + kSteps);
  for (Index t = kWarmUp; t < problem.steps(); ++t) {
    uniform += static_cast<double>(problem.best(t) - problem.mean(t));
  }
  for (const Index pulls : {kWarmUp, Index{0}}) {
    const double most = 1.25 * regret(1, 0, pulls) + (pulls > 0 ? 0.03 : 0.15) * uniform;
    for (const auto& [factor, shift] :
         {std::pair(1e-6f, 30.0f), std::pair(1.0f, -10'000.0f), std::pair(1e12f, 0.0f)}) {
      EXPECT_LE(regret(factor, shift, pulls), most)
          << "factor " << factor << ", shift " << shift << ", " << pulls << " pulls, uniform "
          << uniform;
    }
  }
}

TEST_P(Conformance, ABatchDecidesAsChooseDoesWithTheForksOfItsStream) {
  const LinearProblem problem(kWarmUp + 100);
  const auto agent = trained(problem, 20);
  std::vector<Context> contexts;
  for (Index t = 0; t < 100; ++t) contexts.push_back(problem.context(t));
  std::vector<Index> actions(contexts.size(), -1);
  auto scratch = agent->make_scratch();
  Random random = stream(Purpose::kChoose, 3);
  agent->choose_batch(contexts, random, *scratch, actions);
  int different = 0;  // rounding may tip a near-tie
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    Random fork = random.fork(static_cast<std::uint32_t>(i));
    different += agent->choose(contexts[i], fork, *scratch).action != actions[i];
  }
  EXPECT_LE(different, 1);
  EXPECT_THROW(agent->choose_batch(contexts, random, *scratch, std::span(actions).first(99)),
               Error);
}

std::vector<std::string> agent_names() {
  std::vector<std::string> names;
  for (const auto& entry : agents()) names.push_back(entry.name);
  // And those that options make another agent of.
  for (const char* spec :
       {"subspace-ekf:basis=gaussian,precision=half", "subspace-ekf:temperature=1",
        "subspace-ekf:head=full,skip=true", "subspace-ekf:head=full,joint=true,model=mlp:10,dim=20",
        "subspace-ekf:head=full,covariance=low-rank,rank=3",
        "subspace-ekf:robust=true,forgetting=0.99",
        "subspace-ekf:prior_predictive=1/10,linear=true",
        "auto:likelihood=gaussian,process_noise=0.001", "linear:policy=ucb",
        "linear:soft_clip=true", "linear:optimism=1", "lim2:matching=prior"}) {
    names.push_back(spec);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Agents, Conformance, ::testing::ValuesIn(agent_names()),
                         [](const auto& agent) {
                           std::string name = agent.param;
                           const auto odd = [](char c) {
                             return std::isalnum(static_cast<unsigned char>(c)) == 0;
                           };
                           std::replace_if(name.begin(), name.end(), odd, '_');
                           return name;
                         });

}  // namespace
}  // namespace bandolier::conformance_test
