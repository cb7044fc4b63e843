#include "bandolier/belief/gaussian_block.h"

#include <gtest/gtest.h>

#include <array>

#include "bandolier/belief/test_reference_filter.h"

namespace bandolier::gaussian_block_test {
namespace {

const std::vector<Index> kSizes = {6, 3, 3, 3};
constexpr Index kDim = 15;

template <class T>
GaussianBlock<T> make() {
  return GaussianBlock<T>(Vector<T>::Zero(kDim), Vector<T>::LinSpaced(kDim, T(0.5), T(2)), kSizes);
}

TEST(GaussianBlock, OneStepFromThePriorGivesTheDiagonalBlocksOfTheDenseFilter) {
  Random random({.seed = 1});
  auto belief = make<double>();
  testing::ReferenceFilter dense{Vector<double>::Zero(kDim), belief.covariance(),
                                 Matrix<double>::Ones(kDim, kDim)};
  Vector<double> g(kDim);
  random.fill_normal(g);
  belief.update(g, {2, 7});
  dense.update(g, 2, 7);
  EXPECT_LT((belief.mean() - dense.mean).norm(), 1e-13);
  const Matrix<double> p = belief.covariance();
  for (Index b = 0; b < belief.blocks(); ++b) {
    const Index o = belief.offset(b), n = belief.size(b);
    EXPECT_LT((p.block(o, o, n, n) - dense.p.block(o, o, n, n)).norm(), 1e-13);
  }
  EXPECT_EQ(p(0, kDim - 1), 0);
}

TEST(GaussianBlock, ActiveBlocksEqualAGradientThatIsZeroElsewhere) {
  Random random({.seed = 2});
  auto compact = make<double>(), full = make<double>();
  Vector<double> scratch, g(9);
  for (int t = 0; t < 60; ++t) {
    const Index head = 1 + t % 3;
    random.fill_normal(g);
    Vector<double> wide = Vector<double>::Zero(kDim);
    wide.head(6) = g.head(6);
    wide.segment(full.offset(head), 3) = g.tail(3);
    const std::array<Index, 2> active = {0, head};
    EXPECT_NEAR(compact.variance(active, g, scratch), full.variance(wide, scratch), 1e-13);
    EXPECT_NEAR(compact.update(active, g, {0.5, 3}).variance, full.update(wide, {0.5, 3}).variance,
                1e-13);
  }
  EXPECT_LT((compact.mean() - full.mean()).norm(), 1e-13);
  EXPECT_LT((compact.covariance() - full.covariance()).norm(), 1e-13);
}

TEST(GaussianBlock, InactiveBlocksKeepEveryBit) {
  auto belief = make<float>();
  const Matrix<float> before = belief.covariance();
  const std::array<Index, 2> active = {2, 0};  // any order: g lists block 2 first
  belief.update(active, Vector<float>::Ones(9), {1, 1});
  const Matrix<float> after = belief.covariance();
  EXPECT_EQ(after.block(6, 6, 3, 3), before.block(6, 6, 3, 3));
  EXPECT_EQ(after.block(12, 12, 3, 3), before.block(12, 12, 3, 3));
  EXPECT_NE(after.block(0, 0, 6, 6), before.block(0, 0, 6, 6));
  EXPECT_NE(after.block(9, 9, 3, 3), before.block(9, 9, 3, 3));
  EXPECT_EQ(belief.mean(1), Vector<float>::Zero(3));
  EXPECT_NE(belief.mean(2), Vector<float>::Zero(3));
}

// A block whose variance is 10⁷ of the other's, in float: 1 + Vq' must come from the small one's q,
// not from a difference of large numbers. The exact remaining variance is q(1 + Vq')/s.
TEST(GaussianBlock, SmallBlocksCountBesideLargeOnesInFloat) {
  Vector<float> variances(2);
  variances << 1e5f, 1e-2f;
  GaussianBlock<float> belief(Vector<float>::Zero(2), variances, {1, 1});
  belief.update(Vector<float>::Ones(2), {0, 100});
  const double s = 1 + 100 * (1e5 + 1e-2);
  EXPECT_NEAR(belief.covariance()(0, 0) / (1e5 * (1 + 100 * 1e-2) / s), 1, 1e-3);
}

TEST(GaussianBlock, SampleOfOneBlockHasItsMeanAndCovariance) {
  Random random({.seed = 3});
  auto belief = make<double>();
  Vector<double> g(kDim), noise, sample(6);
  for (int t = 0; t < 5; ++t) {
    random.fill_normal(g);
    belief.update(g, {1, 4});
  }
  constexpr int kSamples = 20000;
  Matrix<double> squares = Matrix<double>::Zero(6, 6);
  for (int n = 0; n < kSamples; ++n) {
    belief.sample(0, random, 2, noise, sample);
    sample -= belief.mean(0);
    squares += sample * sample.transpose();
  }
  const Matrix<double> p = 4 * belief.covariance().topLeftCorner(6, 6);
  EXPECT_LT((squares / kSamples - p).norm(), 0.05 * p.norm());
}

TEST(GaussianBlock, WrongBlocksAreErrors) {
  auto belief = make<double>();
  const std::array<Index, 1> missing = {4}, negative = {-1}, first = {0};
  EXPECT_THROW(belief.update(missing, Vector<double>::Zero(3), {1, 1}), Error);
  EXPECT_THROW(belief.update(negative, Vector<double>::Zero(3), {1, 1}), Error);
  EXPECT_THROW(belief.update(first, Vector<double>::Zero(3), {1, 1}), Error);
  const std::vector<Index> five = {0, 0, 0, 0, 0};
  EXPECT_THROW(belief.update(five, Vector<double>::Zero(30), {1, 1}), Error);
  const Vector<double> zero = Vector<double>::Zero(3), one = Vector<double>::Ones(3);
  EXPECT_THROW(GaussianBlock<double>(zero, one, {1, 1}), Error);
  EXPECT_THROW(GaussianBlock<double>(zero, one, {3, 0}), Error);
}

}  // namespace
}  // namespace bandolier::gaussian_block_test
