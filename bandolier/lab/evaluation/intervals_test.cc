// Normal, bootstrap and empirical-likelihood intervals.
#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/lab/evaluation/bootstrap.h"
#include "bandolier/lab/evaluation/empirical_likelihood.h"
#include "bandolier/lab/evaluation/estimation.h"
#include "bandolier/lab/evaluation/normal_interval.h"
#include "bandolier/lab/evaluation/test_rows.h"
#include "testing/errors.h"

namespace bandolier::intervals_test {

using testing::error_of;
using testing::ope_answers;
using testing::ope_rows;
using testing::OwnedRow;

Interval interval_of(const std::string& spec, IntervalKind kind, const std::vector<OwnedRow>& rows,
                     const WeightBounds& weights = {}, std::uint64_t seed = 1) {
  const NamedEstimator estimator = make_estimator(spec);
  Estimation estimation(estimator, {.kind = kind, .rewards = RewardRange{0, 1}});
  for (const OwnedRow& row : rows) estimation.add(row.view());
  return estimation.figure(weights, Random({.seed = seed})).interval;
}

TEST(NormalInterval, QuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
  EXPECT_NEAR(normal_quantile(1e-6), -4.753424308822899, 1e-11);
  EXPECT_NEAR(normal_distribution(1), 0.8413447460685429, 1e-14);
}

TEST(NormalInterval, OfIpsMeetsTheAnswersOfOpenBanditPipeline) {
  for (const std::string log : {"binary.csv.gz", "real.csv.gz"}) {
    const auto expected = ope_answers(log).at("ips normal 95");
    const Interval found = interval_of("ips", IntervalKind::kNormal, ope_rows(log));
    EXPECT_NEAR(found.low, expected[0].get<double>(), 1e-10) << log;
    EXPECT_NEAR(found.high, expected[1].get<double>(), 1e-10) << log;
  }
}

TEST(NormalInterval, OfARatioIsThatOfItsInfluences) {
  const auto rows = ope_rows("binary.csv.gz");
  double wr = 0, w = 0;
  for (const auto& row : rows) {
    wr += row.row.weight * row.row.reward;
    w += row.row.weight;
  }
  const auto n = static_cast<double>(rows.size());
  const double value = wr / w;
  double squares = 0;  // of w (r − V) / mean w
  for (const auto& row : rows) {
    const double influence = row.row.weight * (row.row.reward - value) / (w / n);
    squares += influence * influence;
  }
  const double half = 1.959963984540054 * std::sqrt(squares / (n - 1) / n);
  const Interval found = interval_of("snips", IntervalKind::kNormal, rows);
  EXPECT_NEAR(found.low, value - half, 1e-5 * half);
  EXPECT_NEAR(found.high, value + half, 1e-5 * half);
}

TEST(Bootstrap, OfAMeanOfManyRowsIsTheNormalInterval) {
  Random random({.seed = 7});
  const NamedEstimator mean = make_estimator("ips");
  std::vector<OwnedRow> rows(20'000);
  for (OwnedRow& row : rows) row.row.reward = random.normal();
  const Interval normal = interval_of("ips", IntervalKind::kNormal, rows);
  const Interval drawn = interval_of("ips", IntervalKind::kBootstrap, rows);
  const double width = normal.high - normal.low;
  EXPECT_NEAR(drawn.low, normal.low, 0.06 * width);
  EXPECT_NEAR(drawn.high, normal.high, 0.06 * width);
}

TEST(Bootstrap, DrawsNumeratorAndNormaliserTogether) {
  // All rewards are 3: whatever the weights, snips is 3 and knows it; ips is not sure.
  auto rows = ope_rows("binary.csv.gz");
  for (OwnedRow& row : rows) row.row.reward = 3;
  const Interval snips = interval_of("snips", IntervalKind::kBootstrap, rows);
  EXPECT_NEAR(snips.low, 3, 1e-12);
  EXPECT_NEAR(snips.high, 3, 1e-12);
  const Interval ips = interval_of("ips", IntervalKind::kBootstrap, rows);
  EXPECT_GT(ips.high - ips.low, 0.5);
}

TEST(Bootstrap, LeansToWhereTheRowsAreSkew) {
  // 990 rows of 0 and 10 of 1: Clopper and Pearson's interval is 0.0048 to 0.0183.
  std::vector<OwnedRow> rows(1000);
  for (std::size_t i = 0; i < 10; ++i) rows[100 * i].row.reward = 1;
  const Interval drawn = interval_of("ips", IntervalKind::kBootstrap, rows);
  EXPECT_GT(drawn.high - 0.01, 1.2 * (0.01 - drawn.low));
  EXPECT_NEAR(drawn.low, 0.0048, 0.0012);
  EXPECT_NEAR(drawn.high, 0.0183, 0.0012);
}

TEST(Bootstrap, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const auto rows = ope_rows("binary.csv.gz");
  const auto draw = [&](std::uint64_t seed) {
    return interval_of("snips", IntervalKind::kBootstrap, rows, {}, seed);
  };
  EXPECT_EQ(draw(1).low, draw(1).low);
  EXPECT_NE(draw(1).low, draw(2).low);
}

TEST(EmpiricalLikelihood, MeetsTheAnswersOfVowpalWabbit) {
  const auto answers = ope_answers("binary.csv.gz");
  const auto rows = ope_rows("binary.csv.gz");
  const WeightBounds bounds{answers.at("wmin").get<double>(), answers.at("wmax").get<double>()};
  const auto check = [&](const char* key, const WeightBounds& weights) {
    const Interval found = interval_of("snips", IntervalKind::kEmpiricalLikelihood, rows, weights);
    EXPECT_NEAR(found.low, answers.at(key)[0].get<double>(), 1e-10) << key;
    EXPECT_NEAR(found.high, answers.at(key)[1].get<double>(), 1e-10) << key;
  };
  check("cressie-read 95, known weight bounds", bounds);
  check("cressie-read 95, unknown bounds", {});
}

TEST(EmpiricalLikelihood, WithoutRowsIsTheRangeOfRewards) {
  const Interval interval = EmpiricalLikelihood().interval({-2, 5}, {}, 0.95);
  EXPECT_EQ(interval.low, -2);
  EXPECT_EQ(interval.high, 5);
}

TEST(EmpiricalLikelihood, HasNoMassesBelowThoseThatBruteForceFinds) {
  // Four atoms: three rows and the unseen (w, r) = (3, 0). Minimise Σ q w r over a fine grid of the
  // one direction left free by Σ q = 1 and Σ q w = 1, within the ball.
  EmpiricalLikelihood sums;
  const double w[4] = {0.5, 1, 2, 3}, r[4] = {1, 0, 1, 0};
  for (int i = 0; i < 3; ++i) sums.add(w[i], r[i], 1);
  const double low = sums.interval({0, 1}, {0.5, 3}, 0.5).low;
  // t(0.75, 3)² and the divergence of the likeliest masses, Σw = 3.5 ≥ 3: unseen weight 0.5.
  const double t2 = 0.7648923284 * 0.7648923284;
  const double a = 4.0 / 4, b = (0.25 + 0.25 + 1 + 4) / 4;
  const double radius = (4 * (a - 1) * (a - 1) / (b - a * a) + t2) / (2 * 4);
  double least = 1;
  for (const double unseen : {0.5, 3.0}) {
    const double v[4] = {0.5, 1, 2, unseen};
    for (double x = -1; x <= 2; x += 0.005) {
      for (double y = -1; y <= 2; y += 0.005) {
        // q₀ = x, q₁ = y, q₂ and q₃ from the two equations.
        const double rest = 1 - x - y, weight = 1 - v[0] * x - v[1] * y;
        const double q2 = (weight - v[3] * rest) / (v[2] - v[3]), q3 = rest - q2;
        double divergence = 0;
        for (const double q : {x, y, q2, q3}) divergence += (4 * q - 1) * (4 * q - 1) / 4 / 2;
        if (divergence <= radius) least = std::min(least, v[0] * x + v[2] * q2);
      }
    }
  }
  EXPECT_NEAR(low, std::max(0.0, least), 0.01);
}

TEST(Estimation, RefusesIntervalsThatAnEstimatorHasNot) {
  const auto refusal = [](const char* spec, IntervalKind kind, bool range = true) {
    IntervalOptions options{.kind = kind};
    if (range) options.rewards = RewardRange{0, 1};
    return error_of([&] { check_interval(make_estimator(spec), options); });
  };
  EXPECT_EQ(refusal("snips", IntervalKind::kBetting),
            "estimator 'snips' has no interval 'betting': expected ips or dr without parameters, "
            "or another interval");
  EXPECT_NE(refusal("ips:clip=3", IntervalKind::kBetting), "");
  EXPECT_NE(refusal("switch-dr", IntervalKind::kBetting), "");
  EXPECT_NE(refusal("dr", IntervalKind::kEmpiricalLikelihood), "");
  EXPECT_EQ(refusal("ips", IntervalKind::kBetting), "");
  EXPECT_EQ(refusal("dr", IntervalKind::kBetting), "");
  EXPECT_EQ(refusal("ips", IntervalKind::kBetting, false),
            "interval 'betting' needs the least and the greatest reward that can be: add "
            "--reward-range LOW,HIGH");
}

TEST(Estimation, SaysWhereASequenceRulesEveryValueOut) {
  // Weights of 5 in every row cannot be: their mean is 1.
  const NamedEstimator ips = make_estimator("ips");
  Estimation estimation(ips, {.kind = IntervalKind::kBetting, .rewards = RewardRange{-1, 1}});
  for (int i = 0; i < 200; ++i) {
    LoggedRow row;
    row.weight = 5;
    row.reward = i % 2;
    estimation.add(row);
  }
  const Figure figure = estimation.figure({}, Random({.seed = 1}));
  EXPECT_TRUE(figure.empty);
  EXPECT_EQ(figure.interval.low, -1);
  EXPECT_EQ(figure.interval.high, 1);
}

TEST(DifferenceEstimation, OfAPolicyFromItselfIsNothing) {
  const auto rows = ope_rows("real.csv.gz");
  for (const char* spec : {"ips", "snips", "dr", "switch-dr", "cressie-read"}) {
    for (const IntervalKind kind : {IntervalKind::kNormal, IntervalKind::kBootstrap}) {
      const NamedEstimator estimator = make_estimator(spec);
      const IntervalOptions options{.kind = kind};
      Estimation one(estimator, options);
      DifferenceEstimation both(estimator, options);
      for (const OwnedRow& row : rows) {
        one.add(row.view());
        both.add(row.view(), row.view());
      }
      const Random random({.seed = 3});
      const Figure figure = one.figure({}, random);
      const Figure difference = both.figure(figure, figure, {}, {}, random);
      EXPECT_EQ(difference.value, 0) << spec;
      EXPECT_NEAR(difference.interval.low, 0, 1e-8) << spec;
      EXPECT_NEAR(difference.interval.high, 0, 1e-8) << spec;
    }
  }
}

TEST(DifferenceEstimation, IsPairedRowByRow) {
  // The second policy's weights are the first's, but for a tenth of the rows.
  const auto rows = ope_rows("binary.csv.gz");
  auto others = rows;
  for (std::size_t i = 0; i < others.size(); i += 10) others[i].row.weight *= 0.5;
  const NamedEstimator ips = make_estimator("ips");
  DifferenceEstimation both(ips, {.kind = IntervalKind::kNormal});
  Estimation first(ips, {.kind = IntervalKind::kNormal}),
      second(ips, {.kind = IntervalKind::kNormal});
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    both.add(rows[i].view(), others[i].view());
    first.add(rows[i].view());
    second.add(others[i].view());
    const double d = (rows[i].row.weight - others[i].row.weight) * rows[i].row.reward;
    sum += d;
    squares += d * d;
  }
  const Random random({.seed = 3});
  const auto n = static_cast<double>(rows.size());
  const double mean = sum / n,
               half = 1.959963984540054 * std::sqrt((squares - n * mean * mean) / (n - 1) / n);
  const Figure found =
      both.figure(first.figure({}, random), second.figure({}, random), {}, {}, random);
  EXPECT_NEAR(found.value, mean, 1e-12);
  EXPECT_NEAR(found.interval.low, mean - half, 1e-9);
  EXPECT_NEAR(found.interval.high, mean + half, 1e-9);
}

}  // namespace bandolier::intervals_test
