#include "bandolier/filter/hidden_units.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::hidden_units_test {
namespace {

constexpr Index kInputs = 12, kUnits = 2000, kRows = 32;

// Columns 0 to 3 are continuous, 4 to 9 binary, 10 and 11 constant.
Matrix<float> mixed_inputs() {
  Matrix<float> x(kRows, kInputs);
  Random random({.seed = 3});
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < 4; ++j) x(i, j) = static_cast<float>(random.normal());
    for (Index j = 4; j < 10; ++j) x(i, j) = (i + j) % 3 == 0 ? 1.0f : 0.0f;
    x(i, 10) = x(i, 11) = 2;
  }
  return x;
}

Network body() { return Network({Dense{kInputs, kUnits}, Relu{}}, kInputs); }

TEST(HiddenUnits, SparseOnesReadAtMostSixInputsByTheirNumberOfValues) {
  const Vector<float> parameters = sparse_units(body(), mixed_inputs(), Random({.seed = 4}));
  const ConstMatrixMap<float> weights(parameters.data(), kUnits, kInputs);
  Vector<double> reads = Vector<double>::Zero(kInputs);
  for (Index u = 0; u < kUnits; ++u) {
    Index read = 0;
    for (Index j = 0; j < kInputs; ++j) {
      read += weights(u, j) != 0;
      reads[j] += weights(u, j) != 0;
    }
    EXPECT_LE(read, 6);
    EXPECT_GE(read, 1);
  }
  EXPECT_EQ(reads[10] + reads[11], 0) << "constant inputs tell nothing";
  EXPECT_GT(reads.head(4).minCoeff(), 10 * reads.segment(4, 6).maxCoeff() / 2);
  EXPECT_GT(reads.segment(4, 6).minCoeff(), 0);
}

// E‖w‖² = 6·(1/6) = 1, and the bias is spread as 0.7 of what the unit sees.
TEST(HiddenUnits, SparseOnesHaveWeightsOfUnitVarianceAndKinksAmongTheContexts) {
  const Matrix<float> x = mixed_inputs();
  const Vector<float> parameters = sparse_units(body(), x, Random({.seed = 4}));
  const ConstMatrixMap<float> weights(parameters.data(), kUnits, kInputs);
  EXPECT_NEAR(weights.squaredNorm() / kUnits, 1, 0.1);
  double sum = 0;
  for (Index u = 0; u < kUnits; ++u) {
    const float seen = (x * weights.row(u).transpose()).norm() / std::sqrt(float{kRows});
    const float ratio = parameters[weights.size() + u] / (0.7f * seen);
    sum += static_cast<double>(ratio * ratio);
  }
  EXPECT_NEAR(sum / kUnits, 1, 0.15);
}

TEST(HiddenUnits, AutoIsSparseWhereAQuarterOfTheInputsIsBinary) {
  const Matrix<float> x = mixed_inputs();
  EXPECT_TRUE(suits_sparse_units(x));
  EXPECT_FALSE(suits_sparse_units(x.leftCols(4))) << "none is binary";
  EXPECT_TRUE(suits_sparse_units(x.leftCols(6))) << "2 of 6";
  EXPECT_FALSE(suits_sparse_units(x.rightCols(2))) << "all are constant";
  EXPECT_FALSE(suits_sparse_units(x.topRows(4))) << "too few to tell";
}

}  // namespace
}  // namespace bandolier::hidden_units_test
