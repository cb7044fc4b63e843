#include "bandolier/filter/head_predictor.h"

#include <gtest/gtest.h>

#include "bandolier/filter/test_contexts.h"

namespace bandolier::head_predictor_test {
namespace {

using testing::context_of;
using testing::kActions;
using testing::kFeatures;
using testing::make_heads;
using testing::normals;

ParameterLayout layout_of(const std::string& text, bool skip = true,
                          Encoding encoding = Encoding::kMultiHead) {
  return make_heads(text, encoding, {skip, BasisKind::kRankOne, 6})->layout();
}

TEST(HeadPredictor, FeaturesAreTheStagesTheInputAndOne) {
  EXPECT_EQ(layout_of("mlp:7").features, 7 + kFeatures + 1);
  EXPECT_EQ(layout_of("mlp:7", false).features, 7 + 1);
  EXPECT_EQ(layout_of("mlp:7x5").features, 7 + 5 + kFeatures + 1);
  EXPECT_EQ(layout_of("mlp:7x5", false).features, 5 + 1);
  EXPECT_EQ(layout_of("linear").features, kFeatures + 1);
}

TEST(HeadPredictor, HiddenUnitsAreTheFirstFeatures) {
  EXPECT_EQ(layout_of("mlp:7x5").hidden, 12);
  EXPECT_EQ(layout_of("mlp:7x5", false).hidden, 5);
  EXPECT_EQ(layout_of("linear").hidden, 0);
}

TEST(HeadPredictor, ABodyHasTheDimensionAskedForAtMostItsParametersAndALinearModelNone) {
  EXPECT_EQ(layout_of("mlp:7").body, 6);
  const HeadPredictorOptions many{true, BasisKind::kRankOne, 1000};
  EXPECT_EQ(make_heads("mlp:7", Encoding::kMultiHead, many)->layout().body, 7 * (kFeatures + 1));
  EXPECT_EQ(layout_of("linear").body, 0);
}

TEST(HeadPredictor, MultiHeadHasAHeadPerActionAndConcatAndOuterHaveOne) {
  EXPECT_EQ(layout_of("mlp:7").heads, kActions);
  const ParameterLayout concat = layout_of("mlp:7", true, Encoding::kConcat);
  EXPECT_EQ(concat.heads, 1);
  EXPECT_EQ(concat.features, 7 + (kFeatures + kActions) + 1);
  const ParameterLayout outer = layout_of("mlp:7", true, Encoding::kOuter);
  EXPECT_EQ(outer.heads, 1);
  EXPECT_EQ(outer.features, 7 + kFeatures * kActions + 1);
}

// LeNet-5's pooled convolution features and what follows them; no pixels, no earlier maps.
TEST(HeadPredictor, ImagesFeedTheHeadFromTheLastPoolingOn) {
  const ProblemShape images{.features = 28 * 28, .actions = 10, .image = {28, 28, 1}};
  const HeadPredictorOptions options{true, BasisKind::kRankOne, 5};
  const RewardModel lenet("lenet5", Encoding::kMultiHead, images);
  EXPECT_EQ(head_layout(lenet, options).features, 400 + 120 + 84 + 1);
  const RewardModel mlp("mlp:50", Encoding::kMultiHead, images);
  EXPECT_EQ(head_layout(mlp, options).features, 50 + 1);
}

TEST(HeadPredictor, ItsLayoutIsKnownBeforeItIsMade) {
  for (const std::string text : {"linear", "mlp:7", "mlp:7x5"}) {
    for (const auto encoding : {Encoding::kMultiHead, Encoding::kConcat, Encoding::kOuter}) {
      for (const bool skip : {false, true}) {
        const HeadPredictorOptions options{skip, BasisKind::kRankOne, 6};
        const auto predictor = make_heads(text, encoding, options);
        const ParameterLayout before =
            head_layout(RewardModel(text, encoding, testing::kShape), options);
        EXPECT_EQ(predictor->layout().body, before.body);
        EXPECT_EQ(predictor->layout().heads, before.heads);
        EXPECT_EQ(predictor->layout().features, before.features);
        EXPECT_EQ(predictor->layout().hidden, before.hidden);
        EXPECT_EQ(predictor->head_means().rows(), before.heads);
        EXPECT_EQ(predictor->head_means().cols(), before.features);
      }
    }
  }
}

// Weights on the last stage alone, of variance one over its units: 3 heads of 2,000.
TEST(HeadPredictor, HeadsBeginWithLeCunWeightsOnTheLastStageAndZerosElsewhere) {
  constexpr Index kUnits = 2000;
  const auto predictor = make_heads("mlp:5x2000", Encoding::kMultiHead, {});
  const Matrix<float>& means = predictor->head_means();
  EXPECT_EQ(means.leftCols(5).norm(), 0);
  EXPECT_EQ(means.rightCols(kFeatures + 1).norm(), 0);
  const double square = static_cast<double>(means.middleCols(5, kUnits).squaredNorm());
  EXPECT_NEAR(square / kActions, 1, 5 * std::sqrt(2.0 / (kUnits * kActions)));
}

TEST(HeadPredictor, GradientAgreesWithFiniteDifferencesForEveryEncodingAndBasis) {
  const Vector<float> x = normals(kFeatures, 1);
  for (const auto encoding : {Encoding::kMultiHead, Encoding::kConcat, Encoding::kOuter}) {
    for (const BasisKind basis : random_basis_kinds()) {
      for (const bool skip : {false, true}) {
        const auto predictor = make_heads("mlp:9x5:tanh", encoding, {skip, basis, 6});
        const ParameterLayout& layout = predictor->layout();
        PredictorScratch scratch = predictor->make_scratch();
        predictor->bind(context_of(x), scratch);
        const Index action = 1, input = predictor->input_of(action);
        const Vector<float> w = normals(layout.features, 2);
        Vector<float> z = 0.3f * normals(layout.body, 3);
        Vector<float> phi(layout.features), gradient(layout.body);
        const float value = predictor->linearise_at(z, w, action, scratch, gradient, phi);
        const auto reward = [&] {
          predictor->evaluate(z, scratch);
          return scratch.phi.row(input).dot(w);
        };
        const std::string where = std::string(to_word(encoding)) + " " +
                                  std::string(to_word(basis)) + (skip ? " skip" : "");
        EXPECT_NEAR(value, reward(), 1e-4f) << where;
        EXPECT_LT((phi - scratch.phi.row(input).transpose()).norm(), 1e-5f) << where;
        for (Index i = 0; i < layout.body; ++i) {
          const float step = 1e-2f, kept = z[i];
          z[i] = kept + step;
          const float up = reward();
          z[i] = kept - step;
          const float down = reward();
          z[i] = kept;
          EXPECT_NEAR(gradient[i], (up - down) / (2 * step), 5e-3f) << where;
        }
      }
    }
  }
}

TEST(HeadPredictor, LoadedIsTheSavedBitForBit) {
  const HeadPredictorOptions options{true, BasisKind::kRankOne, 6};
  const RewardModel model("mlp:7", Encoding::kMultiHead, testing::kShape);
  const auto saved = make_heads("mlp:7", Encoding::kMultiHead, options);
  ArchiveWriter out;
  saved->save(out);
  const auto loaded = HeadPredictor::load(model, testing::unprepared(), options,
                                          ArchiveReader(out.finish(), "predictor"));
  EXPECT_EQ(loaded->head_means(), saved->head_means());
  const Vector<float> x = normals(kFeatures, 1), z = normals(6, 2);
  Matrix<float> phi[2];
  for (const Predictor* predictor :
       {static_cast<const Predictor*>(saved.get()), static_cast<const Predictor*>(loaded.get())}) {
    PredictorScratch scratch = predictor->make_scratch();
    predictor->bind(context_of(x), scratch);
    predictor->evaluate(z, scratch);
    phi[predictor == loaded.get()] = scratch.phi;
  }
  EXPECT_EQ(phi[0], phi[1]);
}

}  // namespace
}  // namespace bandolier::head_predictor_test
