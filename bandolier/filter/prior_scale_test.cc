#include "bandolier/filter/prior_scale.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/filter/head_predictor.h"
#include "bandolier/filter/network_predictor.h"

namespace bandolier::prior_scale_test {
namespace {

const auto kPreparation = std::make_shared<const Preparation>(PreparationOptions{});
const StreamKey kKey{.seed = 11};
constexpr Index kFeatures = 20;
const ProblemShape kShape{.features = kFeatures, .actions = 3};

// Linear in all weights: the gradient is (x, 1), whatever the action and the weights.
std::vector<std::shared_ptr<const Predictor>> linear_predictors() {
  const RewardModel model("linear", Encoding::kMultiHead, kShape);
  return {
      std::make_shared<HeadPredictor>(model, kPreparation, HeadPredictorOptions{}, kKey),
      std::make_shared<NetworkPredictor>(model, kPreparation, random_offset(model.network(), kKey),
                                         make_identity_basis<float>(model.network()), true)};
}

TEST(PriorScale, OfALinearModelIsOnePlusTheMeanSquareOfThePullsContexts) {
  const Vector<float> first = Vector<float>::Constant(kFeatures, 2),
                      second = Vector<float>::Unit(kFeatures, 3);
  const auto context = [](const Vector<float>& x) {
    return Context{Features::dense({x.data(), kFeatures}), 3, {}, {}};
  };
  const std::vector<Experience> pulls = {{context(first), 0, 5}, {context(second), 2, -7}};
  for (const auto& predictor : linear_predictors()) {
    const double expected = (4 * kFeatures + 1 + 1 + 1) / 2.0;
    EXPECT_NEAR(mean_squared_gradient(*predictor, pulls, Random(kKey)), expected, 1e-4);
  }
}

// ‖x‖² of standard normal features has mean n and variance 2n: five errors of a mean of 32.
TEST(PriorScale, WithoutPullsIsThatOfStandardNormalContexts) {
  for (const auto& predictor : linear_predictors()) {
    const double found = mean_squared_gradient(*predictor, {}, Random(kKey));
    EXPECT_NEAR(found, kFeatures + 1, 5 * std::sqrt(2.0 * kFeatures / 32));
    EXPECT_EQ(found, mean_squared_gradient(*predictor, {}, Random(kKey)));
  }
}

// w·(x, a, 1) with x and a standard normal: 1 + n + m.
TEST(PriorScale, MakesUpFeaturesOfActionsToo) {
  ProblemShape shape = kShape;
  shape.action_features = 30;
  const RewardModel model("linear", Encoding::kConcat, shape);
  const HeadPredictor predictor(model, kPreparation, {}, kKey);
  EXPECT_NEAR(mean_squared_gradient(predictor, {}, Random(kKey)), 51, 5 * std::sqrt(2.0 * 50 / 32));
}

// Squares of the head's features: 7 hidden units, the input and 1.
TEST(PriorScale, OfHiddenUnitsCountsAsOftenAsTheirWeightsVary) {
  const RewardModel model("mlp:7", Encoding::kMultiHead, kShape);
  HeadPredictorOptions options;
  options.skip = true;
  options.body = BodyKind::kNone;
  const HeadPredictor predictor(model, kPreparation, options, kKey);
  const Vector<float> x = Vector<float>::Unit(kFeatures, 3);
  const std::vector<Experience> pulls = {
      {Context{Features::dense({x.data(), kFeatures}), 3, {}, {}}, 0, 1}};
  const double inputs = mean_squared_gradient(predictor, pulls, Random(kKey), 0);
  const double all = mean_squared_gradient(predictor, pulls, Random(kKey));
  EXPECT_NEAR(inputs, 2, 1e-5);
  EXPECT_GT(all, 2.01);
  EXPECT_NEAR(mean_squared_gradient(predictor, pulls, Random(kKey), 0.25),
              inputs + 0.25 * (all - inputs), 1e-5);
}

TEST(PriorScale, MeanSquaredWeightIsThatOfTheOffsetAndHeadsHaveNone) {
  const auto predictors = linear_predictors();
  EXPECT_EQ(mean_squared_weight(*predictors[0]), 0);
  const auto network = Network::parse("linear", kFeatures, 3);
  const Offset offset = random_offset(network, kKey);
  EXPECT_NEAR(mean_squared_weight(*predictors[1]),
              static_cast<double>(offset.parameters.squaredNorm()) / (3 * (kFeatures + 1)), 1e-7);
}

}  // namespace
}  // namespace bandolier::prior_scale_test
