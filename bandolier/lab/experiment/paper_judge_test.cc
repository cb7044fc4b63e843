#include "bandolier/lab/experiment/paper_judge.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::paper_judge_test {
namespace {

// One method on "mnist" of the problem "p": trial t earned mean + spread·(t − 1), three trials;
// seconds likewise. The oracle earns 1,000.
struct Method {
  std::string label;
  double reward = 0, spread = 1, seconds = 1;
};

PaperTables tables(const std::vector<Method>& methods, std::uint32_t trials = 3) {
  Results results;
  results.settings.environments = {{"mnist"}};
  results.settings.agents.clear();
  results.settings.trials = trials;
  results.environments = {{"mnist", 1000, 200, 784, 10, 0, {}}};
  for (std::size_t a = 0; a < methods.size(); ++a) {
    results.settings.agents.push_back({"a", methods[a].label});
    for (std::uint32_t t = 0; t < trials; ++t) {
      TrialRecord record{0, static_cast<Index>(a), t, {}, {}};
      record.result.steps = 1000;
      record.result.oracle = 1000;
      record.result.reward = methods[a].reward + methods[a].spread * (t - 1.0);
      record.result.cpu_seconds = methods[a].seconds * std::pow(1.01, t);
      results.records.push_back(record);
    }
  }
  return {{"p", results}};
}
Who who(const std::string& method) { return {"p", "mnist", method}; }

// Differences of the three trials are d − s, d, d + s: their 95 % interval is d ± 4.303 s/√3.
Verdict above(double difference, double spread, double share = 0) {
  const auto all = tables({{"a", 500 + difference, 1 + spread}, {"b", 500, 1}});
  Judge judge(all);
  judge.above(who("a"), who("b"), share);
  return judge.verdict();
}

TEST(PaperJudge, AboveIsByTheSideOfAPairedInterval) {
  EXPECT_EQ(above(10, 4), Verdict::kReproduced);      // 10 ± 9.94
  EXPECT_EQ(above(10, 4.1), Verdict::kUndecided);     // 10 ± 10.19
  EXPECT_EQ(above(-10, 4), Verdict::kNotReproduced);  // −10 ± 9.94
  EXPECT_EQ(above(-10, 4.1), Verdict::kUndecided);
  EXPECT_EQ(above(110, 4, 0.1), Verdict::kReproduced);  // above 100
  EXPECT_EQ(above(110, 4.1, 0.1), Verdict::kUndecided);
}

TEST(PaperJudge, NotBelowAllowsTwoPerCentOfTheOraclesReward) {
  const auto verdict = [](double difference) {
    const auto all = tables({{"a", 500 + difference, 2}, {"b", 500, 1}});  // ± 2.48
    Judge judge(all);
    judge.not_below(who("a"), who("b"));
    return judge.verdict();
  };
  EXPECT_EQ(verdict(-17), Verdict::kReproduced);
  EXPECT_EQ(verdict(-18), Verdict::kUndecided);
  EXPECT_EQ(verdict(-23), Verdict::kNotReproduced);
}

// Two one-sided tests at 5 %: the 90 % interval d ± 2.920 s/√3 within ± 20.
TEST(PaperJudge, EquivalentIsByTwoOneSidedTests) {
  const auto verdict = [](double difference, double spread) {
    const auto all = tables({{"a", 500 + difference, 1 + spread}, {"b", 500, 1}});
    Judge judge(all);
    judge.equivalent(who("a"), who("b"));
    return judge.verdict();
  };
  EXPECT_EQ(verdict(0, 11.8), Verdict::kReproduced);   // ± 19.9
  EXPECT_EQ(verdict(0, 11.9), Verdict::kUndecided);    // ± 20.06
  EXPECT_EQ(verdict(-10, 5.9), Verdict::kReproduced);  // down to −19.9
  EXPECT_EQ(verdict(-30, 5.9), Verdict::kNotReproduced);
  EXPECT_EQ(verdict(30, 6), Verdict::kUndecided);
}

TEST(PaperJudge, SlowerIsByTheRatioOfProcessorSeconds) {
  const auto verdict = [](double seconds, double factor) {
    const auto all = tables({{"a", 1, 1, seconds}, {"b", 1, 1, 1}});
    Judge judge(all);
    judge.slower(who("a"), who("b"), factor);
    return judge.verdict();
  };
  EXPECT_EQ(verdict(1.1, 1), Verdict::kReproduced);  // the trials' ratios are equal
  EXPECT_EQ(verdict(0.9, 1), Verdict::kNotReproduced);
  EXPECT_EQ(verdict(1.9, 2), Verdict::kNotReproduced);
  EXPECT_EQ(verdict(2.1, 2), Verdict::kReproduced);
}

TEST(PaperJudge, AtMostShareComparesWithAPartOfTheOthersReward) {
  const auto verdict = [](double reward) {
    const auto all = tables({{"a", reward, 0.5}, {"b", 500, 1}});
    Judge judge(all);
    judge.at_most_share(who("a"), who("b"), 0.5);
    return judge.verdict();
  };
  EXPECT_EQ(verdict(249), Verdict::kReproduced);
  EXPECT_EQ(verdict(251), Verdict::kNotReproduced);
}

TEST(PaperJudge, GapAboveComparesMeansOfGapsTrialByTrial) {
  const auto all = tables({{"a", 100, 1}, {"b", 50, 1}, {"c", 100, 1}, {"d", 90, 2}});
  Judge wide(all);
  wide.gap_above({{who("a"), who("b")}}, {{who("c"), who("d")}});  // 50 against 10 ± 2.48
  EXPECT_EQ(wide.verdict(), Verdict::kReproduced);
  Judge narrow(all);
  narrow.gap_above({{who("c"), who("d")}}, {{who("a"), who("b")}, {who("a"), who("b")}});
  EXPECT_EQ(narrow.verdict(), Verdict::kNotReproduced);
}

TEST(PaperJudge, MostlyAboveIsMoreThanHalfOfThePairs) {
  const auto all = tables({{"a", 100, 1}, {"b", 50, 1.5}, {"c", 200, 2}, {"d", 100, 9}});
  const auto verdict = [&](const std::vector<std::pair<Who, Who>>& pairs, double share = 0) {
    Judge judge(all);
    judge.mostly_above(pairs, share);
    return judge.verdict();
  };
  const std::pair yes{who("a"), who("b")}, no{who("a"), who("c")}, open{who("a"), who("d")};
  EXPECT_EQ(verdict({yes, yes, no}), Verdict::kReproduced);
  EXPECT_EQ(verdict({yes, no}), Verdict::kNotReproduced);
  EXPECT_EQ(verdict({yes, no, open}), Verdict::kUndecided);
  EXPECT_EQ(verdict({no, no, open}), Verdict::kNotReproduced);
  EXPECT_EQ(verdict({yes, yes, no}, 0.06), Verdict::kNotReproduced);  // 50 is not above 60
}

TEST(PaperJudge, ATieDoesNotBeat) {
  const auto all = tables({{"a", 100, 1}, {"b", 50, 1.5}, {"c", 101, 9}});
  const auto verdict = [&](const char* a, const char* b) {
    Judge judge(all);
    judge.not_above(who(a), who(b));
    return judge.verdict();
  };
  EXPECT_EQ(verdict("a", "b"), Verdict::kNotReproduced);
  EXPECT_EQ(verdict("b", "a"), Verdict::kReproduced);
  EXPECT_EQ(verdict("a", "c"), Verdict::kReproduced);
}

// 100 ± 10, 115 ± 10 and 200 ± 10: one of three pairs overlaps.
TEST(PaperJudge, OverlappingIsTheShareOfPairsWhoseBarsMeet) {
  const auto all = tables({{"a", 100, 10}, {"b", 115, 10}, {"c", 200, 10}});
  Judge judge(all);
  EXPECT_DOUBLE_EQ(*judge.overlapping({who("a"), who("b"), who("c")}), 1.0 / 3);
}

TEST(PaperJudge, OneThatFailsDecidesThenOneThatIsOpen) {
  const auto all = tables({{"a", 100, 1}, {"b", 50, 1.1}, {"c", 102, 9}});
  Judge judge(all);
  judge.above(who("a"), who("b"));
  EXPECT_EQ(judge.verdict(), Verdict::kReproduced);
  judge.above(who("a"), who("c"));
  EXPECT_EQ(judge.verdict(), Verdict::kUndecided);
  judge.above(who("b"), who("a"));
  EXPECT_EQ(judge.verdict(), Verdict::kNotReproduced);
  EXPECT_NE(judge.numbers().find("p a 100, p b 50, difference +50 ± 0 (n = 3): yes; "),
            std::string::npos)
      << judge.numbers();
}

TEST(PaperJudge, WithoutARunThereIsNoVerdict) {
  const auto all = tables({{"a", 100, 1}, {"b", 200, 1.1}});
  Judge judge(all);
  judge.above(who("a"), who("b"));
  judge.above(who("a"), who("nobody"));
  EXPECT_EQ(judge.verdict(), Verdict::kNotRun);
  EXPECT_EQ(judge.numbers(), "");
  EXPECT_EQ(Judge({}).verdict(), Verdict::kNotRun);
}

TEST(PaperJudge, OneTrialHasNoIntervalAndDecidesNothing) {
  const auto all = tables({{"a", 200, 1}, {"b", 100, 1}}, 1);
  Judge judge(all);
  judge.above(who("a"), who("b"));
  EXPECT_EQ(judge.verdict(), Verdict::kUndecided);
}

}  // namespace
}  // namespace bandolier::paper_judge_test
