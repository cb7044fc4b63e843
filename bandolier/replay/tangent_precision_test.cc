#include "bandolier/replay/tangent_precision.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"
#include "testing/dense.h"

namespace bandolier::tangent_precision_test {
namespace {

const ProblemShape kShape{.features = 3, .actions = 2};
constexpr double kLambda = 0.1;

// Tangent features of a tiny network, and U by brute force from dense gradients.
struct Fixture {
  RewardModel model;
  Vector<float> parameters;
  ModelScratch<float> work;
  Matrix<double> U;
  std::vector<float> values = std::vector<float>(3);

  explicit Fixture(Encoding encoding) : model("mlp:4", encoding, kShape) {
    Random random({.seed = 1});
    parameters = model.network().initial_parameters<float>(random);
    U = kLambda * Matrix<double>::Identity(model.parameters(), model.parameters());
  }
  Context context(std::uint64_t seed) {
    Random random({.seed = seed});
    random.fill_normal(VectorMap<float>(values.data(), 3));
    return {Features::dense(values), 2, {}, {}};
  }
  Vector<double> gradient(const Context& c, Index action) {
    Vector<float> g(model.parameters());
    model.gradient<float>(parameters, c, action, work, g);
    return g.cast<double>();
  }
};

void expect_brute_force(Encoding encoding, TangentCovariance covariance) {
  Fixture f(encoding);
  TangentPrecision precision(f.model, kLambda, covariance);
  Vector<float> head(f.model.block_head()), tail(f.model.block_tail()), dense, scratch;
  BeliefScratch<float> update;
  for (std::uint64_t t = 0; t < 30; ++t) {
    const Context context = f.context(t);
    for (Index action = 0; action < 2; ++action) {
      f.model.block_gradient<float>(f.parameters, context, action, f.work, head, tail);
      const double form = precision.inverse_form(f.model.encoder().block_of(context, action), head,
                                                 tail, dense, scratch);
      const Vector<double> g = f.gradient(context, action);
      const double expected = covariance == TangentCovariance::kFull
                                  ? g.dot(testing::inverse(f.U) * g)
                                  : (g.array().square() / f.U.diagonal().array()).sum();
      EXPECT_NEAR(form, expected, 1e-4 * expected) << "step " << t;
    }
    const Index played = static_cast<Index>(t % 2);
    const Vector<double> g = f.gradient(context, played);
    f.U += g * g.transpose();
    f.model.block_gradient<float>(f.parameters, context, played, f.work, head, tail);
    precision.add(f.model.encoder().block_of(context, played), head, tail, dense, update);
  }
}

TEST(TangentPrecision, DiagonalEqualsBruteForceForBlockInputs) {
  expect_brute_force(Encoding::kOuter, TangentCovariance::kDiag);
}
TEST(TangentPrecision, DiagonalEqualsBruteForceForWholeInputs) {
  expect_brute_force(Encoding::kConcat, TangentCovariance::kDiag);
  expect_brute_force(Encoding::kMultiHead, TangentCovariance::kDiag);
}
TEST(TangentPrecision, FullMatrixEqualsBruteForceInversion) {
  expect_brute_force(Encoding::kOuter, TangentCovariance::kFull);
  expect_brute_force(Encoding::kConcat, TangentCovariance::kFull);
}

TEST(TangentPrecision, ComesBackEqualAfterSaveAndLoad) {
  for (const auto covariance : {TangentCovariance::kDiag, TangentCovariance::kFull}) {
    Fixture f(Encoding::kConcat);
    TangentPrecision saved(f.model, kLambda, covariance), loaded(f.model, kLambda, covariance);
    Vector<float> head(f.model.block_head()), tail(f.model.block_tail()), dense, scratch;
    f.model.block_gradient<float>(f.parameters, f.context(1), 0, f.work, head, tail);
    BeliefScratch<float> update;
    saved.add(0, head, tail, dense, update);
    ArchiveWriter out;
    saved.save(out);
    const double form = saved.inverse_form(0, head, tail, dense, scratch);
    EXPECT_LT(form, loaded.inverse_form(0, head, tail, dense, scratch));
    loaded.load(ArchiveReader(out.finish(), "test"));
    EXPECT_EQ(loaded.inverse_form(0, head, tail, dense, scratch), form);
  }
}

TEST(TangentPrecision, FullMatrixOfALargeNetworkIsRefused) {
  const RewardModel model("mlp:100", Encoding::kOuter, {.features = 54, .actions = 7});
  EXPECT_THROW(TangentPrecision(model, kLambda, TangentCovariance::kFull), Error);
}

}  // namespace
}  // namespace bandolier::tangent_precision_test
