#include "bandolier/lab/experiment/settings.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"

namespace bandolier::settings_test {
namespace {

ExperimentSettings example() {
  ExperimentSettings settings;
  settings.name = "a title";
  settings.command = "bandolier paper tabular --quick --seed 3";
  settings.environments = {"wheel", "linear:features=3"};
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

TEST(Settings, IdentityIsWhatDecidesTheResults) {
  ExperimentSettings same = example();
  same.name = same.command = "";
  same.agents[0].label = "";
  EXPECT_EQ(settings_identity(to_json(same)), settings_identity(to_json(example())));
  ExperimentSettings other = example();
  other.agents[0].spec = "linear:lambda=1";
  EXPECT_NE(settings_identity(to_json(other)), settings_identity(to_json(example())));
}

}  // namespace
}  // namespace bandolier::settings_test
