// The real data sets: their counts, and what the best, a fixed and a random policy earn on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <numeric>

#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/test_data.h"

namespace bandolier::data_test {
namespace {

struct Totals {
  double oracle = 0, best_fixed = 0, uniform = 0;
};

Totals totals_of(const Environment& environment, Index steps) {
  const auto trial = environment.trial(1, 0, steps);
  std::vector<float> expected(static_cast<std::size_t>(environment.shape().actions));
  std::vector<double> fixed(expected.size());
  Totals totals;
  for (Index t = 0; t < steps; ++t) {
    trial->expected_rewards(t, expected);
    totals.oracle += static_cast<double>(*std::max_element(expected.begin(), expected.end()));
    for (std::size_t a = 0; a < fixed.size(); ++a) fixed[a] += static_cast<double>(expected[a]);
  }
  totals.best_fixed = *std::max_element(fixed.begin(), fixed.end());
  totals.uniform =
      std::accumulate(fixed.begin(), fixed.end(), 0.0) / static_cast<double>(fixed.size());
  return totals;
}

struct Expected {
  std::string spec;
  std::string file;  // without which the test is skipped
  Index rows, features, actions;
  std::optional<Totals> totals;  // to the nearest whole number
};

class KnownData : public ::testing::TestWithParam<Expected> {};

TEST_P(KnownData, HasTheRowsFeaturesActionsAndTotalsThatAreKnown) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  const Expected& known = GetParam();
  if (!std::filesystem::exists(*real_data_path / known.file)) {
    GTEST_SKIP() << "no " << known.file << " in " << *real_data_path;
  }
  const auto environment = make_environment(known.spec);
  EXPECT_EQ(environment->default_steps(), known.rows);
  EXPECT_EQ(environment->shape().features, known.features);
  EXPECT_EQ(environment->shape().actions, known.actions);
  if (!known.totals) return;
  const Totals totals = totals_of(*environment, known.rows);
  EXPECT_NEAR(totals.oracle, known.totals->oracle, 0.51);
  EXPECT_NEAR(totals.best_fixed, known.totals->best_fixed, 0.51);
  EXPECT_NEAR(totals.uniform, known.totals->uniform, 0.51);
}

INSTANTIATE_TEST_SUITE_P(
    All, KnownData,
    ::testing::Values(
        Expected{"shuttle:sample=paper", "paper/shuttle.csv.gz", 5000, 9, 7,
                 Totals{5000, 3992, 714}},
        Expected{"covertype:sample=paper", "paper/covertype.csv.gz", 5000, 54, 7,
                 Totals{5000, 2419, 714}},
        Expected{"adult:sample=paper", "paper/adult.csv.gz", 5000, 89, 2, Totals{5000, 3776, 2500}},
        Expected{"shuttle", "uci/shuttle.trn.gz", 43500, 9, 7, {}},
        // 6 numbers, 99 words of 8 categorical columns, and 3 of these have missing values.
        Expected{"adult", "uci/adult.data.gz", 32561, 6 + 99 + 3, 2, {}},
        Expected{"movielens", "ml-100k/u.data.gz", 737, 20, 20, Totals{3370, 1753, 647}},
        Expected{"mnist", "mnist/train-images-idx3-ubyte.gz", 60000, 784, 10, {}},
        Expected{"mnist:part=test", "mnist/t10k-images-idx3-ubyte.gz", 10000, 784, 10, {}}),
    [](const auto& instance) {
      std::string name = instance.param.spec;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
      return name;
    });

TEST(DataTest, FiveThousandDigitsPayTheOracleAllAndAFixedActionAboutOneInNine) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  if (!std::filesystem::exists(*real_data_path / "mnist/train-images-idx3-ubyte.gz")) {
    GTEST_SKIP() << "no MNIST in " << *real_data_path;
  }
  const Totals totals = totals_of(*make_environment("mnist:rows=5000"), 5000);
  EXPECT_EQ(totals.oracle, 5000);
  EXPECT_NEAR(totals.uniform, 500, 1e-6);
  EXPECT_NEAR(totals.best_fixed, 562, 66);  // 11.24 % ones, 3 standard deviations
}

TEST(DataTest, AdultKeepsItsMissingWordsAsCategories) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  if (!std::filesystem::exists(*real_data_path / "uci/adult.data.gz")) {
    GTEST_SKIP() << "no uci/adult.data.gz in " << *real_data_path;
  }
  EXPECT_EQ(make_environment("adult")->notes().front().to_text(),
            "4262 missing words kept as a category");
}

TEST(DataTest, FashionMnistHasSixtyThousandImagesWhateverTheDataFolder) {
  if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist")) {
    GTEST_SKIP() << "Debian's package dataset-fashion-mnist is not installed";
  }
  const testing::ScopedVariable nowhere("BANDOLIER_DATA", "/nonexistent");
  const auto environment = make_environment("fashion-mnist");
  EXPECT_EQ(environment->default_steps(), 60000);
  EXPECT_EQ(environment->shape().image, (ImageShape{28, 28, 1}));
  EXPECT_EQ(environment->shape().actions, 10);
}

}  // namespace
}  // namespace bandolier::data_test
