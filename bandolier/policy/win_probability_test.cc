#include "bandolier/policy/win_probability.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bandolier/core/random.h"

namespace bandolier::win_probability_test {
namespace {

std::vector<double> wins(const std::vector<float>& mean, const std::vector<float>& deviation,
                         const std::vector<std::uint8_t>& available = {}) {
  std::vector<double> q(mean.size(), -1);
  WinProbability().compute(mean, deviation, available, q);
  return q;
}

double sum(const std::vector<double>& q) { return std::accumulate(q.begin(), q.end(), 0.0); }

double below(double t) { return 0.5 * std::erfc(-t / std::sqrt(2.0)); }

// q by three-point Gauss–Legendre between some hundred points around every normal.
std::vector<double> brute_force(const std::vector<float>& mean,
                                const std::vector<float>& deviation) {
  std::vector<double> cuts, q(mean.size(), 0.0);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    for (int k = -160; k <= 160; ++k) {
      cuts.push_back(static_cast<double>(mean[i]) + static_cast<double>(deviation[i]) * k / 20);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  const double node = std::sqrt(0.6);
  for (std::size_t c = 1; c < cuts.size(); ++c) {
    const double half = (cuts[c] - cuts[c - 1]) / 2, centre = (cuts[c] + cuts[c - 1]) / 2;
    for (const auto& [at, weight] : {std::pair{-node, 5.0 / 9}, {0.0, 8.0 / 9}, {node, 5.0 / 9}}) {
      const double x = centre + at * half;
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const auto s = static_cast<double>(deviation[i]);
        const double t = (x - static_cast<double>(mean[i])) / s;
        double f = std::exp(-t * t / 2) / (s * std::sqrt(2 * M_PI));
        for (std::size_t j = 0; j < mean.size(); ++j) {
          if (j == i) continue;
          f *= below((x - static_cast<double>(mean[j])) / static_cast<double>(deviation[j]));
        }
        q[i] += weight * half * f;
      }
    }
  }
  return q;
}

TEST(WinProbability, OfTwoIsTheClosedForm) {
  for (const float gap : {0.0f, 0.3f, 2.0f, 8.0f}) {
    for (const float s : {1e-3f, 0.5f, 4.0f}) {
      const auto q = wins({gap, 0}, {1, s});
      const double expected =
          below(static_cast<double>(gap) / std::hypot(1.0, static_cast<double>(s)));
      EXPECT_NEAR(q[0], expected, 2e-7) << gap << " " << s;
      EXPECT_NEAR(q[1], 1 - expected, 2e-7);
    }
  }
}

TEST(WinProbability, MatchesBruteForceTo1em6WhateverTheRatioOfDeviations) {
  Random random({.seed = 1});
  for (const std::size_t count : {3u, 7u, 20u}) {
    for (const double ratio : {1.0, 10.0, 100.0, 1000.0}) {
      std::vector<float> mean(count), deviation(count);
      for (std::size_t i = 0; i < count; ++i) {
        mean[i] = static_cast<float>(random.normal());
        deviation[i] = static_cast<float>(std::pow(ratio, -random.uniform()));
      }
      const auto q = wins(mean, deviation), expected = brute_force(mean, deviation);
      EXPECT_NEAR(sum(q), 1, 1e-12);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(q[i], expected[i], 1e-6) << count << " normals, ratio " << ratio;
      }
    }
  }
}

TEST(WinProbability, MatchesAMillionDraws) {
  const std::vector<float> mean = {0.2f, 0, -0.5f, 0.25f, 1e-3f};
  const std::vector<float> deviation = {0.3f, 1, 2, 0.001f, 0.5f};
  const auto q = wins(mean, deviation);
  std::vector<double> counts(mean.size());
  Random random({.seed = 2});
  constexpr int kDraws = 1'000'000;
  for (int d = 0; d < kDraws; ++d) {
    std::size_t best = 0;
    double top = -1e9;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      const double score =
          static_cast<double>(mean[i]) + static_cast<double>(deviation[i]) * random.normal();
      if (score > top) {
        top = score;
        best = i;
      }
    }
    ++counts[best];
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double error = std::sqrt(q[i] * (1 - q[i]) / kDraws);
    EXPECT_NEAR(counts[i] / kDraws, q[i], 4.5 * error) << i;
  }
}

TEST(WinProbability, ShiftsAndScalesOfAllScoresChangeNothing) {
  const std::vector<float> mean = {0, 0.5f, 1}, deviation = {1, 0.25f, 0.5f};
  const auto q = wins(mean, deviation);
  auto moved = mean, wider = deviation;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    moved[i] = 4096 * mean[i] + 1024;
    wider[i] = 4096 * deviation[i];
  }
  const auto other = wins(moved, wider);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(other[i], q[i], 1e-7);
}

TEST(WinProbability, KnownScoresWinOrShare) {
  EXPECT_EQ(wins({1, 3, 2}, {0, 0, 0}), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(wins({3, 1, 3}, {0, 0, 0}), (std::vector<double>{0.5, 0, 0.5}));
  const auto q = wins({0, 0, 0}, {0, 0, 1});  // a step at 0, twice, and a normal around it
  EXPECT_NEAR(q[0], 0.25, 1e-4);
  EXPECT_NEAR(q[1], 0.25, 1e-4);
  EXPECT_NEAR(q[2], 0.5, 1e-4);
}

TEST(WinProbability, OnlyAvailableNumbersWin) {
  const float nan = std::nanf("");
  const auto q = wins({5, 0, nan, 0}, {1, 1, 1, 1}, {0, 1, 1, 1});
  EXPECT_EQ(q[0], 0);
  EXPECT_NEAR(q[1], 0.5, 1e-7);
  EXPECT_EQ(q[2], 0);
  EXPECT_EQ(wins({nan, nan, nan}, {1, 1, 1}, {1, 0, 1}), (std::vector<double>{0.5, 0, 0.5}));
  EXPECT_EQ(wins({nan, nan}, {1, 1}), (std::vector<double>{0.5, 0.5}));
}

// In double, 1e19 and 1e19 + 1 are the same number.
TEST(WinProbability, SmallDeviationsCountBesideLargeMeans) {
  for (const double q : wins({1e19f, 1e19f}, {1, 2})) EXPECT_NEAR(q, 0.5, 1e-6);
}

TEST(WinProbability, AThousandAlikeHaveAThousandthEach) {
  const std::vector<float> mean(1000, 0.5f), deviation(1000, 2);
  for (const double q : wins(mean, deviation)) EXPECT_NEAR(q, 1e-3, 1e-9);
}

}  // namespace
}  // namespace bandolier::win_probability_test
