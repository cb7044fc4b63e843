#include "bandolier/lab/experiment/paper_claims.h"

#include <gtest/gtest.h>

namespace bandolier::paper_claims_test {
namespace {

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

// One part of three trials, each method with its mean reward and seconds.
struct Method {
  std::string label;
  double reward = 0, seconds = 0;
};
Results results_of(const std::string& environment, const std::vector<Method>& methods) {
  Results results;
  results.settings.environments = {environment};
  results.settings.agents.clear();  // the defaults
  results.settings.trials = 3;
  for (std::size_t a = 0; a < methods.size(); ++a) {
    results.settings.agents.push_back({"a", methods[a].label});
    for (std::uint32_t t = 0; t < 3; ++t) {
      TrialRecord record{0, static_cast<Index>(a), t, {}, {}};
      record.result.reward = methods[a].reward + t - 1.0;
      record.result.seconds = methods[a].seconds;
      results.records.push_back(record);
    }
  }
  return results;
}

TEST(PaperClaims, DeeperIsBetterByTheOrderOfThreeMeans) {
  const auto verdict = [](double one, double two, double cnn) {
    const auto part = [](double reward) {
      return results_of("mnist", {{"EKF-Sub-SVD full", reward, 1}});
    };
    return judge_claims(
               {{"mnist-mlp1", part(one)}, {"mnist-mlp2", part(two)}, {"mnist-lenet5", part(cnn)}})
        .at(1)
        .verdict;
  };
  EXPECT_EQ(verdict(100, 200, 300), Verdict::kReproduced);
  EXPECT_EQ(verdict(200, 100, 300), Verdict::kNotReproduced);
  EXPECT_EQ(verdict(100, 300, 200), Verdict::kNotReproduced);
}

TEST(PaperClaims, TheSvdIsAboveARandomBasisOnlyIfItIsOnEverySet) {
  const auto part = [](const std::string& set, double svd) {
    return results_of(set, {{"SVD d=10", svd, 1}, {"RND d=10", 100, 1}});
  };
  EXPECT_EQ(judge_claims({{"subspace-dim-adult", part("adult", 200)}}).at(2).verdict,
            Verdict::kReproduced);
  const auto both = judge_claims(
      {{"subspace-dim-adult", part("adult", 200)}, {"subspace-dim-shuttle", part("shuttle", 90)}});
  EXPECT_EQ(both.at(2).verdict, Verdict::kNotReproduced);
}

TEST(PaperClaims, ADiagonalIsLittleWorseAt95PercentOfTheFull) {
  const auto verdict = [](double diag) {
    const auto part =
        results_of("adult", {{"EKF-Sub-SVD full", 1000, 1}, {"EKF-Sub-SVD diag", diag, 1}});
    return judge_claims({{"tabular", part}}).at(3).verdict;
  };
  EXPECT_EQ(verdict(950), Verdict::kReproduced);
  EXPECT_EQ(verdict(949), Verdict::kNotReproduced);
}

TEST(PaperClaims, FasterIsByTheSecondsOfATrial) {
  const auto verdict = [](double ours) {
    const auto part = results_of("mnist", {{"EKF-Sub-SVD full", 1, ours}, {"NL unlimited", 9, 2}});
    return judge_claims({{"time-mnist", part}}).at(4).verdict;
  };
  EXPECT_EQ(verdict(1.9), Verdict::kReproduced);
  EXPECT_EQ(verdict(2.1), Verdict::kNotReproduced);
}

TEST(PaperClaims, OneTrialIsTooFewForARuleThatAsksForAnInterval) {
  const auto claims = judge_claims({{"tabular", covertype_results(3100, 3000, 1)}});
  EXPECT_EQ(claims[0].verdict, Verdict::kTooFewTrials);
  EXPECT_NE(claims[0].evidence.find("difference +100"), std::string::npos) << claims[0].evidence;
}

}  // namespace
}  // namespace bandolier::paper_claims_test
