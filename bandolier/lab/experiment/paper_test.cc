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

const PaperPart& part_of(const std::vector<PaperPart>& parts, const std::string& id) {
  for (const auto& part : parts) {
    if (part.id == id) return part;
  }
  ADD_FAILURE() << id << " is none of the parts";
  return parts.front();
}

TEST_F(Paper, TabularIsElevenMethodsAndThreeOfOursOnThreeSetsWithTwentyPulls) {
  const auto parts = paper_parts("tabular", {});
  std::size_t methods = 0;
  for (const auto* id : {"tabular-filters", "tabular-others"}) {
    const auto& settings = part_of(parts, id).settings;
    methods += settings.agents.size();
    EXPECT_EQ(settings.environments.size(), 3U);
    EXPECT_EQ(settings.warmup_pulls, 20);
    EXPECT_EQ(settings.trials, 10);
  }
  EXPECT_EQ(methods, 11U + 3);
}

TEST_F(Paper, MovieLensIsNineMethodsAndThreeOfOursOnTwoNetworksWithTwoPulls) {
  const auto parts = paper_parts("movielens", {});
  ASSERT_EQ(parts.size(), 4U);
  std::size_t methods = 0;
  for (const auto& part : parts) {
    methods += part.settings.agents.size();
    EXPECT_EQ(part.settings.warmup_pulls, 2);
  }
  EXPECT_EQ(methods, 2U * (9 + 3));
}

TEST_F(Paper, AllHasEveryPartOnceUnderAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (const auto& part : paper_parts("all", {.feedback = PaperFeedback::kBoth})) {
    EXPECT_TRUE(ids.insert(part.id).second) << part.id;
    EXPECT_TRUE(is_paper_part(part.settings));
    EXPECT_NO_THROW(check(part.settings));
  }
  // Filters with both feedbacks and others; LiM2's own pulls, dimensions, the large network, time.
  EXPECT_EQ(ids.size(), 3U * (1 + 2 + 3) + 1 + 2 * 3 + 2 + 2);
}

// The released code's leak is in the filters' warm-up: its other methods see the pulled action.
TEST_F(Paper, TheLeakIsForFiltersAlone) {
  for (const auto& part : paper_parts("all", {.feedback = PaperFeedback::kFull})) {
    const bool leak = part.settings.warmup_feedback == WarmupFeedback::kFull;
    EXPECT_EQ(leak, part.id.ends_with("-filters-leak")) << part.id;
    for (const auto& agent : part.settings.agents) {
      const std::string name = parse_spec(agent.spec).name;
      if (leak) {
        EXPECT_TRUE(name == "subspace-ekf" || name == "ekf") << part.id << " " << name;
      }
    }
  }
  const auto lenet = paper_parts("mnist", {.feedback = PaperFeedback::kBoth});
  EXPECT_EQ(part_of(lenet, "mnist-lenet5-filters").settings.trials, 10);
  EXPECT_EQ(part_of(lenet, "mnist-lenet5-filters-leak").settings.trials, 3);
}

TEST_F(Paper, SvdAndRandomDifferInTheBasisAlone) {
  for (const auto& part : paper_parts("all", {})) {
    std::map<std::string, OptionTexts> options;
    for (const auto& agent : part.settings.agents) {
      options[agent.label] = parse_spec(agent.spec).options;
    }
    for (auto [label, svd] : options) {
      const auto at = label.find("SVD");
      if (at == std::string::npos) continue;
      auto random = options.at(label.substr(0, at) + "RND" + label.substr(at + 3));
      EXPECT_EQ(svd.at("basis"), "svd");
      EXPECT_EQ(random.at("basis"), "gaussian");
      svd.erase("basis");
      random.erase("basis");
      EXPECT_EQ(svd, random) << part.id << " " << label;
    }
  }
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
  const auto& shuttle = part_of(parts, "subspace-dim-shuttle-filters").settings.agents;
  EXPECT_EQ(make_agent("ekf:model=mlp:50", shape_of("shuttle"))->report().parameters, 857);
  EXPECT_EQ(shuttle.back().label, "RND d=857");
}

TEST_F(Paper, EveryMethodCanBeMadeForEveryEnvironmentOfItsPart) {
  for (const auto& part : paper_parts("all", {})) {
    std::set<std::string> labels;
    for (const auto& agent : part.settings.agents) {
      EXPECT_TRUE(labels.insert(agent.label).second) << part.id << " " << agent.label;
      for (const auto& environment : specs_of(part.settings.environments)) {
        EXPECT_NO_THROW(make_agent(agent.spec, shape_of(environment)))
            << part.id << ": " << agent.spec << " on " << environment;
      }
    }
  }
}

