#include "bandolier/lab/experiment/player.h"

#include <gtest/gtest.h>

#include <fstream>

#include "bandolier/agent/named_agent.h"
#include "bandolier/agent/registry.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/experiment/experiment.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier {
namespace {

namespace fs = std::filesystem;

// y is "high" where x is above its middle; x about `level`.
void write_table(const fs::path& path, double level, const char* colour = "red") {
  std::ofstream out(path);
  out << "x,colour,y\n";
  for (int i = 0; i < 60; ++i) {
    const int x = i * 7 % 20;
    out << level + x << ',' << (i % 3 == 0 ? colour : "blue") << ',' << (x < 10 ? "low" : "high")
        << '\n';
  }
}

Results play(const fs::path& table, const std::string& agent, const fs::path& save = {}) {
  ExperimentSettings settings;
  settings.environments = {{fmt::format("csv:{},label=y", table.string()), ""}};
  settings.agents = {{agent, ""}};
  settings.trials = 1;
  RunOptions options;
  options.save_folder = save;
  return run_experiment(make_plan(settings, 1), options);
}

fs::path only_file(const fs::path& folder) {
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
  return fs::directory_iterator(folder)->path();
}

TEST(Player, IsSavedWithNamesAndDecidesByThem) {
  const testing::TemporaryFolder folder;
  write_table(folder.path() / "a.csv", 100);
  play(folder.path() / "a.csv", "linear", folder.path() / "models");
  const NamedAgent agent = NamedAgent::load(only_file(folder.path() / "models"));
  EXPECT_EQ(agent.actions(), (std::vector<std::string>{"high", "low"}));
  NamedScratch scratch = agent.make_scratch();
  int right = 0;
  for (int i = 0; i < 20; ++i) {
    NamedValues values;
    values.number("x", i < 10 ? 101 : 118);
    values.word("colour", "blue");
    Random random({.seed = 2, .step = static_cast<std::uint32_t>(i)});
    const auto decision = agent.decide(values, {}, random, scratch);
    right += decision.action == (i < 10 ? "low" : "high");
  }
  EXPECT_GE(right, 18);
}

TEST(Player, GoesOnFromAFileWithTheFeaturesThatItLearntBy) {
  const testing::TemporaryFolder folder;
  write_table(folder.path() / "a.csv", 100);
  write_table(folder.path() / "b.csv", 105);  // other moments; half of its rows would look wrong
  play(folder.path() / "a.csv", "linear:policy=greedy", folder.path() / "models");
  const fs::path model = only_file(folder.path() / "models");
  const Results again = play(folder.path() / "a.csv", model.string());
  ASSERT_EQ(again.records.size(), 1u);
  EXPECT_EQ(again.records[0].error, "");
  EXPECT_EQ(again.records[0].result.report.steps, 120);
  EXPECT_GE(again.records[0].result.reward, 55) << "no warm-up: it knows";

  // Features are those of the saved schema: x = 105 means the same in both tables.
  ExperimentSettings settings;
  const auto environment =
      make_environment(fmt::format("csv:{},label=y", (folder.path() / "b.csv").string()));
  const Player player = make_player(settings, model.string(), *environment);
  const auto trial = trial_for(player, environment->trial(0, 0, 60));
  const auto first =
      make_environment(fmt::format("csv:{},label=y", (folder.path() / "a.csv").string()));
  const auto schema = first->trial(0, 0, 60)->schema();
  ContextBuffer buffer;
  double mean = 0;
  for (Index t = 0; t < 60; ++t) {
    mean += static_cast<double>(trial->context(t, buffer).features.values[0]) / 60;
  }
  EXPECT_NEAR(mean, 5 * schema->columns[0].inverse_deviation[0], 1e-5);
}

TEST(Player, RefusesATableOfOtherColumnsWordsOrActions) {
  const testing::TemporaryFolder folder;
  write_table(folder.path() / "a.csv", 100);
  write_table(folder.path() / "green.csv", 100, "green");
  play(folder.path() / "a.csv", "linear", folder.path() / "models");
  const std::string model = only_file(folder.path() / "models").string();
  const Results other = play(folder.path() / "green.csv", model);
  EXPECT_NE(other.records[0].error.find("column 'colour' has other words"), std::string::npos);
  ExperimentSettings settings;
  settings.environments = {{"wheel", ""}};
  settings.agents = {{model, ""}};
  EXPECT_NE(testing::error_of([&] { make_plan(settings, 1); }).find("expected the same"),
            std::string::npos);
  settings.agents = {{"nowhere.bndl", ""}};
  EXPECT_NE(testing::error_of([&] { make_plan(settings, 1); }).find("nowhere.bndl"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier
