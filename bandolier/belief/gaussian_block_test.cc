#include "bandolier/belief/gaussian_block.h"

#include <gtest/gtest.h>

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

TEST(GaussianBlock, WrongBlocksAreErrors) {
  const Vector<double> zero = Vector<double>::Zero(3), one = Vector<double>::Ones(3);
  EXPECT_THROW(GaussianBlock<double>(zero, one, {1, 1}), Error);
  EXPECT_THROW(GaussianBlock<double>(zero, one, {3, 0}), Error);
}

}  // namespace
}  // namespace bandolier::gaussian_block_test
