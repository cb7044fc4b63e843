// What every registered agent promises, tested on one small linear problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "bandolier/agent/registry.h"
#include "bandolier/core/file.h"
#include "testing/allocations.h"
#include "testing/temporary.h"

namespace bandolier::conformance_test {
namespace {

constexpr Index kFeatures = 4;
constexpr Index kActions = 3;
constexpr Index kWarmUp = 2 * kActions;
const ProblemShape kShape{.features = kFeatures, .actions = kActions};

// x ~ N(0, I); the reward of action a is xᵀβ_a + 0.1·noise. Pure in t; contexts are kept alive.
class LinearProblem {
 public:
  explicit LinearProblem(Index steps, std::uint64_t seed = 1)
      : x_(steps, kFeatures), beta_(kActions, kFeatures), noise_(steps, kActions) {
    Random random({.seed = seed});
    random.fill_normal(VectorMap<float>(beta_.data(), beta_.size()));
    beta_.rowwise().normalize();
    random.fill_normal(VectorMap<float>(x_.data(), x_.size()));
    random.fill_normal(VectorMap<float>(noise_.data(), noise_.size()));
  }

  Index steps() const { return x_.rows(); }
  std::span<const float> features(Index t) const {
    return {x_.data() + t * kFeatures, static_cast<std::size_t>(kFeatures)};
  }
  Context context(Index t) const { return {Features::dense(features(t)), kActions, {}, {}}; }
  float expected(Index t, Index action) const { return x_.row(t).dot(beta_.row(action)); }
  float best(Index t) const { return (beta_ * x_.row(t).transpose()).maxCoeff(); }
  float mean(Index t) const { return (beta_ * x_.row(t).transpose()).mean(); }
  float reward(Index t, Index action) const {
    return expected(t, action) + 0.1f * noise_(t, action);
  }

