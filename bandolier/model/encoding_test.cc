#include "bandolier/model/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "bandolier/core/error.h"
#include "bandolier/core/random.h"

namespace bandolier::encoding_test {
namespace {

ProblemShape shape_of(Index features, Index actions, Index action_features = 0) {
  ProblemShape shape;
  shape.features = features;
  shape.actions = actions;
  shape.action_features = action_features;
  return shape;
}

const std::vector<float> kState = {1, 0, 3};
const std::vector<float> kActions = {5, 0, 7, 11};  // two actions of two features

Vector<float> dense_of(const Encoder& encoder, const Context& context, Index action) {
  Vector<float> out(encoder.inputs());
  encoder.encode_dense(context, action, out);
  return out;
}

// shared + own[i], written out.
Vector<float> sparse_of(const Encoder& encoder, const Context& context, Index action) {
  EncodedInputs encoded;
  encoder.encode(context, encoded);
  Vector<float> out = Vector<float>::Zero(encoder.inputs());
  const auto add = [&](const SparseVector& part) {
    for (std::size_t i = 0; i < part.values.size(); ++i) {
      EXPECT_NE(part.values[i], 0);
      EXPECT_LT(i == 0 ? -1 : part.indices[i - 1], part.indices[i]);
      out[part.indices[i]] += part.values[i];
    }
  };
  add(encoded.shared);
  if (encoder.encoding() != Encoding::kMultiHead) {
    EXPECT_EQ(encoded.count, context.actions);
    add(encoded.own.at(static_cast<std::size_t>(action)));
  }
  return out;
}

void expect_input(const Encoder& encoder, const Context& context, Index action,
                  const std::vector<float>& expected) {
  const auto size = static_cast<Index>(expected.size());
  ASSERT_EQ(encoder.inputs(), size);
  const ConstVectorMap<float> values(expected.data(), size);
  EXPECT_EQ(dense_of(encoder, context, action), values);
  EXPECT_EQ(sparse_of(encoder, context, action), values);
}

TEST(Encoder, MultiHeadIsTheStateWithOneOutputAnAction) {
  const Encoder encoder(Encoding::kMultiHead, shape_of(3, 2));
  expect_input(encoder, {Features::dense(kState), 2, {}, {}}, 1, {1, 0, 3});
  EXPECT_EQ(encoder.outputs(), 2);
  EXPECT_EQ(encoder.output_of(1), 1);
  EXPECT_EQ(encoder.input_of(1), 0);
}

TEST(Encoder, ConcatAppendsTheActionsFeatures) {
  const Encoder encoder(Encoding::kConcat, shape_of(3, 2, 2));
  const Context context{Features::dense(kState), 2, kActions, {}};
  expect_input(encoder, context, 0, {1, 0, 3, 5, 0});
  expect_input(encoder, context, 1, {1, 0, 3, 7, 11});
  EXPECT_EQ(encoder.outputs(), 1);
  EXPECT_EQ(encoder.output_of(1), 0);
  EXPECT_EQ(encoder.input_of(1), 1);
}

TEST(Encoder, ConcatOfActionsWithoutFeaturesAppendsOneHot) {
  const Encoder encoder(Encoding::kConcat, shape_of(3, 2));
  expect_input(encoder, {Features::dense(kState), 2, {}, {}}, 1, {1, 0, 3, 0, 1});
}

TEST(Encoder, OuterIsTheStateTimesEachFeatureOfTheAction) {
  const Encoder encoder(Encoding::kOuter, shape_of(3, 2, 2));
  const Context context{Features::dense(kState), 2, kActions, {}};
  expect_input(encoder, context, 0, {5, 0, 15, 0, 0, 0});
  expect_input(encoder, context, 1, {7, 0, 21, 11, 0, 33});
}

TEST(Encoder, OuterOfActionsWithoutFeaturesPutsTheStateInTheActionsBlock) {
  const Encoder encoder(Encoding::kOuter, shape_of(3, 2));
  expect_input(encoder, {Features::dense(kState), 2, {}, {}}, 1, {0, 0, 0, 1, 0, 3});
}

TEST(Encoder, InteractIsActionStateAndTheirProducts) {
  const Encoder encoder(Encoding::kInteract, shape_of(3, 2, 2));
  const Context context{Features::dense(kState), 2, kActions, {}};
  expect_input(encoder, context, 0, {5, 0, 1, 0, 3, 5, 0, 15, 0, 0, 0});
  expect_input(encoder, context, 1, {7, 11, 1, 0, 3, 7, 0, 21, 11, 0, 33});
  EXPECT_EQ(encoder.outputs(), 1);
  EXPECT_EQ(encoder.input_of(1), 1);
}

// 100 × 50 products share 4,096 inputs. Signs make what meets cancel on average: the product of two
// actions' hashed parts is that of their products, (aᵀb)(sᵀs), within a few deviations of the
// sketch, √(2/4096) of its norm.
TEST(Encoder, ManyProductsShareInputsAndKeepTheirInnerProducts) {
  const Encoder encoder(Encoding::kInteract, shape_of(100, 2, 50));
  EXPECT_EQ(encoder.inputs(), 50 + 100 + 4096);
  Vector<float> state(100), actions(100);
  Random random({.seed = 3});
  random.fill_normal(state);
  random.fill_normal(actions);
  const Context context{Features::dense({state.data(), 100}), 2, {actions.data(), 100}, {}};
  const Vector<float> a = dense_of(encoder, context, 0), b = dense_of(encoder, context, 1);
  EXPECT_EQ(a.head(50), actions.head(50));
  EXPECT_EQ(a.segment(50, 100), state);
  const float squares = state.squaredNorm();
  const float norm_a = actions.head(50).squaredNorm() * squares;
  const float dot = actions.head(50).dot(actions.tail(50)) * squares;
  EXPECT_NEAR(a.tail(4096).squaredNorm(), norm_a, 5 * std::sqrt(2.0f / 4096) * norm_a);
  EXPECT_NEAR(a.tail(4096).dot(b.tail(4096)), dot, 5 * std::sqrt(2.0f / 4096) * norm_a);
  EncodedInputs encoded;
  encoder.encode(context, encoded);
  Vector<float> sum = Vector<float>::Zero(encoder.inputs());
  for (const SparseVector* part : {&encoded.shared, &encoded.own[0]}) {
    for (std::size_t i = 0; i < part->indices.size(); ++i) {
      sum[part->indices[i]] += part->values[i];
    }
  }
  EXPECT_EQ(sum, a);
}

TEST(Encoder, SparseStatesGiveTheSameInputs) {
  const std::vector<float> values = {1, 3};
  const std::vector<std::int32_t> indices = {0, 2};
  const Context sparse{{values, indices, 3}, 2, kActions, {}};
  const Context dense{Features::dense(kState), 2, kActions, {}};
  for (const Encoding encoding :
       {Encoding::kMultiHead, Encoding::kConcat, Encoding::kOuter, Encoding::kInteract}) {
    const Encoder encoder(encoding, shape_of(3, 2, 2));
    EXPECT_EQ(dense_of(encoder, sparse, 1), dense_of(encoder, dense, 1));
    EXPECT_EQ(sparse_of(encoder, sparse, 1), dense_of(encoder, dense, 1));
  }
}

TEST(Encoder, OneHotFollowsTheActionsIdNotItsPlace) {
  ProblemShape shape = shape_of(1, 4);
  shape.fixed_actions = false;
  const Encoder encoder(Encoding::kConcat, shape);
  const std::vector<float> state = {9};
  std::vector<std::int64_t> ids = {3, 1};
  const Context context{Features::dense(state), 2, {}, ids};
  expect_input(encoder, context, 0, {9, 0, 0, 0, 1});
  expect_input(encoder, context, 1, {9, 0, 1, 0, 0});
  ids[0] = 4;
  EXPECT_THROW(dense_of(encoder, context, 0), Error);
}

TEST(Encoder, BlocksAreTheInputsWithoutTheirZeros) {
  const Context with{Features::dense(kState), 2, kActions, {}};
  const Context without{Features::dense(kState), 2, {}, {}};
  for (const Encoding encoding : {Encoding::kMultiHead, Encoding::kConcat, Encoding::kOuter}) {
    for (const Index action_features : {0, 2}) {
      const Encoder encoder(encoding, shape_of(3, 2, action_features));
      const Context& context = action_features > 0 ? with : without;
      const Index size = encoder.block_size();
      EXPECT_EQ(encoder.blocks(), encoding == Encoding::kOuter && action_features == 0 ? 2 : 1);
      for (Index action = 0; action < 2; ++action) {
        Vector<float> block(size), input = Vector<float>::Zero(encoder.inputs());
        encoder.encode_block(context, action, block);
        input.segment(encoder.block_of(context, action) * size, size) = block;
        EXPECT_EQ(input, dense_of(encoder, context, action));
      }
    }
  }
}

TEST(Encoder, MultiHeadRefusesActionsThatChange) {
  ProblemShape shape = shape_of(3, 2);
  shape.fixed_actions = false;
  EXPECT_THROW(Encoder(Encoding::kMultiHead, shape), Error);
  EXPECT_NO_THROW(Encoder(Encoding::kOuter, shape));
}

TEST(Encoding, IsTypedAsAWord) {
  EXPECT_EQ(to_word(Encoding::kMultiHead), "multi-head");
  EXPECT_EQ(to_word(Encoding::kConcat), "concat");
  EXPECT_EQ(to_word(Encoding::kOuter), "outer");
  EXPECT_EQ(to_word(Encoding::kInteract), "interact");
}

}  // namespace
}  // namespace bandolier::encoding_test
