// What every registered agent promises: what it takes, and what it refuses unharmed.
#include <cmath>
#include <limits>

#include "bandolier/agent/test_conformance.h"

namespace bandolier::conformance_test {
namespace {

// A saved agent's bytes without the count of refused rewards and the checksum.
std::string but_for_refusals(const std::string& bytes) {
  const std::string_view field = "\1\7refused";  // type and length of the name (archive_format.h)
  const std::size_t value = bytes.find(field) + field.size() + 8;
  EXPECT_LT(value, bytes.size());
  return bytes.substr(0, value) + bytes.substr(value + 8, bytes.size() - 4 - (value + 8));
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

// A regression and a filter would not stay finite. A trained network stores the reward.
TEST_P(Conformance, ARefusedRewardLeavesNothingButACount) {
  if (!has_filters() && entry().name != "linear") GTEST_SKIP() << GetParam() << " stores it";
  const LinearProblem problem(kWarmUp + 40);
  auto agent = trained(problem, 20);
  auto scratch = agent->make_scratch();
  Random random = stream(Purpose::kChoose, 1);
  const std::string before = but_for_refusals(save_agent(*agent));
  const Decision decision = agent->choose(problem.context(30), random, *scratch);
  EXPECT_FALSE(agent->observe({problem.context(30), decision.action, 1e38f, decision.ticket},
                              random, *scratch));
  EXPECT_FALSE(agent->observe({problem.context(30), 0, -1e38f}, random, *scratch));
  EXPECT_EQ(agent->report().steps, kWarmUp + 20);
  EXPECT_EQ(agent->report().notes.back().kind, "rewards-refused");
  EXPECT_EQ(agent->report().notes.back().count, 2);
  EXPECT_EQ(but_for_refusals(save_agent(*agent)), before);
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

TEST_P(Conformance, AChangingSetOfActionsIsServedOrRefused) {
  if (!learns()) GTEST_SKIP() << "uniform takes any";
  const ProblemShape shape{
      .features = kFeatures, .actions = kActions, .action_features = 2, .fixed_actions = false};
  const bool linear = entry().name == "linear";
  if (!has_option("encoding") && !linear) {
    EXPECT_THROW(make_agent(GetParam(), shape), Error);
    return;
  }
  auto agent = make_agent(linear ? GetParam() : with("encoding=concat"), shape);
  Random random = stream(Purpose::kWarmUp, 0);
  agent->warm_up({}, random);
  auto scratch = agent->make_scratch();
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

}  // namespace
}  // namespace bandolier::conformance_test