 private:
  Matrix<float> x_, beta_, noise_;
};

Random stream(Purpose purpose, Index step) {
  return Random({.seed = 7, .purpose = purpose, .step = static_cast<std::uint32_t>(step)});
}

// Warm-up over the problem's first `pulls` steps, actions in turn.
void warm_up(Agent& agent, const LinearProblem& problem, Index pulls = kWarmUp) {
  std::vector<Experience> experience;
  for (Index t = 0; t < pulls; ++t) {
    experience.push_back({problem.context(t), t % kActions, problem.reward(t, t % kActions)});
  }
  Random random = stream(Purpose::kWarmUp, 0);
  agent.warm_up(experience, random);
}

// Decides and learns at steps [begin, end) with the streams of those steps.
std::vector<Index> play(Agent& agent, const LinearProblem& problem, Index begin, Index end,
                        bool use_ticket = true) {
  std::vector<Index> actions;
  auto scratch = agent.make_scratch();
  for (Index t = begin; t < end; ++t) {
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const Context context = problem.context(t);
    const Decision decision = agent.choose(context, choose, *scratch);
    actions.push_back(decision.action);
    if (!use_ticket) scratch = agent.make_scratch();
    agent.observe({context, decision.action, problem.reward(t, decision.action),
                   use_ticket ? decision.ticket : 0},
                  observe, *scratch);
  }
  return actions;
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  const AgentEntry& entry() const { return find_agent(GetParam().substr(0, GetParam().find(':'))); }
  // The agent with one more option.
  std::string with(const std::string& option) const {
    return GetParam() + (GetParam().find(':') == std::string::npos ? ":" : ",") + option;
  }
  std::unique_ptr<Agent> make() const { return make_agent(GetParam(), kShape); }
  std::unique_ptr<Agent> trained(const LinearProblem& problem, Index steps) const {
    auto agent = make();
    warm_up(*agent, problem);
    play(*agent, problem, kWarmUp, kWarmUp + steps);
    return agent;
  }
  bool learns() const { return GetParam() != "uniform"; }
  bool has_option(const std::string& name) const {
    for (const auto& option : entry().options()) {
      if (option.name == name) return true;
    }
    return false;
  }
};

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
  const LinearProblem problem(kWarmUp + 100);
  auto first = make(), second = make();
  warm_up(*first, problem);
  warm_up(*second, problem);
  EXPECT_EQ(play(*first, problem, kWarmUp, problem.steps()),
            play(*second, problem, kWarmUp, problem.steps()));
}

TEST_P(Conformance, SavedAndLoadedOrClonedItTakesTheSameNext200Actions) {
  const LinearProblem problem(kWarmUp + 230);
  auto agent = trained(problem, 30);
  const testing::TemporaryFolder folder;
  const auto path = folder / "saved";
  save_agent(path, GetParam(), kShape, *agent);
  SavedAgent saved = load_agent(path);
  auto clone = agent->clone();
  EXPECT_EQ(saved.spec, GetParam());
  EXPECT_EQ(saved.agent->report().steps, kWarmUp + 30);
  EXPECT_EQ(saved.agent->report().belief_bytes, agent->report().belief_bytes);
  const auto actions = play(*agent, problem, kWarmUp + 30, problem.steps());
  EXPECT_EQ(play(*saved.agent, problem, kWarmUp + 30, problem.steps()), actions);
  EXPECT_EQ(play(*clone, problem, kWarmUp + 30, problem.steps()), actions);
}

TEST_P(Conformance, ACloneDoesNotLearnWithTheOriginal) {
  const LinearProblem problem(kWarmUp + 120);
  auto agent = trained(problem, 20);
  auto clone = agent->clone(), untouched = agent->clone();
  play(*agent, problem, kWarmUp + 20, kWarmUp + 60);
  EXPECT_EQ(clone->report().steps, kWarmUp + 20);
  EXPECT_EQ(play(*clone, problem, kWarmUp + 60, problem.steps()),
            play(*untouched, problem, kWarmUp + 60, problem.steps()));
}

TEST_P(Conformance, BeliefStaysTheSameSizeWhereItPromisesSo) {
  const LinearProblem problem(kWarmUp + 200);
  auto agent = trained(problem, 20);
  const std::size_t before = agent->report().belief_bytes;
  play(*agent, problem, kWarmUp + 20, problem.steps());
  if (entry().flat_memory) {
    EXPECT_EQ(agent->report().belief_bytes, before);
  } else {
    EXPECT_GT(agent->report().belief_bytes, before);
  }
}

TEST_P(Conformance, ChooseAndObserveAllocateNothingInTheSteadyState) {
  if (!entry().flat_memory) GTEST_SKIP() << GetParam() << " stores its data";
  const LinearProblem problem(kWarmUp + 150);
  auto agent = trained(problem, 50);
  auto scratch = agent->make_scratch();
  for (Index t = kWarmUp + 50; t < problem.steps(); ++t) {
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const std::int64_t before = testing::allocations();
    const Decision decision = agent->choose(problem.context(t), choose, *scratch);
    agent->observe(
        {problem.context(t), decision.action, problem.reward(t, decision.action), decision.ticket},
        observe, *scratch);
    // The scratch grows in its first steps.
    if (t >= kWarmUp + 60) {
      EXPECT_EQ(testing::allocations(), before) << "step " << t;
    }
  }
}

TEST_P(Conformance, ObserveIsTheSameWithAndWithoutTheDecisionsTicket) {
  const LinearProblem problem(kWarmUp + 150);
  auto with = trained(problem, 20);
  auto without = with->clone();
  EXPECT_EQ(play(*with, problem, kWarmUp + 20, problem.steps(), true),
            play(*without, problem, kWarmUp + 20, problem.steps(), false));
}

TEST_P(Conformance, RewardsMayComeLateAndInAnyOrderWithOrWithoutTickets) {
  const LinearProblem problem(kWarmUp + 150);
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
  const LinearProblem problem(kWarmUp + 120);
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

TEST_P(Conformance, ManyThreadsChooseAtOnceAsOneDoes) {
  const LinearProblem problem(kWarmUp + 200);
  const auto agent = trained(problem, 20);
  const auto decide = [&](std::vector<Index>& actions) {
    auto scratch = agent->make_scratch();
    for (Index t = 0; t < problem.steps(); ++t) {
      Random random = stream(Purpose::kChoose, t);
      actions.push_back(agent->choose(problem.context(t), random, *scratch).action);
    }
  };
  std::vector<Index> alone, left, right;
  decide(alone);
  std::thread one([&] { decide(left); }), two([&] { decide(right); });
  one.join();
  two.join();
  EXPECT_EQ(left, alone);
  EXPECT_EQ(right, alone);
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

TEST_P(Conformance, SparseContextsScoreAsDenseOnes) {
  const LinearProblem problem(kWarmUp + 50);
  const auto agent = trained(problem, 20);
  auto scratch = agent->make_scratch(), other = agent->make_scratch();
  const std::vector<float> dense = {0, 1.5f, 0, -0.5f}, values = {1.5f, -0.5f};
  const std::vector<std::int32_t> indices = {1, 3};
  Random first = stream(Purpose::kChoose, 1), second = first;
  const auto expected =
      agent->choose({Features::dense(dense), kActions, {}, {}}, first, *scratch).scores;
  const auto scores =
      agent->choose({{values, indices, kFeatures}, kActions, {}, {}}, second, *other).scores;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    EXPECT_NEAR(scores[a], expected[a], 1e-4 * (1 + std::abs(expected[a])));
  }
}

TEST_P(Conformance, BadInputIsAnErrorAndChangesNothing) {
  const LinearProblem problem(kWarmUp + 80);
  auto agent = trained(problem, 20);
  auto untouched = agent->clone();
  auto scratch = agent->make_scratch();
  Random random = stream(Purpose::kChoose, 1);
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();

  std::vector<std::pair<std::string, Context>> wrong;
  const std::vector<float> few(kFeatures - 1, 1), nan = {1, kNan, 1, 1}, inf = {1, 1, 1, kInf};
  const std::vector<float> one = {1}, action_features(kActions, 1);
  const std::vector<std::int32_t> beyond = {kFeatures};
  wrong.push_back({"too few features", {Features::dense(few), kActions, {}, {}}});
  wrong.push_back({"NaN feature", {Features::dense(nan), kActions, {}, {}}});
  wrong.push_back({"infinite feature", {Features::dense(inf), kActions, {}, {}}});
  wrong.push_back({"sparse index", {{one, beyond, kFeatures}, kActions, {}, {}}});
  wrong.push_back({"too many actions", {problem.context(0).features, kActions + 1, {}, {}}});
  wrong.push_back(
      {"action features", {problem.context(0).features, kActions, action_features, {}}});
  for (const auto& [what, context] : wrong) {
    EXPECT_THROW(agent->choose(context, random, *scratch), Error) << what;
    EXPECT_THROW(agent->observe({context, 0, 1}, random, *scratch), Error) << what;
    auto fresh = make();
    const Experience experience[] = {{problem.context(0), 0, 1}, {context, 0, 1}};
    EXPECT_THROW(fresh->warm_up(experience, random), Error) << what;
  }
  const Context good = problem.context(0);
  for (const float reward : {kNan, kInf, -kInf}) {
    EXPECT_THROW(agent->observe({good, 0, reward}, random, *scratch), Error) << reward;
  }
  for (const Index action : {Index{-1}, kActions}) {
    EXPECT_THROW(agent->observe({good, action, 1}, random, *scratch), Error) << action;
  }
  EXPECT_EQ(play(*agent, problem, kWarmUp + 20, problem.steps()),
            play(*untouched, problem, kWarmUp + 20, problem.steps()));
}

TEST_P(Conformance, UnknownOptionsAndNonsenseValuesAreErrors) {
  EXPECT_THROW(make_agent(with("no_such_option=1"), kShape), Error);
  for (const auto& option : entry().options()) {
    EXPECT_THROW(make_agent(entry().name + ":" + option.name + "=!?", kShape), Error)
        << option.name;
  }
}

TEST_P(Conformance, TypedDefaultsMakeTheSameAgent) {
  if (GetParam() != entry().name) GTEST_SKIP() << "these are no defaults";
  OptionTexts typed;
  for (const auto& option : entry().options()) typed[option.name] = option.value;
  const LinearProblem problem(kWarmUp + 60);
  auto agent = make(), same = entry().make(typed, kShape);
  warm_up(*agent, problem);
  warm_up(*same, problem);
  EXPECT_EQ(play(*agent, problem, kWarmUp, problem.steps()),
            play(*same, problem, kWarmUp, problem.steps()));
}

TEST_P(Conformance, DamagedAndForeignFilesAreErrors) {
  const LinearProblem problem(kWarmUp + 20);
  const auto agent = trained(problem, 20);
  const testing::TemporaryFolder folder;
  const auto path = folder / "damaged";
  save_agent(path, GetParam(), kShape, *agent);
  const std::string bytes = read_file(path);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    write_file_atomically(path, std::string_view(bytes).substr(0, length));
    EXPECT_THROW(load_agent(path), Error) << length << " of " << bytes.size() << " bytes";
  }
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 4);
  write_file_atomically(path, flipped);
  EXPECT_THROW(load_agent(path), Error);

