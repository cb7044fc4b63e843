// Every model in a subspace, for every network, encoding and basis, against the reward model at
// θ(z) formed in full, and its gradients against finite differences.
#include "bandolier/subspace/subspace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tuple>

#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/dense_basis.h"

namespace bandolier::subspace_test {
namespace {

struct Case {
  std::string model;
  Encoding encoding;
  BasisKind basis;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.model << " " << to_word(c.encoding) << " " << to_word(c.basis);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto basis :
       {BasisKind::kGaussian, BasisKind::kRankOne, BasisKind::kHadamard, BasisKind::kIdentity}) {
    for (const char* model : {"linear", "mlp:6", "mlp:6:tanh", "mlp:7x5"}) {
      for (const auto encoding : {Encoding::kMultiHead, Encoding::kConcat, Encoding::kOuter}) {
        all.push_back({model, encoding, basis});
      }
    }
    all.push_back({"lenet5", Encoding::kMultiHead, basis});
  }
  return all;
}

std::string name_of(const Case& c) {
  std::string name = fmt::format("{}_{}_{}", c.model, to_word(c.encoding), to_word(c.basis));
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

template <class T>
std::shared_ptr<const Basis<T>> make_basis(BasisKind kind, const Network& network, Index dim) {
  if (kind == BasisKind::kIdentity) return make_identity_basis<T>(network);
  dim = std::min(dim, network.parameters());
  return make_random_basis<T>(kind, network, dim, {11, Purpose::kTest, 0, 0});
}

// A problem, its reward model and the model in a subspace.
template <class T>
struct Setting {
  explicit Setting(const Case& c, bool formed = false)
      : shape(shape_of(c)),
        reward_model(c.model, c.encoding, shape),
        random({12, Purpose::kTest, 0, 0}) {
    Random initial = random.fork(1);
    const Vector<T> offset = reward_model.network().template initial_parameters<T>(initial);
    basis = make_basis<T>(c.basis, reward_model.network(), 10);
    const auto make = formed ? make_formed_model<T> : make_subspace_model<T>;
    model = make(reward_model.encoder(), reward_model.network(), offset, basis);
    values.resize(static_cast<std::size_t>(shape.features));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = i % 3 == 1 ? 0 : static_cast<float>(random.normal());
    }
    action_values.resize(static_cast<std::size_t>(shape.actions * shape.action_features));
    for (float& value : action_values) value = static_cast<float>(random.normal());
    context = {Features::dense(values), shape.actions, action_values, {}};
    z.resize(model->dim());
    random.fill_normal(z);
    z *= T(0.3);
    work = model->make_scratch();
    model->bind(context, *work);
  }

  static ProblemShape shape_of(const Case& c) {
    ProblemShape shape;
    shape.actions = 4;
    if (c.model == "lenet5") {
      shape.image = {12, 14, 1};
      shape.features = shape.image.size();
    } else {
      shape.features = 5;
      shape.action_features = c.encoding == Encoding::kMultiHead ? 0 : 3;
    }
    return shape;
  }

  Vector<T> theta() const {
    Vector<T> scratch, out = model->offset();
    basis->add_image(z, scratch, out);
    return out;
  }

  ProblemShape shape;
  RewardModel reward_model;
  Random random;
  std::shared_ptr<const Basis<T>> basis;
  std::shared_ptr<const SubspaceModel<T>> model;
  std::vector<float> values, action_values;
  Context context;
  Vector<T> z;
  std::unique_ptr<BoundScratch> work;
};

class EveryModel : public ::testing::TestWithParam<Case> {};

TEST_P(EveryModel, PredictsWhatTheRewardModelPredictsAtTheFormedParametersTo1em10) {
  Setting<double> s(GetParam());
  Vector<double> rewards(s.shape.actions);
  s.model->predict(s.z, *s.work, rewards);
  ModelScratch<double> work;
  const Vector<double> expected =
      s.reward_model.predict<double>(s.theta(), s.context, work).head(s.shape.actions);
  EXPECT_LT((rewards - expected).cwiseAbs().maxCoeff(), 1e-10);
}

TEST_P(EveryModel, GradientIsTheProjectedGradientOfTheRewardModelTo1em10) {
  Setting<double> s(GetParam());
  Vector<double> gradient(s.model->dim()), expected(s.model->dim()), scratch;
  Vector<double> full(s.model->parameters());
  ModelScratch<double> work;
  for (Index action = 0; action < s.shape.actions; ++action) {
    const double value = s.model->linearise(s.z, action, *s.work, gradient);
    const double expected_value =
        s.reward_model.gradient<double>(s.theta(), s.context, action, work, full);
    s.basis->project(full, scratch, expected);
    EXPECT_NEAR(value, expected_value, 1e-10);
    EXPECT_LT((gradient - expected).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST_P(EveryModel, GradientMatchesCentralDifferencesTo1em5) {
  Setting<double> s(GetParam());
  Vector<double> gradient(s.model->dim()), z = s.z, low(s.shape.actions), high(s.shape.actions);
  const Index action = 2;
  s.model->linearise(s.z, action, *s.work, gradient);
  const double step = 1e-6;
  const Index stride = std::max<Index>(1, s.model->dim() / 50);
  for (Index k = 0; k < s.model->dim(); k += stride) {
    z[k] = s.z[k] + step;
    s.model->predict(z, *s.work, high);
    z[k] = s.z[k] - step;
    s.model->predict(z, *s.work, low);
    z[k] = s.z[k];
    EXPECT_NEAR(gradient[k], (high[action] - low[action]) / (2 * step), 1e-5) << k;
  }
}

TEST_P(EveryModel, FloatAgreesWithDoubleTo1em4) {
  Setting<double> s(GetParam());
  const auto& network = s.reward_model.network();
  // The same basis and offset in float: as a dense matrix, whatever its kind.
  const auto basis = std::make_shared<DenseBasis<float>>(s.basis->matrix().cast<float>());
  const auto model = make_subspace_model<float>(s.reward_model.encoder(), network,
                                                s.model->offset().cast<float>(), basis);
  const auto work = model->make_scratch();
  model->bind(s.context, *work);
  Vector<float> gradient(model->dim());
  Vector<double> expected(model->dim());
  const Vector<float> z = s.z.cast<float>();
  const float value = model->linearise(z, 1, *work, gradient);
  EXPECT_NEAR(value, s.model->linearise(s.z, 1, *s.work, expected), 1e-4);
  EXPECT_LT((gradient.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-4);
}

TEST_P(EveryModel, PullsWeightsOnTheStagesBackAsCentralDifferencesDoTo1em5) {
  const Case c = GetParam();
  if (c.model == "linear") GTEST_SKIP() << "a linear network has no hidden stage";
  Setting<double> s(c);
  // The body: all layers but the last.
  const Network& whole = s.reward_model.network();
  std::vector<LayerKind> kinds;
  for (std::size_t l = 0; l + 1 < whole.layers().size(); ++l) {
    kinds.push_back(whole.layers()[l].kind);
  }
  const Network body(kinds, whole.inputs());
  const auto model = make_subspace_model<double>(s.reward_model.encoder(), body,
                                                 s.model->offset().head(body.parameters()),
                                                 make_basis<double>(c.basis, body, 10));
  const auto work = model->make_scratch();
  model->bind(s.context, *work);
  const Index inputs = model->inputs(*work).count;
  for (std::size_t first = 0; first < body.stages().size(); ++first) {
    const Index count = body.stage_values(first);
    Vector<double> z(model->dim()), gradient(model->dim()), weights(count), features(count);
    s.random.fill_normal(z);
    s.random.fill_normal(weights);
    z *= 0.2;
    Matrix<double> low(inputs, count), high(inputs, count);
    const Index input = inputs - 1;
    const double value =
        model->pull_back(z, input, first, weights, *work, gradient, features.data());
    model->features(z, first, *work, high);
    EXPECT_NEAR(value, high.row(input).dot(weights), 1e-10);
    EXPECT_LT((high.row(input).transpose() - features).norm(), 1e-12);
    const double step = 1e-6;
    for (Index k = 0; k < std::min<Index>(model->dim(), 20); ++k) {
      const double at = z[k];
      z[k] = at + step;
      model->features(z, first, *work, high);
      z[k] = at - step;
      model->features(z, first, *work, low);
      z[k] = at;
      EXPECT_NEAR(gradient[k], (high - low).row(input).dot(weights) / (2 * step), 1e-5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryModel, ::testing::ValuesIn(cases()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST(SubspaceModel, RebindingToASmallerContextForgetsTheLargerOne) {
  const Case c{"mlp:6", Encoding::kConcat, BasisKind::kGaussian};
  Setting<double> s(c);
  std::vector<float> fewer(s.action_values.begin(), s.action_values.begin() + 2 * 3);
  const Context smaller{Features::dense(s.values), 2, fewer, {}};
  Vector<double> all(4), two(2);
  s.model->predict(s.z, *s.work, all);
  s.model->bind(smaller, *s.work);
  s.model->predict(s.z, *s.work, two);
  EXPECT_LT((two - all.head(2)).norm(), 1e-14);
}

TEST(SubspaceModel, AtZeroPredictsWhatTheOffsetPredicts) {
  for (const Case& c : cases()) {
    Setting<double> s(c);
    Vector<double> rewards(s.shape.actions);
    s.model->predict(Vector<double>::Zero(s.model->dim()), *s.work, rewards);
    ModelScratch<double> work;
    const Vector<double> expected =
        s.reward_model.predict<double>(s.model->offset(), s.context, work).head(s.shape.actions);
    EXPECT_LT((rewards - expected).cwiseAbs().maxCoeff(), 1e-12) << name_of(c);
  }
}

TEST(CentredModel, IsTheModelLessItsOffsetsPredictionsWithTheSameGradient) {
  for (const Case& c : cases()) {
    Setting<double> s(c);
    const auto centred = make_centred_model<double>(s.model);
    const auto work = centred->make_scratch();
    centred->bind(s.context, *work);
    const Index d = s.model->dim();
    Vector<double> at_offset(s.shape.actions), whole(s.shape.actions), less(s.shape.actions);
    Vector<double> gradient(d), expected(d);
    s.model->predict(Vector<double>::Zero(d), *s.work, at_offset);
    s.model->predict(s.z, *s.work, whole);
    centred->predict(s.z, *work, less);
    EXPECT_LT((whole - at_offset - less).norm(), 1e-12) << name_of(c);
    s.model->linearise(s.z, 3, *s.work, expected);
    EXPECT_NEAR(centred->linearise(s.z, 3, *work, gradient), less[3], 1e-12) << name_of(c);
    EXPECT_LT((gradient - expected).norm(), 1e-12) << name_of(c);
  }
}

TEST(SubspaceModel, RankOneHoldsNoMatrixOfParametersTimesDim) {
  ProblemShape shape;
  shape.features = 784;
  shape.actions = 10;
  const RewardModel model("mlp:200x200", Encoding::kMultiHead, shape);
  const auto basis = make_random_basis<float>(BasisKind::kRankOne, model.network(), 500,
                                              {1, Purpose::kTest, 0, 0});
  const auto subspace = make_subspace_model<float>(model.encoder(), model.network(),
                                                   Vector<float>::Zero(model.parameters()), basis);
  // Σ (in + out + 1)·d for the basis; θ* and its first layer transposed.
  const std::size_t values = (785 + 200 + 201 + 200 + 201 + 10) * 500 + 2 * 199'210;
  EXPECT_LE(subspace->bytes(), 4 * values);
}

}  // namespace
}  // namespace bandolier::subspace_test
