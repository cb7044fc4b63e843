#include "bandolier/linalg/row_products.h"

#include <gtest/gtest.h>

namespace bandolier::row_products_test {
namespace {

TEST(RowProducts, AreThoseOfWholeMatricesWhateverTheirSizes) {
  for (const auto& [rows, columns, depth] :
       {std::array<Index, 3>{1, 1, 1}, {64, 64, 128}, {64, 65, 129}, {7, 200, 331}, {3, 5, 0}}) {
    const Matrix<double> a = Matrix<double>::Random(rows, depth);
    const Matrix<double> b = Matrix<double>::Random(columns, depth);
    Matrix<double> out(rows, columns + 2);  // a part of a wider matrix
    row_products<double>(a, b, out.leftCols(columns));
    EXPECT_LT((out.leftCols(columns) - a * b.transpose()).norm(), 1e-11) << rows << " " << columns;
  }
}

}  // namespace
}  // namespace bandolier::row_products_test
