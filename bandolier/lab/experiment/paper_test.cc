#include "bandolier/lab/experiment/paper.h"

#include <gtest/gtest.h>

#include <set>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/lab/experiment/paper_claims.h"
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

TEST_F(Paper, DimensionsStopAtTheNumberOfWeights) {
  const auto parts = paper_parts("subspace-dim", {});
  const auto& shuttle = parts.back().settings.agents;
  EXPECT_EQ(shuttle.back().label, "RND d=857");
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

Results covertype_results(double svd, double linear, std::uint32_t trials = 3) {
  Results results;
  results.settings.name = "Paper: tabular";
  results.settings.environments = {"covertype:sample=paper"};
  results.settings.agents = {{"a", "EKF-Sub-SVD full"}, {"b", "Linear"}};
  results.settings.trials = trials;
  results.environments = {{"covertype:sample=paper", 5000, 140, 54, 7, 0, {}}};
  for (Index a = 0; a < 2; ++a) {
    for (std::uint32_t t = 0; t < trials; ++t) {
      TrialRecord record{0, a, t, {}, {}};
      record.result.reward = (a == 0 ? svd : linear) + 100.0 * t + (a == 0 ? t : 0.0);
      results.records.push_back(record);
    }
  }
  return results;
}

TEST(PaperClaims, AreJudgedByPairedIntervalsAndNotRunWithoutResults) {
  const auto good = judge_claims({{"tabular", covertype_results(3100, 3000)}});
  EXPECT_EQ(good[0].verdict, Verdict::kReproduced);
  EXPECT_EQ(good[1].verdict, Verdict::kNotRun);
  const auto bad = judge_claims({{"tabular", covertype_results(3000, 3000)}});
  EXPECT_EQ(bad[0].verdict, Verdict::kNotReproduced);  // +1 ± 2.5
}

TEST(PaperClaims, OneTrialIsTooFewForARuleThatAsksForAnInterval) {
  const auto claims = judge_claims({{"tabular", covertype_results(3100, 3000, 1)}});
  EXPECT_EQ(claims[0].verdict, Verdict::kTooFewTrials);
  EXPECT_NE(claims[0].evidence.find("difference +100"), std::string::npos) << claims[0].evidence;
}

}  // namespace
}  // namespace bandolier::paper_test
