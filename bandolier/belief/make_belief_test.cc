#include "bandolier/belief/make_belief.h"

#include <gtest/gtest.h>

#include "bandolier/belief/gaussian_block.h"
#include "bandolier/belief/gaussian_diagonal.h"
#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/gaussian_split.h"
#include "bandolier/belief/low_rank.h"
#include "testing/errors.h"

namespace bandolier::make_belief_test {
namespace {

constexpr Index kDim = 7;

BeliefOptions options_of(std::string_view word) {
  return {parse_word<BeliefKind>("covariance", word), 3, {4, 2, 1}};
}

template <class T, class Kind>
bool makes(std::string_view word) {
  const auto belief = make_belief<T>(options_of(word), Vector<T>::Zero(kDim), T(2));
  return dynamic_cast<const Kind*>(belief.get()) != nullptr;
}

TEST(MakeBelief, MakesEveryKindByItsWord) {
  EXPECT_TRUE((makes<float, GaussianFull<float>>("full")));
  EXPECT_TRUE((makes<float, GaussianDiagonal<float>>("diag")));
  EXPECT_TRUE((makes<float, GaussianBlock<float>>("block")));
  EXPECT_TRUE((makes<float, LowRank<float>>("low-rank")));
  EXPECT_TRUE((makes<double, GaussianFull<double>>("full")));
  EXPECT_TRUE((makes<double, GaussianDiagonal<double>>("diag")));
  EXPECT_TRUE((makes<double, GaussianBlock<double>>("block")));
  EXPECT_TRUE((makes<double, LowRank<double>>("low-rank")));
  EXPECT_TRUE((makes<float, GaussianFull<float>>("split")));
  EXPECT_EQ(words_of(BeliefKind{}).size(), 5u);
}

TEST(MakeBelief, SplitIsFullUpTo1024ParametersAndOfMoreForTheFirst512) {
  const BeliefOptions options{BeliefKind::kSplit, 10, {}};
  const auto least = make_belief<float>(options, Vector<float>::Zero(1024), 1);
  EXPECT_NE(dynamic_cast<const GaussianFull<float>*>(least.get()), nullptr);
  const auto more = make_belief<float>(options, Vector<float>::Zero(1025), 1);
  EXPECT_NE(dynamic_cast<const GaussianSplit<float>*>(more.get()), nullptr);
  // Mean and variances beside the root of the first.
  EXPECT_EQ(more->bytes(), 4u * (512 * 512 + 1025 + 513));
  EXPECT_EQ(belief_bytes_needed(options, 1025), static_cast<double>(more->bytes()));
}

TEST(MakeBelief, StartsAtTheGivenMeanWithTheVarianceInEveryDirection) {
  const Vector<double> mean = Vector<double>::LinSpaced(kDim, -1, 1);
  const Matrix<double> covariance = 2.25 * Matrix<double>::Identity(kDim, kDim);
  for (const std::string_view word : words_of(BeliefKind{})) {
    const auto belief = make_belief<double>(options_of(word), mean, 2.25);
    EXPECT_EQ(belief->mean(), mean) << word;
    EXPECT_LT((belief->covariance() - covariance).norm(), 1e-14) << word;
  }
}

// Values: mean and root of full, mean and variances of diag, the same of every block, and of
// low-rank the mean, Υ and its root, W and C.
TEST(MakeBelief, NeedsTheBytesThatTheBeliefMadeHas) {
  const std::pair<std::string_view, Index> expected[] = {{"full", 7 + 49},
                                                         {"diag", 7 + 7},
                                                         {"block", 7 + 16 + 4 + 1},
                                                         {"low-rank", 3 * 7 + 42 + 36},
                                                         {"split", 7 + 49}};
  for (const auto& [word, values] : expected) {
    const BeliefOptions options = options_of(word);
    const auto single = make_belief<float>(options, Vector<float>::Zero(kDim), 1);
    const auto wide = make_belief<double>(options, Vector<double>::Zero(kDim), 1);
    EXPECT_EQ(single->bytes(), static_cast<std::size_t>(4 * values)) << word;
    EXPECT_EQ(wide->bytes(), static_cast<std::size_t>(8 * values)) << word;
    EXPECT_EQ(belief_bytes_needed(options, kDim), static_cast<double>(single->bytes())) << word;
  }
}

TEST(MakeBelief, LowRankHasTheRankAskedForAndAtMostTheDimension) {
  for (const Index rank : {Index{1}, Index{5}, Index{100}}) {
    const BeliefOptions options{BeliefKind::kLowRank, rank, {}};
    const auto belief = make_belief<float>(options, Vector<float>::Zero(kDim), 1);
    EXPECT_EQ(dynamic_cast<const LowRank<float>&>(*belief).rank(), std::min(rank, kDim));
    EXPECT_EQ(belief_bytes_needed(options, kDim), static_cast<double>(belief->bytes()));
  }
}

TEST(MakeBelief, RefusesBlocksThatDoNotMakeUpTheDimension) {
  const BeliefOptions options{BeliefKind::kBlock, 10, {4, 2}};
  EXPECT_EQ(testing::error_of([&] { make_belief<float>(options, Vector<float>::Zero(kDim), 1); }),
            "the list of blocks in sum has 6 values: this belief expects 7");
}

}  // namespace
}  // namespace bandolier::make_belief_test
