#include "bandolier/lab/decide/decision_stream.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

using Json = nlohmann::json;

NamedAgent agent_of(std::vector<std::string> actions) {
  Random random({.seed = 1});
  NamedAgentOptions options;
  options.agent = "linear";
  options.actions = std::move(actions);
  options.slots = 16;
  return NamedAgent(options, random);
}

Request asking(const std::string& id, double x) {
  Request request;
  request.id = id;
  request.has_id = request.has_context = true;
  request.context.number("x", x);
  return request;
}

Request telling(const std::string& id, float reward) {
  Request request;
  request.id = id;
  request.has_id = true;
  request.reward = reward;
  return request;
}

TEST(DecisionStream, AnswersWithIdActionPropensityAndScores) {
  NamedAgent agent = agent_of({"a", "b"});
  DecisionStream stream(agent, {});
  const Json answer = Json::parse(stream.take(asking("\"r1\"", 2)));
  EXPECT_EQ(answer["id"], "r1");
  EXPECT_TRUE(answer["action"] == "a" || answer["action"] == "b");
  EXPECT_GT(answer["propensity"].get<double>(), 0);
  EXPECT_EQ(answer["scores"].size(), 2u);
  EXPECT_EQ(Json::parse(stream.take(asking("17", 2)))["id"], 17);
  EXPECT_EQ(stream.decided(), 2);
}

TEST(DecisionStream, LearnsFromRewardsInTheLineAndLater) {
  NamedAgent agent = agent_of({"a", "b"});
  DecisionStream stream(agent, {});
  for (int i = 0; i < 3; ++i) stream.take(asking(std::to_string(i), i));
  EXPECT_EQ(stream.take(telling("1", 1)), "");
  EXPECT_EQ(agent.report().steps, 1);
  stream.take(telling("1", 1));  // rewarded already
  stream.take(telling("9", 1));  // never asked
  EXPECT_EQ(agent.report().steps, 1);
  Request now = asking("3", 1);
  now.reward = 0.5f;
  EXPECT_NE(stream.take(now), "");
  Request elsewhere = asking("4", 1);
  elsewhere.action = "b";
  elsewhere.reward = 1.0f;
  EXPECT_EQ(stream.take(elsewhere), "");
  EXPECT_EQ(stream.learnt(), 3);
  EXPECT_EQ(agent.report().steps, 3);
  ASSERT_EQ(stream.notes().size(), 1u);
  EXPECT_EQ(stream.notes()[0].kind, "rewards-without-decision");
  EXPECT_EQ(stream.notes()[0].count, 2);
  elsewhere.action = "c";
  EXPECT_THROW(stream.take(elsewhere), Error);
}

TEST(DecisionStream, ForgetsTheOldestWhereTooManyWait) {
  NamedAgent agent = agent_of({"a", "b"});
  DecisionStreamOptions options;
  options.pending = 2;
  DecisionStream stream(agent, options);
  for (int i = 0; i < 3; ++i) stream.take(asking(std::to_string(i), i));
  stream.take(telling("0", 1));
  EXPECT_EQ(stream.learnt(), 0);
  stream.take(telling("2", 1));
  stream.take(telling("1", 1));
  EXPECT_EQ(stream.learnt(), 2);
  EXPECT_EQ(stream.notes().size(), 2u);
}

TEST(DecisionStream, OffersActionsThatChange) {
  NamedAgent agent = agent_of({});
  DecisionStream stream(agent, {});
  Request request = asking("1", 1);
  EXPECT_THROW(stream.take(request), Error);
  request.actions = {"p", "q"};
  request.of_actions.resize(2);
  const Json answer = Json::parse(stream.take(request));
  EXPECT_EQ(answer["scores"].size(), 2u);
  EXPECT_TRUE(answer["scores"].contains(answer["action"].get<std::string>()));
}

TEST(DecisionStream, TheSameSeedGivesTheSameDecisions) {
  NamedAgent one = agent_of({"a", "b", "c"}), two = one.clone();
  DecisionStream first(one, {}), second(two, {});
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(first.take(asking(std::to_string(i), i)), second.take(asking(std::to_string(i), i)));
  }
}

}  // namespace
}  // namespace bandolier
