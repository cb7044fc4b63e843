// Arrays as tables: the same contexts and rewards as the file that holds the same numbers.
#include "bandolier/lab/env/array_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bandolier/lab/env/table_rows.h"
#include "bandolier/lab/env/test_csv.h"
#include "testing/errors.h"

namespace bandolier::array_table_test {
namespace {

using testing::error_of;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Unix seconds of one afternoon, a column with a gap and words with one.
std::vector<ArrayColumn> arrays() {
  return {{"seen", false, {1700000000, 1700000060, 1700000120, 1700000030}},
          {"age", false, {31, kMissing, 18, 44.5}},
          {"plan", false, {}, {0, 1, -1, 1}, {"free", "gold"}},
          {"left", false, {}, {1, 0, 0, 1}, {"no", "yes"}}};
}

class ArrayTable : public testing::CsvTest {};

TEST_F(ArrayTable, GivesTheContextsAndRewardsOfTheSameFile) {
  const auto from_file = make(
      "seen,age,plan,left\n1700000000,31,free,yes\n1700000060,,gold,no\n1700000120,18,,no\n"
      "1700000030,44.5,gold,yes\n",
      "label=left,keep=seen");
  const auto from_arrays =
      make_rows_environment(make_label_rows(make_array_table("table", arrays()), "left"),
                            RowsOptions{}, StandardiseOptions{}, "table");
  EXPECT_EQ(from_arrays->action_names(), from_file->action_names());
  ASSERT_EQ(from_arrays->shape().features, from_file->shape().features);
  const auto a = from_file->trial(1, 0, 4), b = from_arrays->trial(1, 0, 4);
  ContextBuffer one, other;
  for (Index t = 0; t < 4; ++t) {
    const auto x = a->context(t, one).features.values, y = b->context(t, other).features.values;
    EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << t;
    EXPECT_EQ(a->reward(t, 1), b->reward(t, 1));
  }
}

TEST_F(ArrayTable, WhatIsWrongIsNamedByRowAndColumn) {
  const auto error = [](const auto& change) {
    auto columns = arrays();
    change(columns);
    return error_of([&] { make_array_table("table", columns); });
  };
  EXPECT_EQ(error([](auto&) {}), "");
  EXPECT_EQ(error([](auto& columns) { columns[1].numbers[2] = HUGE_VAL; }),
            "table: row 2, column 'age': found inf: expected a finite number, or NaN where it is "
            "missing");
  EXPECT_NE(error([](auto& columns) { columns[1].numbers[2] = 1e39; }).find("found 1e+39"),
            std::string::npos);  // beyond float
  EXPECT_EQ(error([](auto& columns) { columns[1].numbers.pop_back(); }),
            "table: column 'age' has 3 rows and 'seen' 4: expected as many");
  EXPECT_NE(error([](auto& columns) { columns[2].codes[1] = 2; }).find("found code 2"),
            std::string::npos);
  EXPECT_NE(error([](auto& columns) { columns[2].words.resize(10'001); }).find("10001 words"),
            std::string::npos);
  EXPECT_NE(error([](auto& columns) { columns.clear(); }).find("has no columns"),
            std::string::npos);
  EXPECT_NE(error([](auto& columns) {
              columns = {{"x", false, {}}};
            }).find("has no rows"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::array_table_test