  // Another agent's state, and that of a larger problem.
  const std::string other_name = entry().name == "linear" ? "uniform" : "linear";
  ArchiveWriter other;
  make_agent(other_name, kShape)->save(other);
  EXPECT_THROW(
      {
        ArchiveReader in(other.finish(), "other");
        make()->load(in);
        in.expect_end();
      },
      Error);
  if (!learns()) return;
  auto larger = make_agent(GetParam(), {.features = kFeatures + 1, .actions = kActions});
  Random random = stream(Purpose::kWarmUp, 0);
  larger->warm_up({}, random);
  ArchiveWriter out;
  larger->save(out);
  EXPECT_THROW(
      {
        ArchiveReader in(out.finish(), "larger");
        make()->load(in);
        in.expect_end();
      },
      Error);
}

TEST_P(Conformance, AChangingSetOfActionsIsServedOrRefused) {
  if (!learns()) GTEST_SKIP() << "uniform takes any";
  const ProblemShape shape{
      .features = kFeatures, .actions = kActions, .action_features = 2, .fixed_actions = false};
  if (!has_option("encoding")) {
    EXPECT_THROW(make_agent(GetParam(), shape), Error);
    return;
  }
  auto agent = make_agent(with("encoding=concat"), shape);
  auto scratch = agent->make_scratch();
  Random random = stream(Purpose::kWarmUp, 0);
  agent->warm_up({}, random);
  const LinearProblem problem(40);
  const std::vector<float> action_features = {1, 0, 0, 1, 1, 1};
  const std::vector<std::int64_t> ids = {100, 7, 12345678901};
  for (Index t = 0; t < problem.steps(); ++t) {
    const Index actions = 1 + t % kActions;
    const auto count = static_cast<std::size_t>(actions);
    const Context context{Features::dense(problem.features(t)), actions,
                          std::span(action_features).first(2 * count), std::span(ids).first(count)};
    const Decision decision = agent->choose(context, random, *scratch);
    ASSERT_LT(decision.action, actions);
    ASSERT_EQ(decision.scores.size(), count);
    agent->observe({context, decision.action, 1, decision.ticket}, random, *scratch);
  }
}

std::vector<std::string> agent_names() {
  std::vector<std::string> names;
  for (const auto& entry : agents()) names.push_back(entry.name);
  // And those that options make another agent of.
  for (const char* spec :
       {"subspace-ekf:basis=gaussian,precision=half", "subspace-ekf:temperature=1",
        "subspace-ekf:head=full,skip=true", "subspace-ekf:head=full,joint=true,model=mlp:10,dim=20",
        "linear:policy=ucb", "linear:soft_clip=true", "linear:optimism=1"}) {
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
