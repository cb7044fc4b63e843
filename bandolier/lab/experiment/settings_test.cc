#include "bandolier/lab/experiment/settings.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"
#include "bandolier/lab/log/json_text.h"
#include "testing/errors.h"

namespace bandolier::settings_test {
namespace {

ExperimentSettings example() {
  ExperimentSettings settings;
  settings.name = "a title";
  settings.command = "bandolier paper tabular --quick --seed 3";
  settings.environments = {{"wheel", "W"}, {"linear:features=3"}};
  settings.agents = {{"linear", "L"}, {"uniform", ""}};
  settings.steps = 100;
  settings.trials = 4;
  settings.seed = 9223372036854775807;
  settings.warmup_feedback = WarmupFeedback::kFull;
  return settings;
}

TEST(Settings, ComeBackFromTheirJson) {
  const ExperimentSettings settings = example();
  EXPECT_EQ(to_json(settings_from_json(to_json(settings))), to_json(settings));
  EXPECT_EQ(settings_from_json(to_json(settings)).seed, settings.seed);
  EXPECT_EQ(settings_from_json(to_json(settings)).command, settings.command);
}

TEST(Settings, ReadFromJsonAreCheckedAsTypedOnesAre) {
  for (const auto& [key, value] : {std::pair("trials", -1), {"seed", -5}, {"steps", 0}}) {
    auto json = to_json(example());
    json[key] = value;
    EXPECT_THROW(settings_from_json(json), Error) << key;
  }
  auto json = to_json(example());
  json["env"] = std::vector<std::string>();
  EXPECT_THROW(settings_from_json(json), Error);
}

using Specs = std::vector<std::string>;

ExperimentSettings with_agents(const Specs& agents) {
  ExperimentSettings settings = example();
  settings.agents.clear();
  for (const auto& spec : agents) settings.agents.push_back({spec});
  return settings;
}

TEST(Settings, UnitedHaveTheAgentsOfBothInTheOrderOfTheOneThatHasAll) {
  const auto agents = [](const Specs& there, const Specs& more) {
    return specs_of(united(with_agents(there), with_agents(more)).agents);
  };
  EXPECT_EQ(agents({"b"}, {"a", "b"}), (Specs{"a", "b"}));
  EXPECT_EQ(agents({"a", "b"}, {"b"}), (Specs{"a", "b"}));
  EXPECT_EQ(agents({"a", "b"}, {"c", "b"}), (Specs{"a", "b", "c"}));
  EXPECT_EQ(agents({"a", "b"}, {"b", "a"}), (Specs{"b", "a"}));
}

TEST(Settings, UnitedHaveTheMostTrialsAndTheFirstTitleAndLabels) {
  ExperimentSettings more = example();
  more.name = more.command = "another";
  more.trials = 7;
  more.agents[0].label = "another";
  more.environments.push_back({"items", "I"});
  const ExperimentSettings both = united(example(), more);
  EXPECT_EQ(both.name, example().name);
  EXPECT_EQ(both.command, example().command);
  EXPECT_EQ(both.trials, 7);
  EXPECT_EQ(both.agents[0].label, "L");
  EXPECT_EQ(both.environments.back().label, "I");
  EXPECT_EQ(united(more, example()).trials, 7);
}

TEST(Settings, ThatWouldGiveOtherTrialsAreNotUnited) {
  const auto refused = [](const std::string& expected, auto change) {
    ExperimentSettings other = example();
    change(other);
    EXPECT_EQ(testing::error_of([&] { united(example(), other); }), expected);
  };
  refused("seed is 9223372036854775807 there and 1 here", [](auto& s) { s.seed = 1; });
  refused("steps is 100 there and null here", [](auto& s) { s.steps.reset(); });
  refused("warmup_pulls is 2 there and 3 here", [](auto& s) { s.warmup_pulls = 3; });
  refused("probabilities is null there and true here", [](auto& s) { s.probabilities = true; });
  refused("agent label 'L' is given twice: expected it once", [](auto& s) {
    s.agents = {{"auto", "L"}};
  });
}

TEST(Settings, TextsThatAreNotUtf8ComeBackAsTheirFilesHaveThem) {
  ExperimentSettings settings = example();
  settings.environments = {{"csv:\xff.csv"}, {"csv:\xfe.csv"}};
  EXPECT_THROW(check(settings), Error);  // the same in a file
  settings.environments.pop_back();
  EXPECT_EQ(through_json(settings.environments[0].spec), "csv:\uFFFD.csv");
  EXPECT_NO_THROW(json_text(to_json(settings)));
}

}  // namespace
}  // namespace bandolier::settings_test
