#include "bandolier/belief/normal_inverse_gamma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testing/dense.h"
#include "testing/golden.h"

namespace bandolier::normal_inverse_gamma_test {
namespace {

struct Regression {
  Matrix<double> x;
  Vector<double> y, prior_mean, prior_variance;
};

Regression make_regression(Index rows, Index dim) {
  Random random({.seed = 11});
  Regression data{Matrix<double>(rows, dim), Vector<double>(rows), Vector<double>(dim),
                  Vector<double>(dim)};
  for (Index i = 0; i < data.x.size(); ++i) data.x.data()[i] = random.normal();
  for (auto& value : data.prior_mean) value = random.normal();
  for (auto& value : data.prior_variance) value = 0.2 + random.uniform();
  Vector<double> weights(dim);
  for (auto& value : weights) value = random.normal();
  for (Index i = 0; i < rows; ++i) data.y[i] = data.x.row(i).dot(weights) + 0.5 * random.normal();
  return data;
}

struct Batch {
  Matrix<double> covariance;  // in units of σ²
  Vector<double> mean;
  double b;
};

// The batch formulas of appendix A.1.2, prior mean and inverses in their right places.
Batch batch_posterior(const Regression& data, double b0) {
  const Matrix<double> prior_precision = data.prior_variance.cwiseInverse().asDiagonal();
  const Matrix<double> precision = prior_precision + data.x.transpose() * data.x;
  Batch out;
  out.covariance = testing::inverse(precision);
  out.mean = out.covariance * (prior_precision * data.prior_mean + data.x.transpose() * data.y);
  out.b =
      b0 + 0.5 * (data.y.squaredNorm() + data.prior_mean.dot(prior_precision * data.prior_mean) -
                  out.mean.dot(precision * out.mean));
  return out;
}

template <class T>
GaussianFull<T> prior_of(const Regression& data) {
  return GaussianFull<T>(data.prior_mean.cast<T>(), data.prior_variance.cast<T>());
}

template <class T>
void learn(const Regression& data, NormalInverseGamma<T>& belief) {
  BeliefScratch<T> scratch;
  for (Index i = 0; i < data.x.rows(); ++i) {
    const Vector<T> x = data.x.row(i).transpose().cast<T>();
    ASSERT_TRUE(belief.update(x, static_cast<T>(data.y[i]), scratch).accepted);
  }
}

TEST(NormalInverseGamma, EqualsTheBatchFormulasTo1e6InDouble) {
  const Regression data = make_regression(300, 8);
  const Batch expected = batch_posterior(data, 6);
  NormalInverseGamma<double> belief(prior_of<double>(data), {6, 6});
  learn(data, belief);
  EXPECT_LT((belief.weights().mean() - expected.mean).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((belief.weights().covariance() - expected.covariance).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_DOUBLE_EQ(belief.noise().a, 6 + 150);
  EXPECT_NEAR(belief.noise().b, expected.b, 1e-6);
}

TEST(NormalInverseGamma, FewerRewardsThanWeightsEqualsTheBatchFormulasTo1e6) {
  const Regression data = make_regression(3, 8);
  const Batch expected = batch_posterior(data, 1);
  NormalInverseGamma<double> belief(prior_of<double>(data), {1, 1});
  learn(data, belief);
  EXPECT_LT((belief.weights().mean() - expected.mean).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((belief.weights().covariance() - expected.covariance).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(belief.noise().b, expected.b, 1e-6);
}

template <class T>
void expect_golden(double tolerance) {
  const auto golden = testing::golden("nig");
  const Regression data{testing::to_matrix<double>(golden["x"]),
                        testing::to_vector<double>(golden["y"]),
                        testing::to_vector<double>(golden["prior"]["mean"]),
                        testing::to_matrix<double>(golden["prior"]["covariance"]).diagonal()};
  NormalInverseGamma<T> belief(
      prior_of<T>(data), {golden["prior"]["a"].get<double>(), golden["prior"]["b"].get<double>()});
  learn(data, belief);
  const auto& posterior = golden["posterior"];
  const auto mean = testing::to_vector<T>(posterior["mean"]);
  const auto covariance = testing::to_matrix<T>(posterior["covariance"]);
  EXPECT_LT((belief.weights().mean() - mean).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LT((belief.weights().covariance() - covariance).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_NEAR(belief.noise().a, posterior["a"].get<double>(), 1e-12);
  EXPECT_NEAR(belief.noise().b, posterior["b"].get<double>(), tolerance);
}

TEST(NormalInverseGamma, MeetsTheGoldenPosteriorTo1e6InDouble) { expect_golden<double>(1e-6); }
TEST(NormalInverseGamma, MeetsTheGoldenPosteriorTo1e4InFloat) { expect_golden<float>(1e-4); }

TEST(NormalInverseGamma, KnownVarianceEqualsTheBatchFormulas) {
  const Regression data = make_regression(50, 4);
  const double sigma2 = 0.3;
  NormalInverseGamma<double> belief =
      NormalInverseGamma<double>::with_known_variance(prior_of<double>(data), sigma2);
  learn(data, belief);
  // Σ = (Σ₀⁻¹ + XᵀX/σ²)⁻¹ with Σ₀ = σ² P₀.
  const Matrix<double> prior_precision = (sigma2 * data.prior_variance).cwiseInverse().asDiagonal();
  const Matrix<double> covariance =
      testing::inverse(prior_precision + data.x.transpose() * data.x / sigma2);
  const Vector<double> mean =
      covariance * (prior_precision * data.prior_mean + data.x.transpose() * data.y / sigma2);
  EXPECT_LT((belief.weights().mean() - mean).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((sigma2 * belief.weights().covariance() - covariance).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_DOUBLE_EQ(belief.noise_variance(), sigma2);
  Vector<double> scratch;
  const Vector<double> x = data.x.row(0).transpose();
  const auto prediction = belief.predict(x, scratch);
  EXPECT_NEAR(prediction.mean, x.dot(mean), 1e-9);
  const double variance = sigma2 + x.dot(covariance * x);
  EXPECT_NEAR(belief.log_predictive(prediction, prediction.mean + 1),
              -0.5 * std::log(2 * std::numbers::pi * variance) - 0.5 / variance, 1e-9);
}

TEST(NormalInverseGamma, SamplesHaveThePosteriorsMeanAndCovariance) {
  const Regression data = make_regression(20, 3);
  NormalInverseGamma<double> belief(prior_of<double>(data), {6, 6});
  learn(data, belief);
  Random random({.seed = 5});
  constexpr int kSamples = 100000;
  Vector<double> noise, sample(3), sum = Vector<double>::Zero(3);
  Matrix<double> squares = Matrix<double>::Zero(3, 3);
  for (int i = 0; i < kSamples; ++i) {
    belief.sample(random, 1, noise, sample);
    sample -= belief.weights().mean();
    sum += sample;
    squares += sample * sample.transpose();
  }
  const Matrix<double> expected = belief.noise_variance() * belief.weights().covariance();
  const double scale = expected.diagonal().maxCoeff();
  EXPECT_LT((sum / kSamples).cwiseAbs().maxCoeff(), 5 * std::sqrt(scale / kSamples));
  EXPECT_LT((squares / kSamples - expected).cwiseAbs().maxCoeff(), 0.03 * scale);
}

TEST(NormalInverseGamma, FloatAgreesWithDoubleTo1PercentAfterAMillionUpdates) {
  const Index dim = 4;
  NormalInverseGamma<float> single(GaussianFull<float>(dim, 4), {6, 6});
  NormalInverseGamma<double> reference(GaussianFull<double>(dim, 4), {6, 6});
  Random random({.seed = 3});
  Vector<float> x(dim), scratch, weights(dim);
  Vector<double> scratch_double;
  BeliefScratch<float> work;
  BeliefScratch<double> work_double;
  weights << 1, -2, 0.5, 3;
  for (int t = 0; t < 1000000; ++t) {
    random.fill_normal(x.head(dim - 1));
    x[dim - 1] = 1;
    const float y = x.dot(weights) + static_cast<float>(2 * random.uniform() - 1);
    single.update(x, y, work);
    reference.update(x.cast<double>(), static_cast<double>(y), work_double);
  }
  EXPECT_NEAR(single.noise().b / reference.noise().b, 1, 0.01);
  EXPECT_LT((single.weights().mean().cast<double>() - reference.weights().mean()).norm(), 1e-3);
  for (int i = 0; i < 100; ++i) {
    random.fill_normal(x);
    const double expected = reference.weights().variance(x.cast<double>(), scratch_double);
    EXPECT_NEAR(static_cast<double>(single.weights().variance(x, scratch)) / expected, 1, 0.01);
  }
}

TEST(NormalInverseGamma, RefusesARewardThatWouldMakeItInfiniteAndStaysAsItWas) {
  NormalInverseGamma<float> belief(GaussianFull<float>(2, 4), {6, 6});
  const Vector<float> x = Vector<float>::Constant(2, 1e-3f);
  BeliefScratch<float> scratch;
  EXPECT_TRUE(belief.update(x, 1, scratch).accepted);
  const Vector<float> mean = belief.weights().mean();
  const InverseGamma noise = belief.noise();
  EXPECT_FALSE(belief.update(Vector<float>::Constant(2, 1e30f), 1e30f, scratch).accepted);
  EXPECT_EQ(belief.weights().mean(), mean);
  EXPECT_EQ(belief.noise().a, noise.a);
  EXPECT_EQ(belief.noise().b, noise.b);
}

TEST(NormalInverseGamma, ContinuesAlikeAfterSaveAndLoad) {
  const Regression data = make_regression(30, 5);
  NormalInverseGamma<float> saved(prior_of<float>(data), {6, 6});
  learn(data, saved);
  ArchiveWriter out;
  saved.save(out);
  NormalInverseGamma<float> loaded(prior_of<float>(data), {6, 6});
  loaded.load(ArchiveReader(out.finish(), "test"));
  learn(data, saved);
  learn(data, loaded);
  EXPECT_EQ(saved.weights().mean(), loaded.weights().mean());
  EXPECT_EQ(saved.noise().b, loaded.noise().b);
}

TEST(NormalInverseGamma, SaysItsBytesBeforeItIsMade) {
  const NormalInverseGamma<float> made(GaussianFull<float>(12, 1), InverseGamma{6, 6});
  EXPECT_EQ(NormalInverseGamma<float>::bytes_needed(12), static_cast<double>(made.bytes()));
}

// Half of the rewards in one unit and half in another is all of them in the other, with the prior
// that goes with it.
TEST(NormalInverseGamma, RescaledIsAsIfAllRewardsHadBeenInTheNewUnit) {
  const InverseGamma before{3, 0.5}, after{3, 0.25};
  const double factor = 0.125;
  NormalInverseGamma<double> changed(GaussianFull<double>(2, 4.0), before);
  NormalInverseGamma<double> always(GaussianFull<double>(2, 4.0), after);
  BeliefScratch<double> scratch;
  Random random({.seed = 3});
  for (int i = 0; i < 20; ++i) {
    const Vector<double> x{{random.normal(), 1}};
    const double y = 5 * x[0] + random.normal();
    if (i == 10) changed.rescale(factor, before, after);
    changed.update(x, i < 10 ? y : factor * y, scratch);
    always.update(x, factor * y, scratch);
  }
  EXPECT_LT((changed.weights().mean() - always.weights().mean()).norm(), 1e-12);
  EXPECT_NEAR(changed.noise().b, always.noise().b, 1e-12);
  EXPECT_EQ(changed.noise().a, always.noise().a);
}

}  // namespace
}  // namespace bandolier::normal_inverse_gamma_test
