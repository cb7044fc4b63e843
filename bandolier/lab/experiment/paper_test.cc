#include "bandolier/lab/experiment/paper.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "testing/temporary.h"

namespace bandolier::paper_test {
namespace {

// Which rows a part uses depends on what the data folder holds: here nothing.
class Paper : public ::testing::Test {
  testing::TemporaryFolder folder_;
  testing::ScopedVariable data_{"BANDOLIER_DATA", folder_.path().string()};
};

TEST_F(Paper, TabularIsElevenMethodsOnThreeSetsWithTwentyPulls) {
  const auto parts = paper_parts("tabular", {});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].settings.agents.size(), 11U);
  EXPECT_EQ(parts[0].settings.environments.size(), 3U);
  EXPECT_EQ(parts[0].settings.warmup_pulls, 20);
  EXPECT_EQ(parts[0].settings.trials, 10);
}

TEST_F(Paper, MovieLensIsNineMethodsOnTwoNetworksWithTwoPulls) {
  const auto parts = paper_parts("movielens", {});
  ASSERT_EQ(parts.size(), 2U);
  for (const auto& part : parts) {
    EXPECT_EQ(part.settings.agents.size(), 9U);
    EXPECT_EQ(part.settings.warmup_pulls, 2);
  }
}

TEST_F(Paper, AllHasEveryPartOnceUnderAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (const auto& part : paper_parts("all", {})) {
    EXPECT_TRUE(ids.insert(part.id).second) << part.id;
    EXPECT_EQ(paper_part_id(part.settings), part.id);
    EXPECT_NO_THROW(check(part.settings));
  }
  EXPECT_EQ(ids.size(), 1U + 2 + 3 + 3 + 2);
}

// The paper's: plain Thompson sampling for all, neural-linear for 100 epochs every 100 steps.
TEST_F(Paper, EveryMethodExploresAtTemperatureOneAndNeuralLinearTrainsAHundredEpochs) {
  for (const auto& part : paper_parts("all", {})) {
    for (const auto& agent : part.settings.agents) {
      const Spec spec = parse_spec(agent.spec);
      const auto given = spec.options.find("temperature");
      // Linear and Neural-TS have no other default.
      if (given == spec.options.end()) {
        for (const auto& option : find_agent(spec.name).options()) {
          if (option.name == "temperature") {
            EXPECT_EQ(option.value, "1") << agent.spec;
          }
        }
      } else {
        EXPECT_EQ(given->second, "1") << agent.spec;
      }
      if (spec.name != "neural-linear") continue;
      EXPECT_EQ(spec.options.at("update_every"), "100");
      EXPECT_EQ(spec.options.at("epochs"), "100");
      EXPECT_EQ(spec.options.at("max_steps"), "0");
    }
  }
}

// Shapes of the problems, as their sources have them.
ProblemShape shape_of(const std::string& environment) {
  const std::string name = parse_spec(environment).name;
  if (name == "shuttle") return {.features = 9, .actions = 7};
  if (name == "covertype") return {.features = 54, .actions = 7};
  if (name == "adult") return {.features = 89, .actions = 2};
  if (name == "movielens") return {.features = 20, .actions = 20};
  return {.features = 784, .actions = 10, .image = {28, 28, 1}};
}

TEST_F(Paper, DimensionsStopAtTheNumberOfWeights) {
  const auto parts = paper_parts("subspace-dim", {});
  const auto& shuttle = parts.back().settings.agents;
  EXPECT_EQ(make_agent("ekf:model=mlp:50", shape_of("shuttle"))->report().parameters, 857);
  EXPECT_EQ(shuttle.back().label, "RND d=857");
}

TEST_F(Paper, EveryMethodCanBeMadeForEveryEnvironmentOfItsPart) {
  for (const auto& part : paper_parts("all", {})) {
    std::set<std::string> labels;
    for (const auto& agent : part.settings.agents) {
      EXPECT_TRUE(labels.insert(agent.label).second) << part.id << " " << agent.label;
      for (const auto& environment : part.settings.environments) {
        EXPECT_NO_THROW(make_agent(agent.spec, shape_of(environment)))
            << part.id << ": " << agent.spec << " on " << environment;
      }
    }
  }
}

