#include "bandolier/agent/head_filter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/belief/normal_inverse_gamma.h"

namespace bandolier::head_filter_test {
namespace {

constexpr Index kFeatures = 4;
constexpr Index kActions = 3;
const ProblemShape kShape{.features = kFeatures, .actions = kActions};
const StreamKey kKey{.seed = 11, .purpose = Purpose::kWarmUp};

std::shared_ptr<const HeadModel> make_model(const std::string& text, const std::string& encoding,
                                            bool skip = true, BasisKind basis = BasisKind::kRankOne,
                                            Index dim = 6) {
  const RewardModel model(text, parse_encoding(encoding), kShape);
  return std::make_shared<HeadModel>(model, HeadModelOptions{skip, basis, dim}, kKey);
}

Context context_of(const Vector<float>& x) {
  return {Features::dense({x.data(), static_cast<std::size_t>(x.size())}), kActions, {}, {}};
}

Vector<float> normals(Index size, std::uint64_t seed) {
  Vector<float> out(size);
  Random random({.seed = seed});
  random.fill_normal(out);
  return out;
}

TEST(HeadModel, FeaturesAreTheStagesTheInputAndOne) {
  EXPECT_EQ(make_model("mlp:7", "multi-head")->features(), 7 + kFeatures + 1);
  EXPECT_EQ(make_model("mlp:7", "multi-head", false)->features(), 7 + 1);
  EXPECT_EQ(make_model("mlp:7x5", "multi-head")->features(), 7 + 5 + kFeatures + 1);
  EXPECT_EQ(make_model("mlp:7x5", "multi-head", false)->features(), 5 + 1);
  EXPECT_EQ(make_model("linear", "multi-head")->features(), kFeatures + 1);
  EXPECT_EQ(make_model("linear", "multi-head")->dim(), 0);
}

TEST(HeadModel, ConcatHasOneHeadAndAnInputPerAction) {
  const auto model = make_model("mlp:7", "concat");
  EXPECT_EQ(model->heads(), 1);
  EXPECT_EQ(model->features(), 7 + (kFeatures + kActions) + 1);
}

// LeNet-5's pooled convolution features and what follows them; no pixels, no earlier maps.
TEST(HeadModel, ImagesFeedTheHeadFromTheLastPoolingOn) {
  const ProblemShape images{.features = 28 * 28, .actions = 10, .image = {28, 28, 1}};
  const RewardModel lenet("lenet5", Encoding::kMultiHead, images);
  EXPECT_EQ(HeadModel(lenet, {true, BasisKind::kRankOne, 5}, kKey).features(), 400 + 120 + 84 + 1);
  const RewardModel mlp("mlp:50", Encoding::kMultiHead, images);
  EXPECT_EQ(HeadModel(mlp, {true, BasisKind::kRankOne, 5}, kKey).features(), 50 + 1);
}

TEST(HeadModel, GradientAgreesWithFiniteDifferencesForEveryEncodingAndBasis) {
  const Vector<float> x = normals(kFeatures, 1);
  for (const std::string encoding : {"multi-head", "concat", "outer"}) {
    for (const BasisKind basis : random_basis_kinds()) {
      const auto model = make_model("mlp:9x5:tanh", encoding, true, basis);
      HeadWork work = model->make_work();
      model->bind(context_of(x), work);
      const Index action = 1;
      const Vector<float> w = normals(model->features(), 2);
      Vector<float> z = 0.3f * normals(model->dim(), 3);
      Vector<float> phi(model->features()), gradient(model->dim());
      const float value = model->linearise(z, action, w, work, phi, gradient);
      model->features(z, work);
      const Vector<float> all = work.phi.row(model->input_of(action)).transpose();
      EXPECT_LT((phi - all).norm(), 1e-5f) << encoding << " " << to_word(basis);
      EXPECT_NEAR(value, w.dot(phi), 1e-4f);
      for (Index i = 0; i < model->dim(); ++i) {
        const float step = 1e-2f, kept = z[i];
        z[i] = kept + step;
        model->features(z, work);
        const float up = work.phi.row(model->input_of(action)).dot(w);
        z[i] = kept - step;
        model->features(z, work);
        const float down = work.phi.row(model->input_of(action)).dot(w);
        z[i] = kept;
        EXPECT_NEAR(gradient[i], (up - down) / (2 * step), 5e-3f)
            << encoding << " " << to_word(basis);
      }
    }
  }
}

// Without a body and with one action pulled it is the linear agent's belief about it, exactly.
TEST(HeadFilter, OfALinearModelIsNormalInverseGammaRegressionTo1e4) {
  const auto model = make_model("linear", "multi-head");
  HeadFilterOptions options;
  options.prior_variance = 4;
  options.noise = {6, 6};
  HeadFilter filter(model, options);
  NormalInverseGamma<float> exact(GaussianFull<float>(kFeatures + 1, 4), InverseGamma{6, 6});
  HeadWork work = model->make_work();
  HeadFilterWork filter_work;
  Random random({.seed = 4});
  Vector<float> scratch;
  const Index action = 1;
  for (int t = 0; t < 200; ++t) {
    const Vector<float> x = normals(kFeatures, 100 + static_cast<std::uint64_t>(t));
    const float reward = x[action] + 0.1f * static_cast<float>(random.normal());
    model->bind(context_of(x), work);
    Vector<float> with_one(kFeatures + 1);
    with_one << x, 1;
    const double expected = exact.log_predictive(exact.predict(with_one, scratch), reward);
    const auto step = filter.learn(action, static_cast<double>(reward), work, filter_work);
    EXPECT_NEAR(step.log_predictive, expected, 1e-3);
    exact.update(with_one, reward);
    std::vector<float> means(kActions), deviations(kActions);
    filter.mean(work, means);
    filter.deviation(work, filter_work, deviations);
    const auto prediction = exact.predict(with_one, scratch);
    EXPECT_NEAR(means[action], prediction.mean, 1e-4f);
    EXPECT_NEAR(deviations[action],
                std::sqrt(static_cast<float>(exact.noise_variance()) * prediction.q), 1e-4f);
  }
}

// Body and head as one dense Kalman filter; in blocks: keeping the diagonal blocks of every update.
class HeadFilterOfABody : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(BlockAndJoint, HeadFilterOfABody, ::testing::Bool());

TEST_P(HeadFilterOfABody, AgreesWithADenseKalmanFilter) {
  const auto model = make_model("mlp:5", "concat", true, BasisKind::kGaussian, 4);
  const Index d = model->dim(), h = model->features();
  HeadFilterOptions options;
  options.prior_variance = 0.5;
  options.joint = GetParam();
  HeadFilter filter(model, options);
  Matrix<double> p = 0.5 * Matrix<double>::Identity(d + h, d + h);
  Vector<double> mean = Vector<double>::Zero(d + h);
  mean.tail(h) = model->head_offset().row(0).transpose().cast<double>();
  HeadWork work = model->make_work();
  HeadFilterWork filter_work;
  Vector<float> phi(h), gradient(d);
  for (int t = 0; t < 60; ++t) {
    const Vector<float> x = normals(kFeatures, 300 + static_cast<std::uint64_t>(t));
    const Index action = t % kActions;
    const double reward = std::abs(static_cast<double>(x[0]));
    model->bind(context_of(x), work);
    const Vector<float> z = mean.head(d).cast<float>(), w = mean.tail(h).cast<float>();
    const double eta = static_cast<double>(model->linearise(z, action, w, work, phi, gradient));
    Vector<double> g(d + h);
    g << gradient.cast<double>(), phi.cast<double>();
    const Vector<double> pg = p * g;
    const double s = 1 + g.dot(pg);
    mean += pg * (reward - eta) / s;
    p -= pg * pg.transpose() / s;
    if (!options.joint) {
      p.topRightCorner(d, h).setZero();
      p.bottomLeftCorner(h, d).setZero();
    }
    filter.learn(action, reward, work, filter_work);
    std::vector<float> means(kActions);
    filter.mean(work, means);
    model->features(mean.head(d).cast<float>(), work);
    const float expected = work.phi.row(model->input_of(action)).dot(mean.tail(h).cast<float>());
    EXPECT_NEAR(means[static_cast<std::size_t>(action)], expected, 2e-3f) << t;
  }
}

// Samples of three heads at a bound context have the means and deviations that are told.
TEST_P(HeadFilterOfABody, SamplesHaveTheDeviationThatIsTold) {
  const auto model = make_model("mlp:5", "multi-head");
  HeadFilterOptions options;
  options.joint = GetParam();
  options.prior_variance = 0.01;
  options.noise = {1000, 999};
  HeadFilter filter(model, options);
  HeadWork work = model->make_work();
  HeadFilterWork filter_work;
  for (int t = 0; t < 30; ++t) {
    model->bind(context_of(normals(kFeatures, 700 + static_cast<std::uint64_t>(t))), work);
    filter.learn(t % kActions, 0.1 * t, work, filter_work);
  }
  std::vector<float> mean(kActions), deviation(kActions), sample(kActions);
  const std::vector<float> temperature(kActions, 1.0f);
  filter.mean(work, mean);
  filter.deviation(work, filter_work, deviation);
  constexpr int kSamples = 4000;
  Vector<float> sum = Vector<float>::Zero(kActions), squares = sum;
  Random random({.seed = 8});
  for (int i = 0; i < kSamples; ++i) {
    filter.sample(random, temperature, work, filter_work, sample);
    for (Index a = 0; a < kActions; ++a) {
      const float off = sample[static_cast<std::size_t>(a)] - mean[static_cast<std::size_t>(a)];
      sum[a] += off / kSamples;
      squares[a] += off * off / kSamples;
    }
  }
  for (Index a = 0; a < kActions; ++a) {
    const float expected = deviation[static_cast<std::size_t>(a)];
    EXPECT_NEAR(sum[a], 0, 0.1f * expected);
    EXPECT_NEAR(std::sqrt(squares[a]), expected, 0.1f * expected);
  }
}

TEST(HeadFilter, ARobustFilterMovesLittleForARewardAHundredDeviationsOff) {
  const auto model = make_model("mlp:5", "multi-head");
  HeadFilterOptions plain, robust;
  robust.robust = 5;
  HeadFilter a(model, plain), b(model, robust);
  HeadWork work = model->make_work();
  HeadFilterWork filter_work;
  const auto shift = [&](HeadFilter& filter) {
    const Vector<float> x = normals(kFeatures, 1);
    for (int t = 0; t < 100; ++t) {
      model->bind(context_of(normals(kFeatures, 500 + static_cast<std::uint64_t>(t))), work);
      filter.learn(0, 0.1 * (t % 2), work, filter_work);
    }
    model->bind(context_of(x), work);
    std::vector<float> before(kActions), after(kActions);
    filter.mean(work, before);
    filter.learn(0, 100, work, filter_work);
    filter.mean(work, after);
    return std::abs(after[0] - before[0]);
  };
  const float plain_shift = shift(a), robust_shift = shift(b);
  EXPECT_LT(robust_shift, 0.1f * plain_shift);
}

TEST(HeadFilter, RescalingByAPowerOfTwoScalesPredictionsExactly) {
  const auto model = make_model("mlp:5", "multi-head");
  HeadFilter filter(model, {});
  HeadWork work = model->make_work();
  HeadFilterWork filter_work;
  model->bind(context_of(normals(kFeatures, 1)), work);
  filter.learn(1, 2.0, work, filter_work);
  std::vector<float> before(kActions), after(kActions);
  filter.mean(work, before);
  filter.rescale(0.5);
  filter.mean(work, after);
  for (std::size_t a = 0; a < kActions; ++a) EXPECT_EQ(after[a], 0.5f * before[a]);
}

TEST(HeadFilter, RefusesARewardOf1e30AndStaysAsItWas) {
  const auto model = make_model("mlp:5", "multi-head");
  HeadFilter filter(model, {});
  HeadWork work = model->make_work();
  HeadFilterWork filter_work;
  model->bind(context_of(normals(kFeatures, 1)), work);
  std::vector<float> before(kActions), after(kActions);
  filter.mean(work, before);
  EXPECT_FALSE(filter.learn(1, 1e30, work, filter_work).accepted);
  filter.mean(work, after);
  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace bandolier::head_filter_test