// Section 4 of the paper: d = 200 (MNIST 470), MLP 50 on tables, a window of 100 rewards.
TEST_F(Paper, EveryMethodHasTheOptionsThatItsLabelNames) {
  using namespace paper_method;
  const std::map<std::string, OptionTexts> tabular = {
      {kSvdFull, {{"basis", "svd"}, {"covariance", "full"}, {"dim", "200"}, {"offset", "sgd"}}},
      {kRndFull,
       {{"basis", "gaussian"}, {"covariance", "full"}, {"dim", "200"}, {"offset", "sgd"}}},
      {kSvdDiag, {{"basis", "svd"}, {"covariance", "diag"}, {"dim", "200"}}},
      {kRndDiag, {{"basis", "gaussian"}, {"covariance", "diag"}, {"dim", "200"}}},
      {kOrigFull, {{"covariance", "full"}, {"offset", "sgd"}}},
      {kOrigDiag, {{"covariance", "diag"}, {"offset", "sgd"}}},
      {kSvdRandomOffset, {{"basis", "svd"}, {"offset", "random"}}},
      {kRndRandomOffset, {{"basis", "gaussian"}, {"offset", "random"}}},
      {kNlLimited, {{"memory", "100"}, {"heads", "all"}, {"batch_size", "512"}}},
      {kNlWindow, {{"memory", "100"}, {"heads", "window"}, {"batch_size", "512"}}},
      {kNlUnlimited, {{"memory", "unlimited"}, {"batch_size", "512"}}},
      {kLinear, {{"intercept", "true"}}},
      {kLim2, {{"memory_per_action", "100"}, {"model", "mlp:50"}}},
      {kNeuralTs, {{"policy", "thompson"}, {"covariance", "diag"}}}};
  const auto parts = paper_parts("tabular", {});
  std::size_t seen = 0;
  for (const auto* id : {"tabular-filters", "tabular-others"}) {
    for (const auto& setting : part_of(parts, id).settings.agents) {
      const auto options = make_agent(setting.spec, shape_of("shuttle"))->spec().options;
      for (const auto& [name, value] : tabular.at(setting.label)) {
        EXPECT_EQ(options.at(name), value) << setting.label << " " << name;
      }
      ++seen;
    }
  }
  EXPECT_EQ(seen, tabular.size());
  const std::map<std::string, std::string> models = {{"mnist-mlp1-filters", "mlp:50"},
                                                     {"mnist-mlp2-filters", "mlp:200x200"},
                                                     {"mnist-lenet5-filters", "lenet5"}};
  const auto mnist = paper_parts("mnist", {});
  for (const auto& [id, model] : models) {
    const auto& settings = part_of(mnist, id).settings;
    const OptionTexts options = parse_spec(settings.agents.front().spec).options;
    EXPECT_EQ(options.at("model"), model);
    EXPECT_EQ(options.at("dim"), "470");
    EXPECT_EQ(settings.steps, 5000);
  }
}

TEST_F(Paper, EveryMethodOfThePapersTablesHasAPublishedReward) {
  using namespace paper_method;
  for (const std::string set : {"shuttle", "covertype", "adult"}) {
    const EnvironmentFacts facts{set, 5000, 140, 54, 7, 0, {}};
    for (const auto* method : {kSvdFull, kRndFull, kSvdDiag, kRndDiag, kOrigFull, kOrigDiag,
                               kNlLimited, kNlUnlimited, kLinear, kLim2, kNeuralTs}) {
      EXPECT_TRUE(published_reward("tabular", facts, method)) << set << " " << method;
    }
  }
}

// A part with one record of each of its agents on its first environment.
Results example(const PaperPart& part) {
  Results results;
  results.settings = part.settings;
  for (const auto& spec : specs_of(part.settings.environments)) {
    results.environments.push_back({spec, 5000, 140, 54, 7, 0, {}});
  }
  for (std::size_t a = 0; a < part.settings.agents.size(); ++a) {
    results.records.push_back({0, static_cast<Index>(a), 0, {}, {}});
    const bool leak = part.settings.warmup_feedback == WarmupFeedback::kFull;
    results.records.back().result.reward = leak ? 2 : 1;
  }
  return results;
}

TEST_F(Paper, TablesPutTheMethodsOfAProblemSideBySide) {
  std::vector<Results> parts;
  for (const auto& part : paper_parts("movielens", {.feedback = PaperFeedback::kBoth})) {
    parts.push_back(example(part));
  }
  for (const WarmupFeedback feedback : {WarmupFeedback::kBandit, WarmupFeedback::kFull}) {
    const auto tables = paper_tables(parts, feedback);
    ASSERT_EQ(tables.size(), 2U);
    const Results& table = tables.at("movielens-mlp2");
    EXPECT_EQ(table.settings.agents.size(), 12U);
    ASSERT_EQ(table.records.size(), 12U);
    for (const auto& record : table.records) {
      const auto& agent = table.settings.agents[static_cast<std::size_t>(record.agent)];
      const bool filter = parse_spec(agent.spec).name.ends_with("ekf");
      EXPECT_EQ(record.result.reward, filter && feedback == WarmupFeedback::kFull ? 2 : 1)
          << agent.label;
    }
  }
}

TEST_F(Paper, TablesOfPartsThatCannotBePairedAreRefused) {
  const auto parts = paper_parts("movielens", {});
  Results filters = example(parts[0]), others = example(parts[1]);
  EXPECT_NO_THROW(paper_tables({filters, others}, WarmupFeedback::kBandit));
  others.settings.seed = 7;
  try {
    paper_tables({filters, others}, WarmupFeedback::kBandit);
    FAIL() << "seeds differ";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("seed is 0 in one and 7 in the other"),
              std::string::npos)
        << error.what();
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