// Section 4 of the paper: d = 200 (MNIST 470), MLP 50 on tables, 100 rewards of limited memory.
TEST_F(Paper, EveryMethodHasTheOptionsThatItsLabelNames) {
  const std::map<std::string, OptionTexts> tabular = {
      {"EKF-Sub-SVD full", {{"basis", "svd"}, {"covariance", "full"}, {"dim", "200"}}},
      {"EKF-Sub-RND full", {{"basis", "gaussian"}, {"covariance", "full"}, {"dim", "200"}}},
      {"EKF-Sub-SVD diag", {{"basis", "svd"}, {"covariance", "diag"}, {"dim", "200"}}},
      {"EKF-Sub-RND diag", {{"basis", "gaussian"}, {"covariance", "diag"}, {"dim", "200"}}},
      {"EKF-Orig full", {{"covariance", "full"}, {"offset", "sgd"}}},
      {"EKF-Orig diag", {{"covariance", "diag"}, {"offset", "sgd"}}},
      {"NL limited", {{"memory", "100"}, {"batch_size", "512"}}},
      {"NL unlimited", {{"memory", "unlimited"}, {"batch_size", "512"}}},
      {"Linear", {{"intercept", "true"}}},
      {"LiM2", {{"memory_per_action", "100"}, {"model", "mlp:50"}}},
      {"Neural-TS", {{"policy", "thompson"}, {"covariance", "diag"}}}};
  const PaperPart part = paper_parts("tabular", {}).front();
  ASSERT_EQ(part.settings.agents.size(), tabular.size());
  for (const auto& setting : part.settings.agents) {
    const auto options = make_agent(setting.spec, shape_of("shuttle"))->spec().options;
    for (const auto& [name, value] : tabular.at(setting.label)) {
      EXPECT_EQ(options.at(name), value) << setting.label << " " << name;
    }
  }
  const std::map<std::string, std::string> models = {
      {"mnist-mlp1", "mlp:50"}, {"mnist-mlp2", "mlp:200x200"}, {"mnist-lenet5", "lenet5"}};
  for (const auto& mnist : paper_parts("mnist", {})) {
    const OptionTexts options = parse_spec(mnist.settings.agents.front().spec).options;
    EXPECT_EQ(options.at("model"), models.at(mnist.id));
    EXPECT_EQ(options.at("dim"), "470");
    EXPECT_EQ(mnist.settings.steps, 5000);
  }
}

TEST_F(Paper, EveryLabelOfTheTablesHasAPublishedReward) {
  const PaperPart part = paper_parts("tabular", {}).front();
  for (const std::string set : {"shuttle", "covertype", "adult"}) {
    const EnvironmentFacts facts{set, 5000, 140, 54, 7, 0, {}};
    for (const auto& agent : part.settings.agents) {
      EXPECT_TRUE(published_reward(part.id, facts, agent.label)) << set << " " << agent.label;
    }
  }
}

TEST_F(Paper, AnUnknownExperimentNamesTheNearest) {
  try {
    paper_parts("tabluar", {});
    FAIL() << "tabluar was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'tabular'?"), std::string::npos);
  }
}

TEST_F(Paper, PublishedValuesAreShownForTrialsOfThePapersLengthOnly) {
  EnvironmentFacts covertype{"covertype:sample=paper", 5000, 140, 54, 7, 0, {}};
  EXPECT_EQ(published_reward("tabular", covertype, "EKF-Sub-SVD full"), 3230);
  EXPECT_EQ(published_reward("tabular", covertype, "Linear"), 3020);
  EXPECT_EQ(published_reward("tabular", covertype, "nobody"), std::nullopt);
  covertype.steps = 1000;
  EXPECT_EQ(published_reward("tabular", covertype, "Linear"), std::nullopt);
  const EnvironmentFacts movielens{"movielens", 737, 40, 20, 20, 0, {}};
  EXPECT_EQ(published_reward("movielens-mlp2", movielens, "EKF-Orig diag"), 1710);
  EXPECT_EQ(published_reward("movielens-mlp1", movielens, "EKF-Orig full"), std::nullopt);
}

}  // namespace
}  // namespace bandolier::paper_test
