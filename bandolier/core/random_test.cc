#include "bandolier/core/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "bandolier/core/error.h"

namespace bandolier::random_test {
namespace {

using Block = std::array<std::uint32_t, 4>;

Random stream(std::uint64_t seed, std::uint32_t step = 0) {
  return Random({.seed = seed, .purpose = Purpose::kTest, .trial = 0, .step = step});
}

// Mean, variance, skewness and excess kurtosis of `count` draws.
struct Moments {
  double mean, variance, skewness, kurtosis;
};
Moments moments(int count, const std::function<double()>& draw) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::generate(values.begin(), values.end(), draw);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double m2 = 0, m3 = 0, m4 = 0;
  for (const double value : values) {
    const double e = value - mean;
    m2 += e * e / count;
    m3 += e * e * e / count;
    m4 += e * e * e * e / count;
  }
  return {mean, m2, m3 / std::pow(m2, 1.5), m4 / (m2 * m2) - 3};
}

// Random123's known answers for philox4x32 with 10 rounds.
TEST(Philox, GivesTheKnownAnswersOfRandom123) {
  EXPECT_EQ(internal::philox({0, 0, 0, 0}, 0),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(internal::philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, ~std::uint64_t{0}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(internal::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822u),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, CountsBlockStepTrialPurposeUnderTheSeed) {
  const StreamKey key{.seed = 42, .purpose = Purpose::kChoose, .trial = 3, .step = 9};
  Random random(key);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const Block expected = internal::philox({block, 9, 3, 5}, 42);
    for (const auto word : expected) EXPECT_EQ(random(), word);
  }
}

TEST(Random, GivesOtherNumbersForEveryPartOfTheKey) {
  const StreamKey key{.seed = 1, .purpose = Purpose::kTest, .trial = 1, .step = 1};
  StreamKey seed = key, purpose = key, trial = key, step = key;
  seed.seed = std::uint64_t{1} << 32 | 1;
  purpose.purpose = Purpose::kReward;
  trial.trial = 2;
  step.step = 2;
  std::set<std::uint64_t> first;
  for (const auto& k : {key, seed, purpose, trial, step}) first.insert(Random(k).bits64());
  EXPECT_EQ(first.size(), 5u);
}

TEST(Random, StreamsOfNeighbouringStepsAreUncorrelated) {
  constexpr int kCount = 100'000;
  double sum = 0;
  for (std::uint32_t step = 0; step < kCount; ++step) {
    sum += (stream(1, step).uniform() - 0.5) * (stream(1, step + 1).uniform() - 0.5);
  }
  EXPECT_NEAR(sum / kCount * 12, 0, 4 / std::sqrt(kCount));
}

TEST(RandomFork, DependsOnKeyAndIndexAloneAndNotOnWhatWasDrawn) {
  Random random = stream(5);
  const std::uint64_t before = random.fork(3).bits64();
  random.uniform();
  EXPECT_EQ(random.fork(3).bits64(), before);
  EXPECT_NE(random.fork(4).bits64(), before);
  EXPECT_NE(stream(6).fork(3).bits64(), before);
  EXPECT_NE(stream(5, 1).fork(3).bits64(), before);
  EXPECT_NE(random.fork(3).fork(3).bits64(), before);
  EXPECT_NE(stream(5).bits64(), before);
}

TEST(RandomFork, KeyCreatesItAgain) {
  Random fork = stream(5).fork(3);
  EXPECT_EQ(Random(fork.key()).bits64(), fork.bits64());
}

TEST(RandomUniform, HasTheMomentsOfTheUnitInterval) {
  Random random = stream(1);
  const auto m = moments(200'000, [&] { return random.uniform(); });
  EXPECT_NEAR(m.mean, 0.5, 4 * std::sqrt(1.0 / 12 / 200'000));
  EXPECT_NEAR(m.variance, 1.0 / 12, 0.001);
  EXPECT_NEAR(m.kurtosis, -1.2, 0.02);
}

TEST(RandomBelow, CoversSmallRangesEvenly) {
  Random random = stream(2);
  constexpr int kCount = 70'000;
  std::array<int, 7> counts{};
  for (int i = 0; i < kCount; ++i) ++counts.at(random.below(7));
  double chi_squared = 0;
  for (const int count : counts) chi_squared += std::pow(count - kCount / 7, 2) / (kCount / 7.0);
  EXPECT_LT(chi_squared, 22.5);  // 99.9 % of chi-squared with 6 degrees of freedom
}

TEST(RandomBelow, StaysBelowAtTheEdgesOfItsRange) {
  Random random = stream(3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0u);
  const std::uint64_t n = (std::uint64_t{1} << 63) + 1;  // every second word is rejected
  std::uint64_t largest = 0;
  for (int i = 0; i < 1000; ++i) largest = std::max(largest, random.below(n));
  EXPECT_LT(largest, n);
  EXPECT_GT(largest, n / 100 * 98);
}

TEST(RandomNormal, HasTheMomentsOfAStandardNormal) {
  Random random = stream(4);
  const auto m = moments(200'000, [&] { return random.normal(); });
  EXPECT_NEAR(m.mean, 0, 0.01);
  EXPECT_NEAR(m.variance, 1, 0.015);
  EXPECT_NEAR(m.skewness, 0, 0.025);
  EXPECT_NEAR(m.kurtosis, 0, 0.05);
}

class RandomGamma : public ::testing::TestWithParam<double> {};
TEST_P(RandomGamma, HasMeanAndVarianceEqualToItsShape) {
  const double shape = GetParam();
  Random random = stream(5);
  constexpr int kCount = 200'000;
  const auto m = moments(kCount, [&] { return random.gamma(shape); });
  EXPECT_NEAR(m.mean, shape, 4 * std::sqrt(shape / kCount));
  // Var of the sample variance: (kurtosis + 2) σ⁴ / n with excess kurtosis 6 / shape.
  EXPECT_NEAR(m.variance, shape, 4 * shape * std::sqrt((6 / shape + 2) / kCount));
  EXPECT_NEAR(m.skewness, 2 / std::sqrt(shape), 0.1 * (1 + 2 / std::sqrt(shape)));
}
INSTANTIATE_TEST_SUITE_P(Shapes, RandomGamma, ::testing::Values(0.3, 1.0, 2.5, 6.0, 2500.0));

TEST(RandomGamma, InverseHasMeanBOverAMinusOne) {
  Random random = stream(6);
  const auto m = moments(200'000, [&] { return random.inverse_gamma(6, 3); });
  EXPECT_NEAR(m.mean, 3.0 / 5, 0.003);
}

TEST(RandomGamma, RefusesShapesThatHaveNoDistribution) {
  Random random = stream(7);
  for (const double shape : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(random.gamma(shape), Error) << shape;
  }
}

TEST(FillNormal, HasTheMomentsOfAStandardNormalInEveryPlace) {
  constexpr Index kSize = 37;
  constexpr int kFills = 20'000;
  Vector<float> values(kSize);
  Vector<double> sum = Vector<double>::Zero(kSize), squares = sum, neighbours = sum;
  for (std::uint32_t i = 0; i < kFills; ++i) {
    stream(8, i).fill_normal(values);
    const Vector<double> v = values.cast<double>();
    sum += v;
    squares += v.cwiseAbs2();
    // Cosine and sine of one radius are 8 apart.
    for (Index j = 0; j < kSize; ++j) neighbours[j] += v[j] * v[(j + 8) % kSize];
  }
  const double error = 5 / std::sqrt(kFills);
  EXPECT_LT((sum / kFills).cwiseAbs().maxCoeff(), error);
  EXPECT_LT(((squares / kFills).array() - 1).abs().maxCoeff(), error * std::sqrt(2.0));
  EXPECT_LT((neighbours / kFills).cwiseAbs().maxCoeff(), error);
}

TEST(FillNormal, FollowsTheNormalDistributionFunction) {
  constexpr int kCount = 100'000;
  Vector<float> values(kCount);
  stream(9).fill_normal(values);
  std::sort(values.begin(), values.end());
  double distance = 0;
  for (int i = 0; i < kCount; ++i) {
    const double cdf = 0.5 * std::erfc(-values[i] / std::sqrt(2.0));
    distance = std::max(distance, std::abs(cdf - (i + 0.5) / kCount));
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(kCount));  // Kolmogorov–Smirnov at 0.1 %
}

TEST(FillNormal, WritesEveryValueAndNothingBeyondForAnySize) {
  for (const Index size : {0, 1, 2, 15, 16, 17, 255, 256, 257, 1000}) {
    Vector<float> values = Vector<float>::Constant(size + 2, 1e9f);
    stream(10).fill_normal(values.segment(1, size));
    EXPECT_EQ(values[0], 1e9f);
    EXPECT_EQ(values[size + 1], 1e9f);
    EXPECT_TRUE((values.segment(1, size).array().abs() < 7).all()) << size;
  }
}

TEST(FillNormal, ShorterFillIsTheBeginningOfALongerOne) {
  Vector<float> all(1000);
  stream(11).fill_normal(all);
  for (const Index size : {1, 2, 15, 16, 17, 255, 256, 257}) {
    Vector<float> some(size);
    stream(11).fill_normal(some);
    EXPECT_EQ(some, all.head(size)) << size;
  }
}

TEST(FillNormal, DoesNotDependOnTheAlignmentOfTheMemory) {
  Vector<float> expected(53), memory(53 + 16);
  stream(12).fill_normal(expected);
  for (Index shift = 0; shift < 16; ++shift) {
    stream(12).fill_normal(memory.segment(shift, 53));
    EXPECT_EQ(memory.segment(shift, 53), expected) << shift;
  }
}

TEST(FillNormal, GivesTheSameNumbersInFloatAndInDouble) {
  Vector<float> single(37);
  Vector<double> wide(37);
  stream(13).fill_normal(single);
  stream(13).fill_normal(wide);
  EXPECT_EQ(single.cast<double>(), wide);
}

TEST(FillNormal, StartsAtAFreshBlockAndLeavesTheStreamAtOne) {
  Random ahead = stream(14), fresh = stream(14);
  ahead();  // one word of block 0
  Vector<float> after(16), straight(32);
  ahead.fill_normal(after);  // blocks 1 to 4
  EXPECT_EQ(ahead(), internal::philox({5, 0, 0, 7}, 14)[0]);
  for (int i = 0; i < 4; ++i) fresh();  // block 0
  fresh.fill_normal(straight);
  EXPECT_EQ(after, straight.head(16));
}

TEST(Shuffle, GivesEveryPermutationOfThreeItemsEquallyOften) {
  Random random = stream(15);
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < 60'000; ++i) {
    std::vector<int> items = {0, 1, 2};
    shuffle(items, random);
    ++counts[items];
  }
  ASSERT_EQ(counts.size(), 6u);
  for (const auto& [items, count] : counts) EXPECT_NEAR(count, 10'000, 4.5 * std::sqrt(10'000));
}

TEST(Shuffle, LeavesEmptyAndSingleListsAlone) {
  Random random = stream(16);
  std::vector<int> none, one = {7};
  shuffle(none, random);
  shuffle(one, random);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(one, std::vector<int>{7});
}

TEST(ShuffleFirst, GivesEveryOrderedPairOfFourItemsEquallyOften) {
  Random random = stream(17);
  std::map<std::pair<int, int>, int> counts;
  for (int i = 0; i < 120'000; ++i) {
    std::vector<int> items = {0, 1, 2, 3};
    shuffle_first(items, 2, random);
    ++counts[{items[0], items[1]}];
  }
  ASSERT_EQ(counts.size(), 12u);
  for (const auto& [pair, count] : counts) EXPECT_NEAR(count, 10'000, 4.5 * std::sqrt(10'000));
}

TEST(ShuffleFirst, AShorterDrawIsTheBeginningOfALongerOne) {
  std::vector<int> some(100), all(100);
  std::iota(some.begin(), some.end(), 0);
  std::iota(all.begin(), all.end(), 0);
  Random one = stream(18), other = stream(18);
  shuffle_first(some, 30, one);
  shuffle_first(all, 100, other);
  EXPECT_TRUE(std::equal(some.begin(), some.begin() + 30, all.begin()));
  EXPECT_FALSE(std::is_sorted(all.begin(), all.end()));
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace bandolier::random_test
