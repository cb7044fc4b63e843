#include "bandolier/lab/experiment/paper_claims.h"

#include <gtest/gtest.h>

#include <set>

namespace bandolier::paper_claims_test {
namespace {

// All parts of `all`, shrunk to their settings, with three trials of each method: rewards by
// `reward(method)`, the same noise for all, seconds and bytes made up.
template <class Reward>
std::vector<Results> made_up(Reward reward, PaperFeedback feedback = PaperFeedback::kBandit) {
  std::vector<Results> parts;
  for (const auto& part : paper_parts("all", {.trials = 3, .feedback = feedback})) {
    Results results;
    results.settings = part.settings;
    for (std::size_t e = 0; e < part.settings.environments.size(); ++e) {
      results.environments.push_back({part.settings.environments[e].spec, 5000, 140, 54, 7, 0, {}});
      for (std::size_t a = 0; a < part.settings.agents.size(); ++a) {
        for (std::uint32_t t = 0; t < 3; ++t) {
          TrialRecord record{static_cast<Index>(e), static_cast<Index>(a), t, {}, {}};
          record.result.steps = 5000;
          record.result.oracle = 5000;
          record.result.reward = reward(part.settings.agents[a].label) + t;
          record.result.seconds = record.result.cpu_seconds = record.result.choose_seconds = 1;
          record.result.step_us_p50 = 1;
          record.result.report.parameters = 100;
          record.result.report.subspace_dim = 10;
          record.result.report.belief_bytes = 1000;
          results.records.push_back(record);
        }
      }
    }
    parts.push_back(std::move(results));
  }
  return parts;
}

const Claim& find(const std::vector<Claim>& claims, const std::string& beginning) {
  for (const auto& claim : claims) {
    if (claim.text.starts_with(beginning)) return claim;
  }
  ADD_FAILURE() << beginning << ": no such claim";
  return claims.front();
}

TEST(PaperClaims, EachIsJudgedOnceAndNamesItsSectionAndRule) {
  const auto claims = judge_claims({}, WarmupFeedback::kBandit);
  EXPECT_GE(claims.size(), 50U);
  std::set<std::string> seen;
  for (const auto& claim : claims) {
    EXPECT_TRUE(seen.insert(claim.text + claim.section).second) << claim.text;
    EXPECT_FALSE(claim.rule.empty()) << claim.text;
    EXPECT_EQ(claim.verdict, Verdict::kNotRun) << claim.text;
    EXPECT_EQ(claim.numbers, "") << claim.text;
  }
}

// Whatever the rules name must be something that the parts run.
TEST(PaperClaims, EveryClaimHasAVerdictOnceAllPartsRan) {
  const auto parts = made_up([](const std::string&) { return 1000.0; }, PaperFeedback::kBoth);
  for (const auto& claim : judge_all_claims(parts)) {
    EXPECT_NE(claim.verdict, Verdict::kNotRun) << claim.text;
    EXPECT_FALSE(claim.numbers.empty()) << claim.text;
  }
}

TEST(PaperClaims, TheBestOnCovertypeMustBeAboveAllOthers) {
  const auto verdict = [](double svd, double rnd) {
    const auto claims = judge_claims(made_up([=](const std::string& method) {
                                       if (method == paper_method::kSvdFull) return svd;
                                       return method == paper_method::kRndFull ? rnd : 1000.0;
                                     }),
                                     WarmupFeedback::kBandit);
    return std::pair{find(claims, "On Covertype the best").verdict,
                     find(claims, "On Covertype EKF-Sub-SVD full beats").verdict};
  };
  EXPECT_EQ(verdict(2000, 1500), std::pair(Verdict::kReproduced, Verdict::kReproduced));
  EXPECT_EQ(verdict(2000, 2500), std::pair(Verdict::kNotReproduced, Verdict::kReproduced));
  EXPECT_EQ(verdict(900, 500), std::pair(Verdict::kNotReproduced, Verdict::kNotReproduced));
}

TEST(PaperClaims, SimilarMeansWithinTwoPerCent) {
  const auto verdict = [](double linear) {
    const auto claims = judge_claims(made_up([=](const std::string& method) {
                                       return method == paper_method::kLinear ? linear : 4000.0;
                                     }),
                                     WarmupFeedback::kBandit);
    return find(claims, "On Adult all methods").verdict;
  };
  EXPECT_EQ(verdict(4099), Verdict::kReproduced);
  EXPECT_EQ(verdict(3899), Verdict::kNotReproduced);
}

TEST(PaperClaims, VerdictsAreARowPerClaimAndFeedback) {
  const auto claims =
      judge_all_claims(made_up([](const std::string&) { return 1.0; }, PaperFeedback::kBoth));
  const std::string csv = verdicts_csv(claims);
  EXPECT_TRUE(csv.starts_with("claim,section,feedback,rule,numbers,verdict\n")) << csv;
  EXPECT_EQ(claims.size() % 2, 0U);
  EXPECT_EQ(claims.front().feedback, WarmupFeedback::kBandit);
  EXPECT_EQ(claims.back().feedback, WarmupFeedback::kFull);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), claims.size() + 1);
}

}  // namespace
}  // namespace bandolier::paper_claims_test
