#include "bandolier/lab/log/logged_player.h"

#include <gtest/gtest.h>

#include "bandolier/lab/env/test_data.h"
#include "testing/errors.h"

namespace bandolier::logged_player_test {
namespace {

using testing::error_of;

// Four contexts in turn; "tea" pays 1 where the visitor is British, "coffee" where not; a third
// action pays half. `named`: by names; else as lists of numbers.
std::string log_of(Index events, bool named) {
  std::string text;
  for (Index t = 0; t < events; ++t) {
    const bool british = t % 4 < 2;
    const Index action = (t / 4 + t) % 3;
    const double reward = action == 2 ? 0.5 : (action == 0) == british ? 1 : 0;
    const std::string context =
        named ? fmt::format(R"("country":"{}","hour":{})", british ? "GB" : "IT", t % 4)
              : fmt::format(R"("x":[{},{},1])", british ? 1 : -1, t % 4);
    const char* items = named ? R"({"id":"tea"},{"id":"coffee"},{"id":"juice"})"
                              : R"({"id":"0"},{"id":"1"},{"id":"2"})";
    text += fmt::format(
        R"({{"_label_cost":{},"_label_probability":0.3333,"_labelIndex":{},"c":{{{},"_multi":[{}]}}}})"
        "\n",
        -reward, action, context, items);
  }
  return text;
}

struct Played {
  double right = 0;  // share of the last 40 choices
  double first = 0;  // probability of action 0 in the last event
};

Played play(LoggedPlayer& player, const std::filesystem::path& path) {
  const auto reader = open_log(std::vector{path});
  Played played;
  std::int64_t step = 0;
  for (LoggedEvent event; reader->next(event); ++step) {
    const LoggedAnswer answer = player.decide(event, step);
    double sum = 0;
    for (const double q : answer.probabilities) sum += q;
    EXPECT_NEAR(sum, 1, 1e-9);
    if (step >= 260) played.right += (answer.action == (step % 4 < 2 ? 0 : 1)) / 40.0;
    played.first = answer.probabilities[0];
    EXPECT_TRUE(player.observe(event, step));
  }
  return played;
}

class LoggedPlayers : public ::testing::TestWithParam<bool> {};

TEST_P(LoggedPlayers, LearnFromALogWhatItsRewardsSayAndGoOnFromAFile) {
  const testing::TemporaryFolder folder;
  const auto path = testing::write_file(folder, "log.dsjson", log_of(300, GetParam()));
  const LogSurvey survey = survey_log(std::vector{path});
  EXPECT_EQ(survey.events, 300);
  EXPECT_TRUE(survey.fixed_actions);
  EXPECT_EQ(survey.dense, !GetParam());
  EXPECT_EQ(survey.action_names.size(), 3u);
  LoggedPlayer player("linear", survey, {.seed = 5});
  EXPECT_GT(play(player, path).right, 0.8) << "a third of uniform's choices are right";
  EXPECT_EQ(player.report().steps, 300);
  const auto model = folder.path() / "m.bndl";
  player.save(model);
  LoggedPlayer again(model.string(), survey, {.seed = 5});
  EXPECT_EQ(again.report().steps, 300);
  LoggedPlayer copy = player.clone();
  EXPECT_EQ(play(again, path).first, play(copy, path).first);
}

INSTANTIATE_TEST_SUITE_P(ByNamesAndDense, LoggedPlayers, ::testing::Bool());

TEST(LoggedPlayer, RefusesASavedAgentOfOtherFeatures) {
  const testing::TemporaryFolder folder;
  const auto path = testing::write_file(folder, "log.dsjson", log_of(8, false));
  LogSurvey survey = survey_log(std::vector{path});
  const auto model = folder.path() / "m.bndl";
  LoggedPlayer("linear", survey).save(model);
  survey.features = 4;
  EXPECT_NE(
      error_of([&] { LoggedPlayer(model.string(), survey); })
          .find("is an agent of 3 features, 3 actions and 0 features of each, and the log has "
                "4, 3 and 0"),
      std::string::npos);
}

TEST(LoggedPlayer, MapsAnEventsPlacesToTheAgentsWhereSomeActionsAreMissing) {
  const testing::TemporaryFolder folder;
  const auto line = [](const char* items, int action, double reward) {
    return fmt::format(R"({{"_label_cost":{},"_label_probability":0.5,"_labelIndex":{},)"
                       R"("c":{{"u":"a","_multi":[{}]}}}})"
                       "\n",
                       -reward, action, items);
  };
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += line(R"({"id":"tea"},{"id":"coffee"},{"id":"juice"})", 0, 0);
    text += line(R"({"id":"juice"},{"id":"tea"})", 0, 1);
  }
  const auto path = testing::write_file(folder, "log.dsjson", text);
  const LogSurvey survey = survey_log(std::vector{path});
  EXPECT_EQ(survey.action_names, (std::vector<std::string>{"coffee", "juice", "tea"}));
  LoggedPlayer player("linear:policy=greedy", survey);
  const auto reader = open_log(std::vector{path});
  LoggedEvent event;
  for (int i = 0; i < 80; ++i) {
    ASSERT_TRUE(reader->next(event));
    player.observe(event, i);
  }
  const LoggedAnswer answer = player.decide(event, 80);
  ASSERT_EQ(answer.probabilities.size(), 2u);
  ASSERT_EQ(answer.scores.size(), 2u);
  EXPECT_EQ(answer.action, 0) << "juice, all that ever paid";
  EXPECT_GT(answer.scores[0], answer.scores[1]);
  EXPECT_EQ(player.place(0), 1);
}

}  // namespace
}  // namespace bandolier::logged_player_test
