#include "bandolier/belief/batch_update.h"

#include <gtest/gtest.h>

#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/normal_inverse_gamma.h"
#include "testing/dense.h"

namespace bandolier::batch_update_test {
namespace {

template <class T>
Matrix<T> normals(Index rows, Index cols, std::uint64_t seed) {
  Random random({.seed = seed});
  Matrix<T> out(rows, cols);
  random.fill_normal(VectorMap<T>(out.data(), out.size()));
  return out;
}

// Rows [begin, end) of x; observation i is asked for by (row, value, q).
template <class T, class Observe>
void learn(GaussianFull<T>& belief, const Matrix<T>& x, BatchRows rows, BatchUpdate<T>& batch,
           BatchScratch<T>& scratch, Observe observe) {
  for (Index row = rows.begin; row < rows.end; ++row) batch.want(row);
  belief.project(batch, rows);
  for (Index row = rows.begin; row < rows.end; ++row) {
    batch.learn(row, rows.end, observe(row, batch.value(row), batch.q(row)));
  }
  belief.correct(batch, rows, scratch);
  ASSERT_EQ(batch.gradient(0), x.data());
}

TEST(BatchUpdate, MatchesTheNormalEquationsOfLinearRegressionTo1em10) {
  constexpr Index kDim = 12, kRows = 300;
  constexpr double kNoise = 0.2, kPrior = 3;
  const Matrix<double> x = normals<double>(kRows, kDim, 1);
  const Vector<double> y = normals<double>(kRows, 1, 2);
  for (const Index size : {Index{1}, Index{7}, Index{32}}) {
    GaussianFull<double> belief(kDim, kPrior);
    BatchUpdate<double> batch;
    BatchScratch<double> scratch;
    batch.start(x.data(), kRows, kDim);
    for (Index begin = 0; begin < kRows; begin += size) {
      learn(belief, x, {begin, std::min(begin + size, kRows)}, batch, scratch,
            [&](Index row, double value, double) {
              return Observation<double>{(y[row] - value) / kNoise, 1 / kNoise};
            });
    }
    const Matrix<double> precision =
        Matrix<double>::Identity(kDim, kDim) / kPrior + x.transpose() * x / kNoise;
    const Matrix<double> covariance = testing::inverse(precision);
    EXPECT_LT((belief.mean() - covariance * x.transpose() * y / kNoise).norm(), 1e-10) << size;
    EXPECT_LT((belief.covariance() - covariance).norm(), 1e-10 * covariance.norm()) << size;
  }
}

// Slopes and curvatures that depend on what each saw, one of them of no curvature.
template <class T>
Observation<T> observation(Index row, T value, T q) {
  if (row % 11 == 5) return {T(0.3), 0};
  return {std::sin(T(3) * value) - q, T(0.5) + q * q};
}

TEST(BatchUpdate, EachSeesAndTeachesWhatItWouldOneAfterTheOther) {
  constexpr Index kDim = 9, kRows = 32;
  const Matrix<double> x = normals<double>(kRows, kDim, 3);
  GaussianFull<double> one_by_one(kDim, 0.7), together(kDim, 0.7);
  BatchScratch<double> scratch;
  BatchUpdate<double> batch;
  batch.start(x.data(), kRows, kDim);
  learn(together, x, {0, kRows}, batch, scratch, [&](Index row, double value, double q) {
    const Vector<double> g = x.row(row).transpose();
    Vector<double> work;
    EXPECT_NEAR(value, g.dot(one_by_one.mean()), 1e-12) << row;
    EXPECT_NEAR(q, one_by_one.variance(g, work), 1e-12) << row;
    const auto observed = observation(row, value, q);
    EXPECT_TRUE(one_by_one.update(g, observed).accepted);
    return observed;
  });
  EXPECT_LT((together.mean() - one_by_one.mean()).norm(), 1e-12);
  EXPECT_LT((together.covariance() - one_by_one.covariance()).norm(), 1e-12);
}

TEST(BatchUpdate, OneThatIsNotLearntLeavesNoTraceHoweverLargeItIs) {
  constexpr Index kDim = 6, kRows = 10;
  Matrix<double> x = normals<double>(kRows, kDim, 4);
  Matrix<double> spared(kRows - 2, kDim);
  spared << x.topRows(3), x.middleRows(4, 4), x.bottomRows(1);
  x.row(3).setConstant(1e200);
  GaussianFull<double> belief(kDim, 2), expected(kDim, 2);
  BatchScratch<double> scratch;
  BatchUpdate<double> batch;
  batch.start(x.data(), kRows, kDim);
  const BatchRows rows{0, kRows};
  for (Index row = 0; row < kRows; ++row) batch.want(row);
  belief.project(batch, rows);
  for (Index row = 0; row < kRows; ++row) {
    if (row == 3) {
      EXPECT_FALSE(acceptable(Observation<double>{1, 1}, batch.q(row)));
    } else if (row != 8) {
      batch.learn(row, kRows, {0.5 - batch.value(row), 1});
    }
  }
  belief.correct(batch, rows, scratch);
  for (Index row = 0; row < spared.rows(); ++row) {
    const Vector<double> g = spared.row(row).transpose();
    expected.update(g, {0.5 - g.dot(expected.mean()), 1});
  }
  EXPECT_LT((belief.mean() - expected.mean()).norm(), 1e-13);
  EXPECT_LT((belief.covariance() - expected.covariance()).norm(), 1e-13);
}

TEST(BatchUpdate, OneThatComesToBeWantedLaterSeesWhatTheOthersHaveTaught) {
  constexpr Index kDim = 6, kRows = 8;
  const Matrix<double> x = normals<double>(kRows, kDim, 5);
  GaussianFull<double> belief(kDim, 2), expected(kDim, 2);
  BatchScratch<double> scratch;
  BatchUpdate<double> batch;
  batch.start(x.data(), kRows, kDim);
  const BatchRows rows{0, kRows};
  for (const Index row : {0, 1, 2, 5, 7}) batch.want(row);
  belief.project(batch, rows);
  for (const Index row : {0, 1, 2, 4, 5, 7}) {  // 3 and 6 never are
    if (!batch.projected(row)) {
      EXPECT_EQ(row, 4);
      batch.want(row);
      belief.project(batch, rows);
    }
    const Vector<double> g = x.row(row).transpose();
    EXPECT_NEAR(batch.value(row), g.dot(expected.mean()), 1e-13);
    const Observation<double> observed{1 - batch.value(row), 1};
    batch.learn(row, kRows, observed);
    expected.update(g, observed);
  }
  belief.correct(batch, rows, scratch);
  EXPECT_LT((belief.mean() - expected.mean()).norm(), 1e-13);
  EXPECT_LT((belief.covariance() - expected.covariance()).norm(), 1e-13);
}

TEST(BatchUpdate, BeliefsOfOneBatchKeepToTheirOwnRows) {
  constexpr Index kDim = 5;
  const Matrix<double> x = normals<double>(9, kDim, 6);
  GaussianFull<double> first(kDim, 1), second(kDim, 1), expected(kDim, 1);
  BatchScratch<double> scratch;
  BatchUpdate<double> batch;
  batch.start(x.data(), 9, kDim);
  for (Index row = 0; row < 9; ++row) batch.want(row);
  first.project(batch, {0, 4});
  second.project(batch, {4, 9});
  for (const Index row : {4, 0, 5, 1, 6, 2, 7, 3, 8}) {
    batch.learn(row, row < 4 ? 4 : 9, {1 - batch.value(row), 1});
  }
  first.correct(batch, {0, 4}, scratch);
  second.correct(batch, {4, 9}, scratch);
  for (Index row = 4; row < 9; ++row) {
    const Vector<double> g = x.row(row).transpose();
    expected.update(g, {1 - g.dot(expected.mean()), 1});
  }
  EXPECT_LT((second.mean() - expected.mean()).norm(), 1e-13);
  EXPECT_LT((second.covariance() - expected.covariance()).norm(), 1e-13);
}

TEST(BatchUpdate, ACopyMadeBeforeIsNotWritten) {
  const Matrix<float> x = normals<float>(4, 3, 7);
  GaussianFull<float> belief(3, 1);
  const GaussianFull<float> copy = belief;
  BatchScratch<float> scratch;
  BatchUpdate<float> batch;
  batch.start(x.data(), 4, 3);
  learn(belief, x, {0, 4}, batch, scratch, [](Index, float value, float) {
    return Observation<float>{1 - value, 1};
  });
  EXPECT_LT(belief.covariance().trace(), 2.0f);
  EXPECT_TRUE(copy.covariance().isIdentity());
  EXPECT_TRUE(copy.mean().isZero());
}

// One context again and again under a prior a million times the noise: the first leaves nothing of
// the direction, and what is left must be right. After n rewards its variance is 1/(10⁻⁶ + n).
TEST(BatchUpdate, RepeatedContextsUnderAWidePriorStayExactInFloat) {
  constexpr Index kDim = 20, kRows = 32;
  const Matrix<float> one = normals<float>(1, kDim, 8).rowwise().normalized();
  const Matrix<float> x = one.replicate(kRows, 1);
  GaussianFull<float> belief(kDim, 1e6f);
  BatchScratch<float> scratch;
  BatchUpdate<float> batch;
  batch.start(x.data(), kRows, kDim);
  learn(belief, x, {0, kRows}, batch, scratch, [](Index, float value, float) {
    return Observation<float>{2 - value, 1};
  });
  Vector<float> work;
  const Vector<float> g = one.row(0).transpose();
  EXPECT_NEAR(belief.variance(g, work), 1.0 / kRows, 1e-3 / kRows);
  EXPECT_NEAR(g.dot(belief.mean()), 2, 1e-4);
}

// As the test of single updates (gaussian_full_test.cc): coordinates differ in scale by 1000, and
// the precision in double is the reference.
TEST(BatchUpdate, FloatAgreesWithDoubleTo1PercentAfterAMillionUpdates) {
  constexpr Index kDim = 10, kRows = 32;
  constexpr float kCurvature = 10;
  Random random({.seed = 2});
  GaussianFull<float> belief(kDim, 1);
  Matrix<double> precision = Matrix<double>::Identity(kDim, kDim);
  Vector<float> scales(kDim);
  for (Index i = 0; i < kDim; ++i) scales[i] = std::pow(10.0f, -3.0f * float(i) / (kDim - 1));
  Matrix<float> x(kRows, kDim);
  BatchUpdate<float> batch;
  BatchScratch<float> scratch;
  for (int t = 0; t < 1000000 / kRows; ++t) {
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    x.array().rowwise() *= scales.transpose().array();
    batch.start(x.data(), kRows, kDim);
    learn(belief, x, {0, kRows}, batch, scratch, [](Index, float value, float) {
      return Observation<float>{-kCurvature * value, kCurvature};
    });
    const Matrix<double> wide = x.cast<double>();
    precision += double(kCurvature) * wide.transpose() * wide;
  }
  const Matrix<double> covariance = testing::inverse(precision);
  Vector<float> work;
  for (Index i = 0; i < kDim; ++i) {
    const Vector<float> axis = Vector<float>::Unit(kDim, i);
    EXPECT_NEAR(belief.variance(axis, work) / covariance(i, i), 1, 0.01) << i;
  }
  for (int direction = 0; direction < 20; ++direction) {
    Vector<float> g(kDim);
    random.fill_normal(g);
    const Vector<double> wide = g.cast<double>();
    EXPECT_NEAR(belief.variance(g, work) / wide.dot(covariance * wide), 1, 0.01);
  }
}

TEST(BatchUpdate, ANormalInverseGammaLearnsTheSameNoise) {
  constexpr Index kDim = 4, kRows = 25;
  const Matrix<double> x = normals<double>(kRows, kDim, 9);
  const Vector<double> y = normals<double>(kRows, 1, 10);
  NormalInverseGamma<double> one_by_one(GaussianFull<double>(kDim, 4), {.a = 2, .b = 3});
  NormalInverseGamma<double> together = one_by_one;
  BatchScratch<double> write;
  BeliefScratch<double> scratch;
  BatchUpdate<double> batch;
  batch.start(x.data(), kRows, kDim);
  for (Index row = 0; row < kRows; ++row) batch.want(row);
  together.project(batch, {0, kRows});
  for (Index row = 0; row < kRows; ++row) {
    const double reward = row == 12 ? 1e300 : y[row];  // too far for any belief
    EXPECT_EQ(together.update(batch, row, kRows, reward),
              one_by_one.update(x.row(row).transpose(), reward, scratch).accepted);
  }
  together.correct(batch, {0, kRows}, write);
  EXPECT_DOUBLE_EQ(together.noise().a, 2 + 0.5 * (kRows - 1));
  EXPECT_NEAR(together.noise().b, one_by_one.noise().b, 1e-12);
  EXPECT_LT((together.weights().mean() - one_by_one.weights().mean()).norm(), 1e-13);
}

}  // namespace
}  // namespace bandolier::batch_update_test
