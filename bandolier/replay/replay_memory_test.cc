#include "bandolier/replay/replay_memory.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bandolier/core/error.h"
#include "testing/allocations.h"
#include "testing/errors.h"

namespace bandolier::replay_memory_test {
namespace {

const ProblemShape kShape{.features = 2, .actions = 3};
constexpr Index kUnlimited = 0;

// Row i has features (i, 10 i), action i % 3 and reward i.
void push(ReplayMemory& memory, const Encoder& encoder, Index i) {
  const auto value = static_cast<float>(i);
  const float features[] = {value, 10 * value};
  memory.push(encoder, {Features::dense(features), 3, {}, {}}, i % 3, value);
}

std::vector<float> rewards(const ReplayMemory& memory) {
  const auto targets = memory.rows().targets;
  std::vector<float> sorted(targets.begin(), targets.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

TEST(ReplayMemory, KeepsEveryRowWhereUnlimited) {
  const Encoder encoder(Encoding::kMultiHead, kShape);
  ReplayMemory memory(encoder, kUnlimited);
  EXPECT_EQ(memory.bytes(), 0u);
  for (Index i = 0; i < 200; ++i) push(memory, encoder, i);
  const TrainingSet rows = memory.rows();
  ASSERT_EQ(rows.size(), 200);
  EXPECT_EQ(rows.inputs(199, 1), 1990);
  EXPECT_EQ(rows.outputs[199], 199 % 3);
  EXPECT_EQ(rows.targets[199], 199);
  EXPECT_TRUE(rows.blocks.empty());
  // 2 features, an output, a reward.
  EXPECT_EQ(memory.bytes(), 200u * (2 * 4 + 8 + 4));
}

TEST(ReplayMemory, KeepsTheLastRowsWhereLimitedInMemoryThatNeverGrows) {
  const Encoder encoder(Encoding::kMultiHead, kShape);
  ReplayMemory memory(encoder, 5);
  const std::size_t bytes = memory.bytes();
  const std::int64_t before = testing::allocations();
  for (Index i = 0; i < 23; ++i) push(memory, encoder, i);
  EXPECT_EQ(testing::allocations() - before, 0);
  EXPECT_EQ(rewards(memory), (std::vector<float>{18, 19, 20, 21, 22}));
  EXPECT_EQ(memory.bytes(), bytes);
}

TEST(ReplayMemory, KeepsTheLastRowsOfEachOutputWhereAsked) {
  const Encoder encoder(Encoding::kMultiHead, kShape);
  ReplayMemory memory(encoder, 6, true);
  for (Index i = 0; i < 12; ++i) push(memory, encoder, i);
  for (Index i = 12; i < 30; i += 3) push(memory, encoder, i);  // action 0 alone
  EXPECT_EQ(rewards(memory), (std::vector<float>{7, 8, 10, 11, 24, 27}));
}

TEST(ReplayMemory, StoresOuterInputsAsBlocks) {
  const Encoder encoder(Encoding::kOuter, kShape);
  ReplayMemory memory(encoder, kUnlimited);
  for (Index i = 0; i < 5; ++i) push(memory, encoder, i);
  const TrainingSet rows = memory.rows();
  EXPECT_EQ(rows.inputs.cols(), 2);
  EXPECT_EQ(rows.blocks[4], 1);
  EXPECT_EQ(rows.outputs[4], 0);
  EXPECT_EQ(rows.inputs(4, 1), 40);
}

TEST(ReplayMemory, GoesOnAfterSaveAndLoadAsIfNothingHadHappened) {
  for (const Encoding encoding : {Encoding::kMultiHead, Encoding::kOuter}) {
    const Encoder encoder(encoding, kShape);
    for (const auto capacity : {kUnlimited, Index{6}}) {
      const bool per_output = encoding == Encoding::kMultiHead;
      ReplayMemory one(encoder, capacity, per_output), two(encoder, capacity, per_output);
      for (Index i = 0; i < 8; ++i) push(one, encoder, i);
      ArchiveWriter out;
      one.save(out);
      two.load(ArchiveReader(out.finish(), "memory"));
      for (Index i = 8; i < 11; ++i) {
        push(one, encoder, i);
        push(two, encoder, i);
      }
      EXPECT_EQ(one.rows().inputs, two.rows().inputs);
      EXPECT_EQ(rewards(one), rewards(two));
      EXPECT_EQ(one.bytes(), two.bytes());
    }
  }
}

TEST(ReplayMemory, HasARowForEachOutputAtLeast) {
  const Encoder encoder(Encoding::kMultiHead, kShape);
  const Index outputs = encoder.outputs();
  EXPECT_NO_THROW(ReplayMemory(encoder, outputs, true));
  EXPECT_THROW(ReplayMemory(encoder, outputs - 1, true), Error);
}

TEST(ReplayMemory, RefusesASavedMemoryOfAnotherShape) {
  const Encoder encoder(Encoding::kMultiHead, kShape);
  ReplayMemory eight(encoder, 8);
  for (Index i = 0; i < 8; ++i) push(eight, encoder, i);
  ArchiveWriter out;
  eight.save(out);
  ReplayMemory four(encoder, 4);
  const ArchiveReader in(out.finish(), "memory");
  EXPECT_THROW(four.load(in), Error);
  const Encoder wider(Encoding::kMultiHead, {.features = 3, .actions = 3});
  ReplayMemory other(wider, 8);
  EXPECT_THROW(other.load(in), Error);
}

// A row that is in no line would be written beyond the end.
TEST(ReplayMemory, RefusesSavedLinesThatDoNotHoldEveryRowOnce) {
  const Encoder encoder(Encoding::kMultiHead, kShape);
  using Rows = std::vector<std::int64_t>;
  const auto refusal = [&](const std::vector<Rows>& lines, std::int64_t oldest) {
    ArchiveWriter out;
    out.write("inputs", Matrix<float>{{1, 2}, {3, 4}, {5, 6}});
    out.write("outputs", Rows{0, 0, 1});
    out.write("rewards", Vector<float>::Ones(3).eval());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto section = out.section("lines", i);
      out.write("rows", lines[i]);
      out.write("oldest", oldest);
    }
    ReplayMemory memory(encoder, 6, true);
    return testing::error_of([&] { memory.load(ArchiveReader(out.finish(), "m.bndl")); });
  };
  EXPECT_EQ(refusal({{0, 1}, {2}, {}}, 1), "");
  EXPECT_EQ(refusal({{0, 1}, {2}, {}}, 2), "m.bndl: lines.0/oldest is 2: expected 0 to 1");
  const std::string no_order = " is no order of 3 rows: the file was not written by this agent";
  EXPECT_EQ(refusal({{0, 1}, {}, {}}, 0), "m.bndl: lines.2" + no_order);
  EXPECT_EQ(refusal({{0, 1}, {1}, {}}, 0), "m.bndl: lines.1" + no_order);
  EXPECT_EQ(refusal({{0, 3}, {1}, {}}, 0), "m.bndl: lines.0" + no_order);
  EXPECT_EQ(refusal({{0, 1, 2}, {}, {}}, 0), "m.bndl: lines.0" + no_order);
}

// Training indexes the network's outputs and blocks with them.
TEST(ReplayMemory, RefusesSavedOutputsAndBlocksThatTheEncoderDoesNotHave) {
  const auto refusal = [](Encoding encoding, std::int64_t output, std::int64_t block) {
    const Encoder encoder(encoding, kShape);
    ArchiveWriter out;
    out.write("inputs", Matrix<float>{{1, 2}});
    out.write("outputs", std::vector<std::int64_t>{output});
    out.write("rewards", Vector<float>::Ones(1).eval());
    out.write("blocks", std::vector<std::int64_t>{block});
    ReplayMemory memory(encoder, kUnlimited);
    return testing::error_of([&] { memory.load(ArchiveReader(out.finish(), "m.bndl")); });
  };
  EXPECT_EQ(refusal(Encoding::kMultiHead, 2, 0), "");
  EXPECT_EQ(refusal(Encoding::kMultiHead, 3, 0), "m.bndl: outputs holds 3: expected 0 to 2");
  EXPECT_EQ(refusal(Encoding::kOuter, 0, 2), "");
  EXPECT_EQ(refusal(Encoding::kOuter, 0, 3), "m.bndl: blocks holds 3: expected 0 to 2");
  EXPECT_EQ(refusal(Encoding::kOuter, 0, -1), "m.bndl: blocks holds -1: expected 0 to 2");
}

}  // namespace
}  // namespace bandolier::replay_memory_test
