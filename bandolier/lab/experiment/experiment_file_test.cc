#include "bandolier/lab/experiment/experiment_file.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"
#include "bandolier/lab/experiment/experiment.h"
#include "testing/errors.h"

namespace bandolier::experiment_file_test {
namespace {

std::string error_of(const std::string& toml) {
  try {
    parse_experiment(toml, "x.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ExperimentFile, EveryKeyIsRead) {
  const ExperimentFile file = parse_experiment(R"(
name = "t"
env = ["wheel", {name = "linear", title = "late", delay = 3}]
steps = 50
trials = 3
seed = 7
warmup-pulls = 4
warmup-feedback = "full"
baseline = "linear"
jobs = 2
out = "o"
save = "s"
format = "json"
actions = true
quiet = true

[[agent]]
name = "linear"

[[agent]]
name = "subspace-ekf"
label = "ours"
basis = "svd"
dim = 200
prior_variance = 0.5
filter_warmup = true
)",
                                               "x.toml");
  const ExperimentSettings& s = file.settings;
  EXPECT_EQ(s.name, "t");
  EXPECT_EQ(specs_of(s.environments), (std::vector<std::string>{"wheel", "linear:delay=3"}));
  EXPECT_EQ(s.environments[0].shown(), "wheel");
  EXPECT_EQ(s.environments[1].shown(), "late");
  ASSERT_EQ(s.agents.size(), 2U);
  EXPECT_EQ(s.agents[0].spec, "linear");
  EXPECT_EQ(s.agents[1].spec,
            "subspace-ekf:basis=svd,dim=200,filter_warmup=true,prior_variance=0.5");
  EXPECT_EQ(s.agents[1].label, "ours");
  EXPECT_EQ(s.steps, 50);
  EXPECT_EQ(s.trials, 3);
  EXPECT_EQ(s.seed, 7);
  EXPECT_EQ(s.warmup_pulls, 4);
  EXPECT_EQ(s.warmup_feedback, WarmupFeedback::kFull);
  EXPECT_EQ(file.choices.baseline, "linear");
  EXPECT_EQ(file.choices.jobs, 2);
  EXPECT_EQ(file.choices.out, "o");
  EXPECT_EQ(file.choices.save, "s");
  EXPECT_EQ(file.choices.format, "json");
  EXPECT_EQ(file.choices.quiet, true);
}

TEST(ExperimentFile, WithoutAgentsTheDefaultsAreLinearAutoAndUniform) {
  const auto file = parse_experiment("env = \"wheel\"", "x.toml");
  EXPECT_EQ(specs_of(file.settings.environments), std::vector<std::string>{"wheel"});
  ASSERT_EQ(file.settings.agents.size(), 3U);
  EXPECT_EQ(file.settings.agents[1].spec, "auto");
}

TEST(ExperimentFile, AValueWithACommaIsQuotedInTheSpec) {
  const auto file = parse_experiment("env = [{name = \"csv:a.csv\", label = \"x,y\"}]", "x.toml");
  EXPECT_EQ(file.settings.environments[0].spec, "csv:a.csv,label=\"x,y\"");
}

TEST(ExperimentFile, AListOfTextsIsJoinedByPlus) {
  const auto file = parse_experiment(
      "env = [{name = \"csv\", path = \"a.csv\", label = \"y\", drop = [\"id\", \"date\"]}]",
      "x.toml");
  EXPECT_EQ(file.settings.environments[0].spec, "csv:a.csv,drop=id+date,label=y");
  EXPECT_EQ(error_of("env = [{name = \"csv\", drop = [\"a+b\"]}]"),
            "x.toml:1: drop has 'a+b' in its list: expected a text without + and comma; a column "
            "goes by its number too");
  EXPECT_EQ(error_of("env = [{name = \"csv\", drop = [1]}]"),
            "x.toml:1: drop is not a text: expected drop = \"...\"");
}

TEST(ExperimentFile, PathsOfCsvAndIdxComeFirst) {
  const auto file = parse_experiment(R"(
[[env]]
label = "y"
name = "csv"
path = "a,b.csv"
[[env]]
name = "idx"
path = ["images", "labels"]
rows = 5
)",
                                     "x.toml");
  EXPECT_EQ(specs_of(file.settings.environments),
            (std::vector<std::string>{"csv:\"a,b.csv\",label=y", "idx:images,labels,rows=5"}));
}

TEST(ExperimentFile, AnOptionThatMakesNoSenseIsToldWithItsLine) {
  const auto error = [](const std::string& toml) {
    const auto file = parse_experiment(toml, "x.toml");
    return testing::error_of([&] { make_plan(file.settings); });
  };
  EXPECT_TRUE(error("env = \"wheel\"\n[[agent]]\nname = \"linear\"\nlambda = -1")
                  .starts_with("x.toml:2: agent 'linear': lambda=-1: expected"));
  EXPECT_TRUE(error("env = [\"linear\",\n\"wheel:delta=2\"]").starts_with("x.toml:2: environment"));
  EXPECT_TRUE(error("env = \"wheel\"\nagent = \"liner\"").starts_with("x.toml:2: no agent is"));
}

TEST(ExperimentFile, MistakesNameFileLineAndKey) {
  EXPECT_EQ(error_of("env = [\"wheel\"]\ntrails = 3"),
            "x.toml:2: unknown key 'trails', did you mean 'trials'?");
  EXPECT_EQ(error_of("trials = \"many\""), "x.toml:1: trials is not a whole number");
  EXPECT_EQ(error_of("trials = 2.5"), "x.toml:1: trials is not a whole number");
  EXPECT_EQ(error_of("\nquiet = 1"), "x.toml:2: quiet is not true or false");
  EXPECT_EQ(error_of("agent = [{dim = 3}]"),
            "x.toml:1: agent has no name: expected name = \"...\"");
  EXPECT_EQ(error_of("warmup-feedback = \"ful\""),
            "x.toml:1: warmup-feedback=ful: expected bandit|full, did you mean 'full'?");
  EXPECT_TRUE(error_of("env = [").starts_with("x.toml:1: ")) << error_of("env = [");
}

}  // namespace
}  // namespace bandolier::experiment_file_test
