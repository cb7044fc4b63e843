#include "bandolier/model/context.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "bandolier/core/error.h"

namespace bandolier::context_test {
namespace {

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

ProblemShape shape_of(Index features, Index actions, Index action_features = 0) {
  ProblemShape shape;
  shape.features = features;
  shape.actions = actions;
  shape.action_features = action_features;
  return shape;
}

TEST(ProblemShape, MustHaveAFeatureAndTwoActions) {
  EXPECT_EQ(error_of([] { check(shape_of(1, 2)); }), "");
  EXPECT_EQ(error_of([] { check(shape_of(0, 2)); }),
            "the problem has 0 features: expected 1 to 2147483647");
  EXPECT_EQ(error_of([] { check(shape_of(3, 1)); }),
            "the problem has 1 actions: expected 2 to 2147483647");
  EXPECT_NE(error_of([] { check(shape_of(3, 2, -1)); }).find("-1 features per action"),
            std::string::npos);
  ProblemShape image = shape_of(5, 2);
  image.image = {2, 2, 1};
  EXPECT_NE(error_of([&] { check(image); }).find("expected 5 values"), std::string::npos);
}

TEST(Context, OfTheWrongSizeSaysWhatWasFoundAndExpected) {
  const std::vector<float> values = {1, 2, 3};
  const ProblemShape shape = shape_of(3, 2);
  const Context right{Features::dense(values), 2, {}, {}};
  EXPECT_EQ(error_of([&] { check(right, shape); }), "");
  Context context = right;
  context.features = Features::dense(std::span(values).first(2));
  EXPECT_EQ(error_of([&] { check(context, shape); }), "the context has 2 features: expected 3");
  context = right;
  context.actions = 3;
  EXPECT_EQ(error_of([&] { check(context, shape); }), "the context has 3 actions: expected 2");
  context = right;
  context.action_features = values;
  EXPECT_NE(error_of([&] { check(context, shape); }).find("3 action feature values: expected 0"),
            std::string::npos);
  const std::vector<std::int64_t> ids = {1};
  context = right;
  context.action_ids = ids;
  EXPECT_NE(error_of([&] { check(context, shape); }).find("1 action ids"), std::string::npos);
}

TEST(Context, WithFewerActionsIsFineOnlyWhereTheyMayChange) {
  const std::vector<float> values = {1, 2, 3};
  ProblemShape shape = shape_of(3, 4);
  const Context context{Features::dense(values), 2, {}, {}};
  EXPECT_NE(error_of([&] { check(context, shape); }), "");
  shape.fixed_actions = false;
  EXPECT_EQ(error_of([&] { check(context, shape); }), "");
}

TEST(Context, WithANumberThatIsNotFiniteIsRefused) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::vector<float> values = {1, bad};
    const Context shared{Features::dense(values), 2, {}, {}};
    EXPECT_NE(error_of([&] { check(shared, shape_of(2, 2)); }).find("feature 1 is"),
              std::string::npos);
    const std::vector<float> good = {1};
    const Context own{Features::dense(good), 2, values, {}};
    EXPECT_NE(error_of([&] { check(own, shape_of(1, 2, 1)); }).find("action feature 1 is"),
              std::string::npos);
  }
}

TEST(Context, SparseIndicesMustAscendWithinTheFeatures) {
  const std::vector<float> values = {1, 2};
  const ProblemShape shape = shape_of(10, 2);
  const auto error_with = [&](const std::vector<std::int32_t>& indices) {
    return error_of([&] { check(Context{{values, indices, 10}, 2, {}, {}}, shape); });
  };
  EXPECT_EQ(error_with({0, 9}), "");
  EXPECT_NE(error_with({3, 3}).find("index 3 after 3"), std::string::npos);
  EXPECT_NE(error_with({3, 10}).find("below 10"), std::string::npos);
  EXPECT_NE(error_with({-1, 2}).find("index -1"), std::string::npos);
  EXPECT_NE(error_with({1}).find("2 sparse values and 1 indices"), std::string::npos);
}

TEST(ContextBuffer, KeepsACopyThatOutlivesTheOriginal) {
  ContextBuffer buffer;
  Context copy;
  {
    std::vector<float> values = {4, 5}, own = {6, 7};
    std::vector<std::int32_t> indices = {1, 8};
    std::vector<std::int64_t> ids = {30, 40};
    copy = buffer.hold({{values, indices, 9}, 2, own, ids});
    values = {0, 0};
  }
  EXPECT_TRUE(copy.features.sparse());
  EXPECT_EQ(copy.features.size, 9);
  EXPECT_EQ(copy.features.values[1], 5);
  EXPECT_EQ(copy.features.indices[1], 8);
  EXPECT_EQ(copy.action_features[1], 7);
  EXPECT_EQ(copy.action_id(1), 40);
}

}  // namespace
}  // namespace bandolier::context_test
