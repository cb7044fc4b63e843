#include "bandolier/replay/minibatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace bandolier::minibatch_test {
namespace {

// Row i holds (i, −i), is of output i mod 3 and has the target 10 i.
struct Stored {
  Matrix<float> inputs = Matrix<float>(7, 2);
  std::vector<Index> outputs;
  std::vector<float> targets;
  Stored() {
    for (Index i = 0; i < 7; ++i) {
      const auto value = static_cast<float>(i);
      inputs.row(i) << value, -value;
      outputs.push_back(i % 3);
      targets.push_back(10 * value);
    }
  }
};

TEST(Minibatch, HoldsWholeRowsInOrderOfTheirOutputs) {
  const Stored stored;
  Minibatch minibatch;
  Random random({.seed = 1});
  minibatch.draw({stored.inputs, stored.outputs, stored.targets}, 40, random);
  const TrainingSet rows = minibatch.rows();
  ASSERT_EQ(rows.size(), 40);
  for (Index i = 0; i < 40; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const float value = rows.inputs(i, 0);
    EXPECT_EQ(rows.inputs(i, 1), -value);
    EXPECT_EQ(rows.outputs[at], static_cast<Index>(value) % 3);
    EXPECT_EQ(rows.targets[at], 10 * value);
  }
  EXPECT_TRUE(std::is_sorted(rows.outputs.begin(), rows.outputs.end()));
  std::size_t parts = 0;
  for (std::size_t begin = 0; begin < 40; begin = minibatch.end_of(begin), ++parts) {
    EXPECT_TRUE(begin == 0 || rows.outputs[begin - 1] < rows.outputs[begin]);
  }
  EXPECT_EQ(parts, 3u);
}

TEST(Minibatch, DrawsEveryRowEquallyOftenAndWithReplacement) {
  const Stored stored;
  Minibatch minibatch;
  Random random({.seed = 2});
  std::map<float, int> counts;
  for (int i = 0; i < 1000; ++i) {
    minibatch.draw({stored.inputs, stored.outputs, stored.targets}, 14, random);
    for (Index row = 0; row < 14; ++row) ++counts[minibatch.rows().inputs(row, 0)];
  }
  ASSERT_EQ(counts.size(), 7u);
  for (const auto& [row, count] : counts) EXPECT_NEAR(count, 2000, 200) << row;  // 4.8 deviations
}

}  // namespace
}  // namespace bandolier::minibatch_test
