#include "bandolier/lab/evaluation/predictions.h"

#include <gtest/gtest.h>

#include "testing/errors.h"

namespace bandolier::predictions_test {

using testing::error_of;

// Decisions without anything to tell them apart: a prediction is the mean of the rewards seen,
// drawn towards 0 by a quarter of a row (the agent's lambda).
std::vector<LoggedEvent> events(const std::vector<double>& rewards) {
  std::vector<LoggedEvent> out;
  for (const double reward : rewards) {
    LoggedEvent& event = out.emplace_back();
    event.dense = true;
    event.features = {0};
    event.actions = 2;
    event.action_names = {"", ""};
    event.action_ids = {0, 1};
    event.reward = reward;
    event.propensity = 0.5;
  }
  return out;
}

LogSurvey survey(const std::vector<LoggedEvent>& log) {
  LogSurveyor surveyor;
  for (const LoggedEvent& event : log) surveyor.look_at(event);
  return surveyor.finish({});
}

TEST(FoldedPredictions, PredictAFoldByTheOthersAlone) {
  std::vector<double> rewards;
  for (int i = 0; i < 300; ++i) rewards.push_back(i % 3);  // a fold's reward is its number
  const auto log = events(rewards);
  FoldedPredictions predictions("linear", 3, survey(log));
  for (std::size_t i = 0; i < log.size(); ++i) {
    predictions.teach(log[i], static_cast<std::int64_t>(i));
  }
  const double expected[] = {1.5, 1, 0.5};
  for (std::int64_t row = 0; row < 6; ++row) {
    const auto q = predictions.of(log[static_cast<std::size_t>(row)], row);
    ASSERT_EQ(q.size(), 2u);
    EXPECT_NEAR(q[0], expected[row % 3] * 200 / 200.25, 1e-4) << row;
    // Never taken: 0, or the least reward that the other folds have.
    EXPECT_NEAR(q[1], row % 3 == 0 ? 1 : 0, 1e-4) << row;
  }
}

TEST(PastPredictions, KnowTheRowsBeforeAndNoneAfter) {
  const auto log = events({4, 2, 3, 100});
  const auto predictions = past_predictions(RewardLearner("linear", survey(log)));
  // 4/1.25 is below all rewards so far.
  const double expected[] = {0, 4, 6 / 2.25, 9 / 3.25};
  for (std::int64_t row = 0; row < 4; ++row) {
    const LoggedEvent& event = log[static_cast<std::size_t>(row)];
    EXPECT_NEAR(predictions->of(event, row)[0], expected[row], 1e-4) << row;
    predictions->learn(event, row);
  }
}

TEST(RewardLearner, TakesAgentsThatPredict) {
  const auto log = events({1, 0});
  const LogSurvey shape = survey(log);
  const auto refusal = [&](const char* agent) {
    return error_of([&] { RewardLearner learner(agent, shape); });
  };
  EXPECT_EQ(refusal("linear:lambda=1"), "");
  EXPECT_EQ(refusal("auto"), "");
  EXPECT_EQ(refusal("linear:policy=greedy"), "");
  EXPECT_NE(refusal("linear:policy=thompson").find("more than predictions"), std::string::npos);
  EXPECT_NE(refusal("uniform").find("predicts nothing"), std::string::npos);
  EXPECT_NE(refusal("liner").find("'linear'"), std::string::npos);
}

}  // namespace bandolier::predictions_test
