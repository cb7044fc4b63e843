#include "bandolier/belief/batch_rows.h"

#include <gtest/gtest.h>

namespace bandolier::batch_rows_test {
namespace {

TEST(BatchGroups, ThoseOfOneBeliefLieTogetherInTheirOrder) {
  BatchGroups groups;
  const std::vector<Index> belief = {2, 0, 2, 2, 0, 4};
  ASSERT_EQ(groups.fit(belief, 5), 6u);
  groups.group(belief, 5);
  ASSERT_EQ(groups.groups().size(), 3u);
  const std::vector<Index> row = {2, 0, 3, 4, 1, 5};
  for (std::size_t i = 0; i < belief.size(); ++i) {
    EXPECT_EQ(groups.row(i), row[i]);
    EXPECT_EQ(groups.of(i).belief, belief[i]);
    EXPECT_LE(groups.of(i).rows.begin, row[i]);
    EXPECT_GT(groups.of(i).rows.end, row[i]);
  }
  EXPECT_EQ(groups.of(0).rows.begin, 2);
  EXPECT_EQ(groups.of(0).rows.end, 5);
}

TEST(BatchGroups, ABlockEndsBeforeABeliefHasMoreThan32OrAllHaveMoreThan128) {
  BatchGroups groups;
  const std::vector<Index> one(100, 0);
  EXPECT_EQ(groups.fit(one, 1), 32u);
  std::vector<Index> in_turn;
  for (Index i = 0; i < 300; ++i) in_turn.push_back(i % 2);
  EXPECT_EQ(groups.fit(in_turn, 2), 64u);
  for (Index i = 0; i < 300; ++i) in_turn[static_cast<std::size_t>(i)] = i % 10;
  EXPECT_EQ(groups.fit(in_turn, 10), 128u);
}

TEST(BatchGroups, WhatWasGroupedBeforeIsForgotten) {
  BatchGroups groups;
  groups.group(std::vector<Index>{1, 1, 0}, 2);
  groups.group(std::vector<Index>{1}, 2);
  ASSERT_EQ(groups.groups().size(), 1u);
  EXPECT_EQ(groups.row(0), 0);
  EXPECT_EQ(groups.of(0).rows.end, 1);
}

}  // namespace
}  // namespace bandolier::batch_rows_test
