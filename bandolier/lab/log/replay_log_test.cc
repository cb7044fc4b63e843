#include "bandolier/lab/log/replay_log.h"

#include <gtest/gtest.h>

#include "bandolier/agent/registry.h"
#include "bandolier/lab/log/learn_log.h"
#include "bandolier/lab/log/test_log_files.h"

namespace bandolier::replay_log_test {
namespace {

using testing::error_of;
using Path = std::filesystem::path;

// Action 0 pays 1 where x is 1, action 1 where it is 0, action 2 half as often anywhere. A logger
// with these propensities in every event.
std::string log_of(Index events, const std::vector<double>& p) {
  std::string text = "x,action,reward,propensity\n";
  for (Index t = 0; t < events; ++t) {
    Random random({.seed = 9, .step = static_cast<std::uint32_t>(t)});
    const bool x = random.uniform() < 0.5;
    const double u = random.uniform();
    const Index a = u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2;
    const bool paid = a == 2 ? random.uniform() < 0.5 : (a == 0) == x;
    text +=
        fmt::format("{},{},{},{}\n", x ? 1 : 0, a, paid ? 1 : 0, p[static_cast<std::size_t>(a)]);
  }
  return text;
}

Replayed replay(const Path& path, const std::string& agent, const ReplayLogOptions& options = {}) {
  return replay_log(std::vector{path}, {}, survey_log(std::vector{path}), agent, options);
}

TEST(Replay, AcceptsAShareOfCAndEarnsWhatUniformEarnsWhateverTheLogger) {
  const testing::TestLog log;
  for (const auto& p : {std::vector<double>{0.25, 0.25, 0.5}, {0.6, 0.2, 0.2}}) {
    const Replayed r = replay(log.write("a.csv", log_of(20'000, p)), "uniform", {.seed = 3});
    const double c = *std::min_element(p.begin(), p.end());
    EXPECT_EQ(r.bound, c);
    EXPECT_EQ(r.rows, 20'000);
    // Binomial: five deviations.
    EXPECT_NEAR(static_cast<double>(r.accepted), 20'000 * c, 5 * std::sqrt(20'000 * c * (1 - c)));
    EXPECT_NEAR(r.mean, 0.5, 5 * 0.5 / std::sqrt(static_cast<double>(r.accepted)));
    EXPECT_NEAR(r.high - r.low, 2 * 1.96 * 0.5 / std::sqrt(static_cast<double>(r.accepted)), 1e-4);
  }
}

TEST(Replay, AnAgentThatLearnsFromWhatItAcceptsEarnsNearlyAllThatThereIs) {
  const testing::TestLog log;
  const Path path = log.write("a.csv", log_of(6'000, {0.2, 0.5, 0.3}));
  const Replayed r = replay(path, "linear");
  EXPECT_GT(r.mean, 0.9) << "1 is all, uniform's is a half";
  EXPECT_EQ(r.report.steps, r.accepted) << "it learns from those alone";
  const Replayed same = replay(path, "linear");
  EXPECT_EQ(same.mean, r.mean);
  EXPECT_EQ(same.accepted, r.accepted);
}

TEST(Replay, RefusesLogsThatDoNotSuitIt) {
  LogSurvey survey;
  survey.events = 1000;
  survey.least_kept = 0.005;
  EXPECT_EQ(error_of([&] { rejection_bound(survey, {}); }),
            "the bound 0.005 would accept about 5.0 of 1000 rows: replay by rejection suits logs "
            "whose propensities are not far below 1/actions; --bound C accepts more, with some "
            "bias");
  EXPECT_EQ(rejection_bound(survey, {.bound = 0.1}), 0.1);
  survey.least_probability = 0;
  EXPECT_NE(error_of([&] { rejection_bound(survey, {}); }).find("had the probability 0"),
            std::string::npos);
  survey.full_support = false;
  EXPECT_NE(error_of([&] { rejection_bound(survey, {}); }).find("shares of samples"),
            std::string::npos);
}

TEST(Replay, ABoundAboveSomePropensitiesIsCounted) {
  const testing::TestLog log;
  const Replayed r =
      replay(log.write("a.csv", log_of(3'000, {0.6, 0.3, 0.1})), "uniform", {.bound = 0.3});
  EXPECT_GT(r.above, 60);
  EXPECT_LT(r.above, r.accepted);
}

// Else an agent would match the log of its own run throughout.
TEST(Replay, DrawsNothingThatARunOfTheSameSeedHasDrawn) {
  const testing::TestLog log;
  const auto agent = make_agent("uniform", {.features = 1, .actions = 3});
  Random random({.seed = 4});
  agent->warm_up({}, random);
  const auto scratch = agent->make_scratch();
  const std::vector<float> x = {1};
  std::string text = "x,action,reward,propensity\n";
  for (std::uint32_t t = 0; t < 1000; ++t) {
    Random stream({0, Purpose::kChoose, 0, t});
    const Context context{Features::dense(x), 3, {}, {}};
    const Index action = agent->choose(context, stream, *scratch).action;
    text += fmt::format("1,{},1,{}\n", action, 1.0 / 3);
  }
  const Replayed r = replay(log.write("a.csv", text), "uniform");
  EXPECT_NEAR(static_cast<double>(r.matched), 333, 75) << "five deviations";
}

TEST(Learn, LearnsEveryRowInOrderButThoseThatAreMarked) {
  const testing::TestLog log;
  const auto line = [](int action, bool skip) {
    return fmt::format(R"({{"_label_cost":{},"_label_probability":0.5,"_labelIndex":{},)"
                       R"("c":{{"u":1,"_multi":[{{}},{{}}]}}{}}})"
                       "\n",
                       -action, action, skip ? R"(,"_skipLearn":true)" : "");
  };
  std::string text;
  for (int i = 0; i < 100; ++i) text += line(i % 2, i % 10 == 0);
  const Path path = log.write("a.dsjson", text);
  const LogSurvey survey = survey_log(std::vector{path});
  EXPECT_EQ(survey.skipped, 10);
  LoggedPlayer player("linear:policy=greedy", survey);
  const Learnt learnt = learn_log(std::vector{path}, {}, player);
  EXPECT_EQ(learnt.events, 100);
  EXPECT_EQ(learnt.skipped, 10);
  EXPECT_EQ(player.report().steps, 90);
  const LoggedEvent event = testing::events_of({path})[0];
  EXPECT_EQ(player.choose(event, 0).action, 1);
}

TEST(Learn, WeightsAreThoseOfTheRowAndAreOneOnAverage) {
  LoggedEvent event;
  event.actions = 4;
  event.propensity = 0.1;
  event.dropped = 0.5;
  EXPECT_EQ(weight_of(event, LogWeights::kNone), 1);
  EXPECT_EQ(weight_of(event, LogWeights::kDropped), 2);
  EXPECT_DOUBLE_EQ(weight_of(event, LogWeights::kIps), 5);
}

TEST(Learn, AnAgentThatTakesNoWeightsSaysSo) {
  const testing::TestLog log;
  const Path path = log.write("a.csv", log_of(30, {0.2, 0.5, 0.3}));
  const LogSurvey survey = survey_log(std::vector{path});
  LoggedPlayer player("neural-greedy:model=mlp:5", survey);
  EXPECT_EQ(error_of([&] { learn_log(std::vector{path}, {}, player, LogWeights::kIps); }),
            "agent 'neural-greedy' takes no weights: expected linear, auto, subspace-ekf, ekf or "
            "lofi, or --weights none");
}

}  // namespace
}  // namespace bandolier::replay_log_test
