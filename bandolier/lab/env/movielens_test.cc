#include "bandolier/lab/env/movielens.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testing/errors.h"

namespace bandolier::movielens_test {
namespace {

using testing::error_of;

std::unique_ptr<Environment> make(const std::string& text, const MovielensOptions& options) {
  return make_movielens(*text_input(text, "u.data"), options);
}

MovielensOptions small(std::int64_t movies, std::int64_t rank) {
  MovielensOptions options;
  options.movies = movies;
  options.rank = rank;
  return options;
}

// Users 1, 2 and 4 rate movies 1 and 2; user 3 rates another only.
const std::string kRatings = "4\t2\t5\t0\n1\t1\t3\t0\n3\t9\t1\t0\n2\t1\t4\t0\n2\t2\t2\t0\n";

TEST(Movielens, LeavesOutUsersWithoutARatingAndSaysSo) {
  const auto environment = make(kRatings, small(2, 2));
  EXPECT_EQ(environment->default_steps(), 3);
  EXPECT_EQ(environment->notes().front().to_text(),
            "1 users left out: no rating among the first 2 movies");
}

TEST(Movielens, AtFullRankRewardsAreTheRatings) {
  const auto environment = make(kRatings, small(2, 2));
  const auto trial = environment->trial(1, 0, 3);
  std::vector<std::vector<long>> rewards;
  for (Index t = 0; t < 3; ++t) {
    rewards.push_back({std::lround(trial->reward(t, 0)), std::lround(trial->reward(t, 1))});
    EXPECT_NEAR(trial->reward(t, 0), static_cast<double>(rewards.back()[0]), 1e-5);
  }
  std::sort(rewards.begin(), rewards.end());
  EXPECT_EQ(rewards, (std::vector<std::vector<long>>{{0, 5}, {3, 0}, {4, 2}}));
}

TEST(Movielens, AtRankOneRewardsAreTheBestApproximationAndContextsItsRoot) {
  // R = [3 0; 4 2; 0 5]: RᵀR = [25 8; 8 29], whose largest eigenvalue is 27 + √68 = s².
  const auto environment = make(kRatings, small(2, 1));
  EXPECT_EQ(environment->shape().features, 1);
  const double s = std::sqrt(27 + std::sqrt(68.0));
  const auto trial = environment->trial(1, 0, 3);
  ContextBuffer buffer;
  double rewards = 0, contexts = 0;
  for (Index t = 0; t < 3; ++t) {
    for (Index a = 0; a < 2; ++a) rewards += std::pow(trial->reward(t, a), 2);
    contexts += std::pow(trial->context(t, buffer).features.values[0], 2);
  }
  EXPECT_NEAR(rewards, s * s, 1e-4);  // ‖s u vᵀ‖² = s²
  EXPECT_NEAR(contexts, s, 1e-5);     // ‖u √s‖² = s
}

TEST(Movielens, RepeatsEveryUser) {
  auto options = small(2, 2);
  options.repeat = 4;
  EXPECT_EQ(make(kRatings, options)->default_steps(), 12);
}

TEST(Movielens, RefusesMalformedRatings) {
  EXPECT_EQ(error_of([] { make("1\t2\t3\n", small(2, 2)); }),
            "u.data line 1: found 3 columns, expected 4: user, item, rating, time");
  EXPECT_EQ(error_of([] { make("1\t2\t3\t0\n1\t1\t6\t0\n", small(2, 2)); }),
            "u.data line 2, column 3 ('rating'): found '6', expected a whole number from 1 to 5");
  EXPECT_EQ(error_of([] { make("", small(2, 2)); }),
            "u.data has no ratings: expected user, item, rating, time");
}

TEST(Movielens, RefusesARankAboveTheMovies) {
  EXPECT_EQ(error_of([] { make(kRatings, small(2, 3)); }),
            "environment 'movielens': rank=3: expected at most 2 with 2 movies and 3 users");
}

}  // namespace
}  // namespace bandolier::movielens_test
