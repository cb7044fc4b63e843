#include "bandolier/model/reward_model.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"

namespace bandolier::reward_model_test {
namespace {

constexpr Index kFeatures = 6, kCount = 4, kActionFeatures = 3;

ProblemShape shape_of(Index action_features) {
  ProblemShape shape;
  shape.features = kFeatures;
  shape.actions = kCount;
  shape.action_features = action_features;
  return shape;
}

Vector<double> random_vector(Index size, std::uint64_t seed) {
  Random random({seed, Purpose::kTest, 0, 0});
  Vector<double> values(size);
  random.fill_normal(values);
  return values;
}

// A context with zeros in it, as dense and as sparse features.
struct Data {
  std::vector<float> dense, values, actions;
  std::vector<std::int32_t> indices;
  Index action_features;

  explicit Data(Index action_features_) : action_features(action_features_) {
    const Vector<double> draws = random_vector(kFeatures + kCount * kActionFeatures, 1);
    for (Index i = 0; i < kFeatures; ++i) {
      dense.push_back(i % 3 == 1 ? 0.0f : static_cast<float>(draws[i]));
      if (i % 3 == 1) continue;
      values.push_back(dense.back());
      indices.push_back(static_cast<std::int32_t>(i));
    }
    for (Index i = 0; i < kCount * action_features; ++i) {
      actions.push_back(static_cast<float>(draws[kFeatures + i]));
    }
  }
  Context context(bool sparse) const {
    return {sparse ? Features{values, indices, kFeatures} : Features::dense(dense),
            kCount,
            actions,
            {}};
  }
};

struct Case {
  Encoding encoding;
  Index action_features;
  bool sparse;
  const char* model;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const Encoding encoding : {Encoding::kMultiHead, Encoding::kConcat, Encoding::kOuter}) {
    for (const Index action_features : {Index{0}, kActionFeatures}) {
      for (const bool sparse : {false, true}) {
        for (const char* model : {"linear", "mlp:5", "mlp:5x4:tanh"}) {
          out.push_back({encoding, action_features, sparse, model});
        }
      }
    }
  }
  return out;
}

TEST(RewardModel, PredictsWhatTheNetworkSaysOfEachDenseInput) {
  for (const auto& [encoding, action_features, sparse, text] : cases()) {
    SCOPED_TRACE(std::string(to_word(encoding)) + " " + text + (sparse ? " sparse" : ""));
    const RewardModel model(text, encoding, shape_of(action_features));
    const Data data(action_features);
    const Context context = data.context(sparse);
    const Vector<double> p = random_vector(model.parameters(), 2);
    ModelScratch<double> work;
    const Vector<double> rewards = model.predict<double>(p, context, work);
    ASSERT_EQ(rewards.size(), kCount);
    NetworkScratch<double> network;
    Vector<float> input(model.encoder().inputs());
    for (Index action = 0; action < kCount; ++action) {
      model.encoder().encode_dense(context, action, input);
      const Matrix<double> row = input.cast<double>().transpose();
      const double expected =
          model.network().forward<double>(p, row, network)(0, model.encoder().output_of(action));
      EXPECT_NEAR(rewards[action], expected, 1e-12);
    }
    ModelScratch<float> work_float;
    EXPECT_LT((model.predict<float>(p.cast<float>(), context, work_float).cast<double>() - rewards)
                  .cwiseAbs()
                  .maxCoeff(),
              1e-4);
  }
}

TEST(RewardModel, GradientOfEveryEncodingEqualsCentralDifferences) {
  for (const auto& [encoding, action_features, sparse, text] : cases()) {
    SCOPED_TRACE(std::string(to_word(encoding)) + " " + text + (sparse ? " sparse" : ""));
    const RewardModel model(text, encoding, shape_of(action_features));
    const Data data(action_features);
    const Context context = data.context(sparse);
    Vector<double> p = random_vector(model.parameters(), 2);
    ModelScratch<double> work;
    Vector<double> gradient(model.parameters());
    const Index action = 2;
    const double reward = model.gradient<double>(p, context, action, work, gradient);
    EXPECT_NEAR(reward, model.predict<double>(p, context, work)[action], 1e-12);
    for (Index i = 0; i < p.size(); ++i) {
      const double old = p[i], step = 1e-6;
      p[i] = old + step;
      const double above = model.predict<double>(p, context, work)[action];
      p[i] = old - step;
      const double below = model.predict<double>(p, context, work)[action];
      p[i] = old;
      EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-7) << "parameter " << i;
    }
  }
}

TEST(RewardModel, BlockGradientIsTheGradientWithoutItsZeros) {
  for (const auto& [encoding, action_features, sparse, text] : cases()) {
    SCOPED_TRACE(std::string(to_word(encoding)) + " " + text + (sparse ? " sparse" : ""));
    const RewardModel model(text, encoding, shape_of(action_features));
    const Data data(action_features);
    const Context context = data.context(sparse);
    const Vector<double> p = random_vector(model.parameters(), 2);
    ModelScratch<double> work;
    Vector<double> expected(model.parameters()), whole = Vector<double>::Zero(model.parameters());
    Vector<double> head(model.block_head()), tail(model.block_tail());
    const Index action = 2;
    const double reward = model.gradient<double>(p, context, action, work, expected);
    EXPECT_NEAR(model.block_gradient<double>(p, context, action, work, head, tail), reward, 1e-12);
    whole.tail(tail.size()) = tail;
    if (model.encoder().blocks() > 1) {
      const Index size = model.encoder().block_size();
      for (Index unit = 0; unit < model.network().layers()[0].outputs; ++unit) {
        whole.segment(unit * model.encoder().inputs() + action * size, size) =
            head.segment(unit * size, size);
      }
    } else {
      EXPECT_EQ(head.size(), 0);
    }
    EXPECT_LT((whole - expected).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(RewardModel, LenetReadsImagesThroughMultiHeadOnly) {
  ProblemShape shape;
  shape.features = 784;
  shape.actions = 10;
  EXPECT_THROW(RewardModel("lenet5", Encoding::kMultiHead, shape), Error);
  shape.image = {28, 28, 1};
  EXPECT_EQ(RewardModel("lenet5", Encoding::kMultiHead, shape).parameters(), 61'706);
  EXPECT_THROW(RewardModel("lenet5", Encoding::kConcat, shape), Error);
}

TEST(RewardModel, ServesFewerActionsThanTheShapeWhereTheyChange) {
  ProblemShape shape = shape_of(0);
  shape.fixed_actions = false;
  const Data data(0);
  for (const Encoding encoding : {Encoding::kConcat, Encoding::kOuter}) {
    const RewardModel model("mlp:5", encoding, shape);
    const Vector<double> p = random_vector(model.parameters(), 3);
    ModelScratch<double> work;
    Context context = data.context(false);
    const Vector<double> all = model.predict<double>(p, context, work);
    const std::vector<std::int64_t> ids = {3, 0};
    context.actions = 2;
    context.action_ids = ids;
    const Vector<double> some = model.predict<double>(p, context, work);
    ASSERT_EQ(some.size(), 2);
    EXPECT_NEAR(some[0], all[3], 1e-13);
    EXPECT_NEAR(some[1], all[0], 1e-13);
  }
}

}  // namespace
}  // namespace bandolier::reward_model_test
