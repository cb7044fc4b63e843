#include "bandolier/agent/shared_agent.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "bandolier/agent/registry.h"
#include "bandolier/agent/test_conformance.h"
#include "testing/errors.h"

namespace bandolier::shared_agent_test {
namespace {

using conformance_test::kActions;
using conformance_test::kFeatures;
using conformance_test::kShape;
using conformance_test::LinearProblem;
using testing::error_of;

std::unique_ptr<SharedAgent> make(const std::string& spec = "linear", std::uint64_t seed = 3) {
  return std::make_unique<SharedAgent>(make_agent(spec, kShape), seed);
}

class Rows final : public ContextRows {
 public:
  explicit Rows(const LinearProblem& problem) : problem_(problem) {}
  Index size() const override { return problem_.steps(); }
  std::span<const Context> rows(Index first, Index count, RowMemory& memory) const override {
    memory.contexts.clear();
    for (Index t = first; t < first + count; ++t) memory.contexts.push_back(problem_.context(t));
    return memory.contexts;
  }

 private:
  const LinearProblem& problem_;
};

// Decides at steps [begin, end) and learns from each.
std::vector<Index> play(SharedAgent& agent, const LinearProblem& problem, Index begin, Index end,
                        bool use_ticket = true) {
  std::vector<Index> actions;
  SharedDecision decision;
  for (Index t = begin; t < end; ++t) {
    agent.choose(problem.context(t), Answer::kWithProbabilities, nullptr, decision);
    actions.push_back(decision.action);
    agent.observe(problem.context(t), decision.action, problem.reward(t, decision.action),
                  use_ticket ? decision.ticket : 0);
  }
  return actions;
}

TEST(SharedAgent, DecidesAsAnAgentDoesWithItsStreams) {
  const LinearProblem problem(60);
  auto plain = make_agent("linear", kShape);
  Random warm_up({.seed = 3, .purpose = Purpose::kWarmUp});
  plain->warm_up({}, warm_up);
  const auto scratch = plain->make_scratch();
  std::vector<Index> expected;
  for (Index t = 0; t < problem.steps(); ++t) {
    const auto step = static_cast<std::uint32_t>(t);
    Random choose({.seed = 3, .purpose = Purpose::kChoose, .step = step});
    Random observe({.seed = 3, .purpose = Purpose::kObserve, .step = step});
    const Context context = problem.context(t);
    const Index action = plain->decide(context, choose, *scratch).action;
    plain->observe({context, action, problem.reward(t, action)}, observe, *scratch);
    expected.push_back(action);
  }
  EXPECT_EQ(play(*make(), problem, 0, problem.steps()), expected);
}

TEST(SharedAgent, ATicketChangesNothingButTheWork) {
  const LinearProblem problem(100);
  for (const std::string spec : {"linear", "auto", "subspace-ekf:dim=10"}) {
    EXPECT_EQ(play(*make(spec), problem, 0, 100), play(*make(spec), problem, 0, 100, false))
        << spec;
  }
}

TEST(SharedAgent, ATicketShownWithAnotherContextIsNotBelieved) {
  const LinearProblem problem(40);
  auto with = make("auto"), without = make("auto");
  SharedDecision decision;
  for (Index t = 0; t + 1 < problem.steps(); ++t) {
    with->choose(problem.context(t), Answer::kAction, nullptr, decision);
    const std::uint64_t ticket = decision.ticket;
    without->choose(problem.context(t), Answer::kAction, nullptr, decision);
    with->observe(problem.context(t + 1), 0, problem.reward(t + 1, 0), ticket);
    without->observe(problem.context(t + 1), 0, problem.reward(t + 1, 0));
  }
  EXPECT_EQ(play(*with, problem, 0, 30), play(*without, problem, 0, 30));
}

TEST(SharedAgent, ATicketOfAnotherAgentIsAnErrorAndNothingIsLearnt) {
  const LinearProblem problem(2);
  auto one = make(), other = make();
  SharedDecision decision;
  one->choose(problem.context(0), Answer::kAction, nullptr, decision);
  EXPECT_NE(error_of([&] {
              other->observe(problem.context(0), 0, 1, decision.ticket);
            }).find("was given by another agent"),
            std::string::npos);
  EXPECT_EQ(other->rewards(), 0);
}

TEST(SharedAgent, ManyRowsAreDecidedAlikeByAnyNumberOfThreads) {
  const LinearProblem problem(3 * kSharedRows + 17);
  std::vector<std::vector<Index>> answers;
  for (const int threads : {1, 2, 5}) {
    auto agent = make();
    play(*agent, problem, 0, 50);
    std::vector<Index> actions(static_cast<std::size_t>(problem.steps()));
    agent->choose(Rows(problem), threads, nullptr, actions);
    Matrix<double> q(problem.steps(), kActions);
    std::vector<Index> drawn(actions.size());
    agent->choose(Rows(problem), threads, nullptr, drawn, q);
    actions.insert(actions.end(), drawn.begin(), drawn.end());
    answers.push_back(actions);
    EXPECT_EQ(agent->decisions(), 52);
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[0], answers[2]);
}

TEST(SharedAgent, ProbabilitiesAreThoseOfTheNextChooseAndTakeNoStep) {
  const LinearProblem problem(300);
  auto agent = make();
  play(*agent, problem, 0, 50);
  Matrix<double> asked(300, kActions), again = asked, drawn = asked;
  agent->probabilities(Rows(problem), 1, nullptr, asked);
  agent->probabilities(Rows(problem), 2, nullptr, again);
  std::vector<Index> actions(300);
  agent->choose(Rows(problem), 1, nullptr, actions, drawn);
  EXPECT_EQ(asked, again);
  EXPECT_EQ(asked, drawn);
  EXPECT_EQ(agent->decisions(), 51);
}

TEST(SharedAgent, TheBestOfTopIsDrawnAsChooseDrawsAndAllPlacesDiffer) {
  const LinearProblem problem(4000);
  auto agent = make();
  play(*agent, problem, 0, 12);
  Matrix<Index> best(problem.steps(), kActions);
  agent->top(Rows(problem), 1, nullptr, best);
  std::vector<Index> chosen(static_cast<std::size_t>(problem.steps()));
  agent->choose(Rows(problem), 1, nullptr, chosen);
  double of_top = 0, of_choose = 0;
  for (Index t = 0; t < problem.steps(); ++t) {
    EXPECT_EQ(best.row(t).sum(), 0 + 1 + 2);
    EXPECT_EQ(best.row(t).prod(), 0);
    of_top += best(t, 0) == 0;
    of_choose += chosen[static_cast<std::size_t>(t)] == 0;
  }
  // 4 standard errors of a difference of two shares of 4000.
  EXPECT_NEAR(of_top / 4000, of_choose / 4000, 4 * std::sqrt(0.5 / 4000));
  Matrix<Index> too_many(problem.steps(), kActions + 1);
  EXPECT_EQ(error_of([&] { agent->top(Rows(problem), 1, nullptr, too_many); }),
            "the best 4 actions were asked for, and 3 are available: expected at most as many");
}

TEST(SharedAgent, SamplesOfScoresHaveTheirMeanAndDeviation) {
  const LinearProblem problem(1);
  auto agent = make("ekf:model=linear,likelihood=gaussian");
  const LinearProblem past(200);
  play(*agent, past, 0, 200);
  Matrix<float> mean(1, kActions), deviation = mean, sample = mean;
  agent->scores(ScoreKind::kMean, Rows(problem), 1, nullptr, mean);
  agent->scores(ScoreKind::kDeviation, Rows(problem), 1, nullptr, deviation);
  const int draws = 2000;
  Vector<double> sum = Vector<double>::Zero(kActions), squares = sum;
  for (int i = 0; i < draws; ++i) {
    agent->scores(ScoreKind::kSample, Rows(problem), 1, nullptr, sample);
    for (Index a = 0; a < kActions; ++a) {
      const double off = sample(0, a) - mean(0, a);
      sum[a] += off;
      squares[a] += off * off;
    }
  }
  for (Index a = 0; a < kActions; ++a) {
    EXPECT_GT(deviation(0, a), 0);
    EXPECT_NEAR(sum[a] / draws, 0, 5 * deviation(0, a) / std::sqrt(draws));
    EXPECT_NEAR(std::sqrt(squares[a] / draws) / deviation(0, a), 1, 0.15);
  }
  EXPECT_EQ(agent->decisions(), 200 + draws);
}

TEST(SharedAgent, ManyRewardsAreLearntOrNone) {
  const LinearProblem problem(2 * kLearntRows + 10);
  const auto n = static_cast<std::size_t>(problem.steps());
  std::vector<Index> actions(n);
  std::vector<float> rewards(n);
  for (std::size_t t = 0; t < n; ++t) {
    actions[t] = static_cast<Index>(t) % kActions;
    rewards[t] = problem.reward(static_cast<Index>(t), actions[t]);
  }
  auto agent = make();
  rewards[n - 2] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_of([&] { agent->observe(Rows(problem), actions, rewards); }),
            "row 2056 of 2058: the reward of action 1 is inf: expected a finite number");
  EXPECT_EQ(agent->report().steps, 0);
  rewards[n - 2] = 0;
  EXPECT_EQ(agent->observe(Rows(problem), actions, rewards), problem.steps());
  EXPECT_EQ(agent->rewards(), problem.steps());
}

TEST(SharedAgent, AFailedCallTakesNoStep) {
  const LinearProblem problem(30);
  auto agent = make(), spared = make();
  const std::vector<float> wrong(kFeatures + 1);
  SharedDecision decision;
  for (Index t = 0; t < problem.steps(); ++t) {
    const Context context{Features::dense(wrong), kActions, {}, {}};
    EXPECT_NE(error_of([&] { agent->choose(context, Answer::kAction, nullptr, decision); }), "");
    EXPECT_NE(error_of([&] { agent->observe(problem.context(t), kActions, 0); }), "");
    EXPECT_EQ(play(*agent, problem, t, t + 1), play(*spared, problem, t, t + 1));
  }
}

TEST(SharedAgent, AWarmUpThatFailsCanBeRepeated) {
  const LinearProblem problem(10);
  auto agent = make("subspace-ekf:likelihood=bernoulli,dim=5");
  const std::vector<Index> actions(10, 0);
  std::vector<float> rewards(10, 1);
  rewards[9] = 7;  // no probability of it under this likelihood
  EXPECT_NE(error_of([&] { agent->warm_up(Rows(problem), actions, rewards); }), "");
  rewards[9] = 0;
  agent->warm_up(Rows(problem), actions, rewards);
  EXPECT_EQ(agent->report().steps, 10);
  EXPECT_NE(error_of([&] { agent->warm_up(Rows(problem), actions, rewards); }), "");
}

TEST(SharedAgent, SavedAndLoadedItGoesOnWithItsStreams) {
  const LinearProblem problem(120);
  for (const std::string spec : {"linear", "auto"}) {
    auto agent = make(spec, 0x8000000000000003u);
    play(*agent, problem, 0, 60);
    ArchiveWriter out;
    agent->write(out);
    const std::string bytes = out.finish();
    auto loaded = SharedAgent::read(ArchiveReader(bytes, "saved"), "saved");
    const auto copy = agent->clone();
    EXPECT_EQ(loaded->seed(), 0x8000000000000003u);
    const auto expected = play(*agent, problem, 60, 120);
    EXPECT_EQ(play(*loaded, problem, 60, 120), expected);
    EXPECT_EQ(play(*copy, problem, 60, 120), expected);
    EXPECT_EQ(load_agent(bytes, "saved")->report().steps, 60);
  }
}

// Rewards go on coming in while three threads decide without pause.
TEST(SharedAgentThreads, ManyChooseWhileOneLearns) {
  const LinearProblem problem(400);
  for (const std::string spec : {"linear", "auto"}) {
    auto agent = make(spec);
    std::atomic<bool> done{false};
    std::atomic<std::int64_t> decided{0};
    std::vector<std::jthread> readers;
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([&] {
        SharedDecision decision;
        for (Index t = 0; !done; t = (t + 1) % problem.steps()) {
          agent->choose(problem.context(t), Answer::kWithProbabilities, nullptr, decision);
          const double sum =
              std::accumulate(decision.probabilities.begin(), decision.probabilities.end(), 0.0);
          if (std::abs(sum - 1) < 1e-6) ++decided;
        }
      });
    }
    while (decided < 3) std::this_thread::yield();
    play(*agent, problem, 0, problem.steps());
    done = true;
    readers.clear();
    EXPECT_EQ(agent->rewards(), problem.steps());
    EXPECT_EQ(agent->decisions(), problem.steps() + decided) << spec;
  }
}

}  // namespace
}  // namespace bandolier::shared_agent_test
