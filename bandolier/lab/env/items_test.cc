// Items: menus, renewal and rewards, by their closed forms.
#include "bandolier/lab/env/items.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "bandolier/lab/env/registry.h"
#include "testing/errors.h"

namespace bandolier::items_test {
namespace {

constexpr Index kSteps = 5000;

double logit(float mean) { return std::log(static_cast<double>(mean / (1 - mean))); }

TEST(Items, OffersThirtyOfTheThreeHundredYoungestWithoutRepetition) {
  const auto trial = make_items({})->trial(1, 0, kSteps);
  ContextBuffer buffer;
  double age = 0, renewed = 0;
  for (Index t = 0; t < kSteps; ++t) {
    const auto ids = trial->context(t, buffer).action_ids;
    ASSERT_EQ(ids.size(), 30u);
    EXPECT_EQ(std::set<std::int64_t>(ids.begin(), ids.end()).size(), 30u) << "step " << t;
    // One comes and the oldest goes every 10 steps: those there are t/10 .. t/10 + 299.
    for (const auto id : ids) {
      ASSERT_GE(id, t / 10) << "step " << t;
      ASSERT_LT(id, t / 10 + 300) << "step " << t;
      age += static_cast<double>(id - t / 10);
      if (t == kSteps / 2 || t == kSteps / 2 + 1) renewed += id >= 300 ? 1 : 0;
    }
  }
  // Uniform on 0 .. 299, whose variance is 300²/12, less for draws without replacement.
  const double draws = 30.0 * kSteps;
  EXPECT_NEAR(age / draws, 149.5, 4 * 300 / std::sqrt(12 * draws));
  // At step 2,500 there are 250 new items of 300.
  EXPECT_NEAR(renewed / 60, 250.0 / 300, 4 * std::sqrt(0.14 / 60));
}

TEST(Items, OffersEveryPlaceOfTheMenuToEveryItem) {
  // The first and the last action of a menu are uniform on the catalogue.
  const auto trial = make_items({.renewal = 0})->trial(2, 0, kSteps);
  ContextBuffer buffer;
  double first = 0, last = 0;
  for (Index t = 0; t < kSteps; ++t) {
    const auto ids = trial->context(t, buffer).action_ids;
    first += static_cast<double>(ids.front());
    last += static_cast<double>(ids.back());
  }
  EXPECT_NEAR(first / kSteps, 149.5, 4 * 300 / std::sqrt(12.0 * kSteps));
  EXPECT_NEAR(last / kSteps, 149.5, 4 * 300 / std::sqrt(12.0 * kSteps));
}

TEST(Items, KeepTheirFeaturesAllTheirLifeAndTheirIdForEver) {
  const auto trial = make_items({.candidates = 5, .catalogue = 8, .renewal = 3})->trial(1, 0, 600);
  ContextBuffer buffer;
  std::map<std::int64_t, std::vector<float>> known;
  std::set<std::vector<float>> distinct;
  for (Index t = 0; t < trial->steps(); ++t) {
    const Context context = trial->context(t, buffer);
    for (Index a = 0; a < 5; ++a) {
      const auto row = context.action_features.subspan(static_cast<std::size_t>(10 * a), 10);
      const std::vector<float> features(row.begin(), row.end());
      const auto found = known.emplace(context.action_id(a), features).first;
      EXPECT_EQ(found->second, features) << "step " << t << ", item " << context.action_id(a);
      distinct.insert(features);
    }
  }
  EXPECT_EQ(known.size(), 8u + 199u);  // 8 at first, one more every 3 steps up to step 597
  EXPECT_EQ(distinct.size(), known.size());
}

TEST(Items, StayWithoutRenewal) {
  const auto trial = make_items({.renewal = 0})->trial(1, 0, kSteps);
  ContextBuffer buffer;
  for (const Index t : {Index{0}, kSteps - 1}) {
    for (const auto id : trial->context(t, buffer).action_ids) EXPECT_LT(id, 300);
  }
}

TEST(Items, HaveStandardNormalUsersAndItems) {
  const auto trial = make_items({.renewal = 1})->trial(3, 0, kSteps);
  ContextBuffer buffer;
  double user = 0, user_squares = 0, item = 0, item_squares = 0;
  for (Index t = 0; t < kSteps; ++t) {
    const Context context = trial->context(t, buffer);
    for (const float x : context.features.values) {
      user += static_cast<double>(x);
      user_squares += static_cast<double>(x * x);
    }
    for (const float y : context.action_features) {
      item += static_cast<double>(y);
      item_squares += static_cast<double>(y * y);
    }
  }
  const double users = 20.0 * kSteps, items = 300.0 * kSteps;
  EXPECT_NEAR(user / users, 0, 4 / std::sqrt(users));
  EXPECT_NEAR(user_squares / users, 1, 4 * std::sqrt(2 / users));
  const double distinct = 10 * 5300;  // numbers, each shown some 30 times
  EXPECT_NEAR(item / items, 0, 5 / std::sqrt(distinct));
  EXPECT_NEAR(item_squares / items, 1, 5 * std::sqrt(2 / distinct));
}

// E worth² over trials, users and items, and whether all means are within [0, 1].
double mean_square_worth(const ItemsOptions& options) {
  constexpr std::uint32_t kTrials = 40;
  constexpr Index kEach = 200;
  const auto environment = make_items(options);
  std::vector<float> means(30);
  double squares = 0;
  for (std::uint32_t number = 0; number < kTrials; ++number) {
    const auto trial = environment->trial(4, number, kEach);
    for (Index t = 0; t < kEach; ++t) {
      trial->expected_rewards(t, means);
      for (const float mean : means) {
        EXPECT_GT(mean, 0);
        EXPECT_LT(mean, 1);
        squares += std::pow(logit(mean) / 1.5, 2);
      }
    }
  }
  return squares / (kTrials * kEach * 30);
}

TEST(Items, HaveAWorthOfUnitVarianceToWhichQualityAddsItsOwn) {
  // 2/3 of xᵀBy; 1/3 of four cosines, each with variance 1/2 over its phase; quality² on top.
  EXPECT_NEAR(mean_square_worth({}), 1, 0.05);
  EXPECT_NEAR(mean_square_worth({.quality = 1}), 2, 0.1);
}

TEST(Items, HaveAQualityThatIsTheSameForEveryUser) {
  const auto plain = make_items({})->trial(5, 0, 1000);
  const auto with = make_items({.quality = 0.5})->trial(5, 0, 1000);
  ContextBuffer buffer;
  std::vector<float> means(30), others(30);
  std::map<std::int64_t, double> known;
  for (Index t = 0; t < 1000; ++t) {
    const Context context = plain->context(t, buffer);
    plain->expected_rewards(t, means);
    with->expected_rewards(t, others);
    for (std::size_t a = 0; a < 30; ++a) {
      const double quality = (logit(others[a]) - logit(means[a])) / 1.5;
      const auto found = known.emplace(context.action_ids[a], quality).first;
      EXPECT_NEAR(found->second, quality, 2e-3) << "step " << t;
    }
  }
  double squares = 0;
  for (const auto& [id, quality] : known) squares += quality * quality;
  const auto count = static_cast<double>(known.size());
  EXPECT_NEAR(squares / count, 0.25, 4 * 0.25 * std::sqrt(2 / count));
}

TEST(Items, HasNoiseOfTenPercentAndNoneIfAskedForNone) {
  const auto noisy = make_items({})->trial(6, 0, kSteps);
  const auto clean = make_items({.noise = 0})->trial(6, 0, kSteps);
  std::vector<float> means(30);
  double sum = 0, squares = 0;
  for (Index t = 0; t < kSteps; ++t) {
    const Index a = t % 30;
    noisy->expected_rewards(t, means);
    const float mean = means[static_cast<std::size_t>(a)];
    EXPECT_EQ(clean->reward(t, a), mean);
    const double error = static_cast<double>(noisy->reward(t, a) - mean);
    sum += error;
    squares += error * error;
  }
  EXPECT_NEAR(sum / kSteps, 0, 4 * 0.1 / std::sqrt(kSteps));
  EXPECT_NEAR(std::sqrt(squares / kSteps), 0.1, 0.005);
}

TEST(Items, RefusesACatalogueSmallerThanAMenuAndTooLongAMenu) {
  EXPECT_EQ(testing::error_of([] { make_items({.candidates = 30, .catalogue = 29}); }),
            "environment 'items': catalogue=29: expected at least candidates=30");
  EXPECT_EQ(testing::error_of([] {
              items_options().parse("environment 'items'", {{"candidates", "1001"}});
            }),
            "environment 'items': candidates=1001: expected a whole number from 2 to 1000");
}

TEST(Items, CanBeToldLateOrWronglyAndDoesNotDrift) {
  EXPECT_EQ(testing::error_of([] { make_environment("items:drift=10"); }),
            "drift=10: expected an environment whose actions stay the same");
  const auto plain = make_environment("items")->trial(7, 0, 50);
  const auto changed =
      make_environment("items:reward_noise=0.5,outliers=0.1,delay=3")->trial(7, 0, 50);
  EXPECT_EQ(changed->delay(), 3);
  for (Index t = 0; t < 50; ++t) {
    EXPECT_EQ(changed->reward(t, t % 30), plain->reward(t, t % 30));
    EXPECT_NE(changed->observed_reward(t, t % 30), plain->reward(t, t % 30));
  }
}

}  // namespace
}  // namespace bandolier::items_test
