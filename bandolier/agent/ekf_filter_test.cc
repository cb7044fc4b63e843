// The filter with networks behind it, against answers computed elsewhere and closed forms.
#include "bandolier/agent/ekf_filter.h"

#include <gtest/gtest.h>

#include "bandolier/belief/gaussian_full.h"
#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/dense_basis.h"
#include "bandolier/subspace/subspace.h"
#include "testing/dense.h"
#include "testing/golden.h"

namespace bandolier::ekf_filter_test {
namespace {

using testing::to_matrix;
using testing::to_vector;

// A recorded sequence of (context, action, reward) with the network and basis it was filtered in.
// Contexts are float, so that in double the network is asked directly, at θ(z) formed in full.
template <class T>
class Recording {
 public:
  explicit Recording(const nlohmann::json& golden)
      : golden_(golden),
        contexts_(to_matrix<float>(golden.at("contexts"))),
        inputs_(to_matrix<T>(golden.at("contexts"))) {
    const auto sizes = golden.at("sizes").get<std::vector<Index>>();
    ProblemShape shape;
    shape.features = sizes.front();
    shape.actions = sizes.back();
    const RewardModel model("mlp:" + std::to_string(sizes[1]), Encoding::kMultiHead, shape);
    std::shared_ptr<const Basis<T>> basis = make_identity_basis<T>(model.network());
    if (golden.contains("basis")) {
      basis = std::make_shared<DenseBasis<T>>(to_matrix<T>(golden.at("basis")));
    }
    model_ = make_subspace_model<T>(model.encoder(), model.network(),
                                    testing::to_parameters<T>(golden.at("layers")), basis);
  }

  Index dim() const { return model_->dim(); }
  T prior_variance() const { return golden_.at("prior_variance").get<T>(); }

  // The largest differences from the recorded answers.
  struct Distance {
    double innovation = 0, variance = 0, mean = 0, covariance = 0;
  };

  Distance filter(EkfFilter<T>& filter) const {
    Distance distance;
    Vector<T> gradient(dim());
    const auto innovations = to_vector<double>(golden_.at("innovations"));
    const auto variances = to_vector<double>(golden_.at("innovation_variances"));
    const auto rewards = to_vector<T>(golden_.at("rewards"));
    for (Index t = 0; t < contexts_.rows(); ++t) {
      const auto action = golden_.at("actions")[static_cast<std::size_t>(t)].get<Index>();
      const T eta = linearise(filter.mean(), t, action, gradient);
      const auto step = filter.update(eta, gradient, rewards[t]);
      EXPECT_TRUE(step.accepted);
      distance.innovation =
          std::max(distance.innovation, std::abs(static_cast<double>(step.error) - innovations[t]));
      distance.variance =
          std::max(distance.variance, std::abs(static_cast<double>(step.variance) - variances[t]));
    }
    const auto mean = to_vector<double>(golden_.at("mean"));
    const auto covariance = to_matrix<double>(golden_.at("covariance"));
    distance.mean = (filter.mean().template cast<double>() - mean).cwiseAbs().maxCoeff();
    distance.covariance =
        (filter.belief().covariance().template cast<double>() - covariance).cwiseAbs().maxCoeff();
    return distance;
  }

 private:
  T linearise(const Vector<T>& z, Index t, Index action, Vector<T>& gradient) const {
    if constexpr (std::is_same_v<T, double>) {
      Vector<T> theta = model_->offset(), full(model_->parameters()), scratch;
      NetworkScratch<T> work;
      model_->basis().add_image(z, scratch, theta);
      const T eta = model_->network().template forward<T>(theta, inputs_.row(t), work)(0, action);
      model_->network().template gradient<T>(theta, action, work, full);
      model_->basis().project(full, scratch, gradient);
      return eta;
    } else {
      const std::span<const float> x(contexts_.row(t).data(),
                                     static_cast<std::size_t>(contexts_.cols()));
      const auto work = model_->make_scratch();
      model_->bind({Features::dense(x), model_->encoder().shape().actions, {}, {}}, *work);
      return model_->linearise(z, action, *work, gradient);
    }
  }

  const nlohmann::json& golden_;
  Matrix<float> contexts_;
  Matrix<T> inputs_;
  std::shared_ptr<const SubspaceModel<T>> model_;
};

template <class T>
void expect_within(const typename Recording<T>::Distance& distance, double tolerance) {
  EXPECT_LT(distance.innovation, tolerance);
  EXPECT_LT(distance.variance, tolerance);
  EXPECT_LT(distance.mean, tolerance);
  EXPECT_LT(distance.covariance, tolerance);
}

template <class T>
EkfFilter<T> known_noise(const nlohmann::json& golden, const Recording<T>& recording,
                         Index fold_every = 0) {
  return EkfFilter<T>(std::make_unique<GaussianFull<T>>(recording.dim(), recording.prior_variance(),
                                                        FoldOptions{fold_every}),
                      Likelihood::gaussian(golden.at("noise_variance").get<double>()),
                      FilterDynamics{golden.at("process_noise").get<double>(), 1});
}

template <class T>
class EkfFilterIn : public ::testing::Test {
 protected:
  static constexpr double kTolerance = std::is_same_v<T, double> ? 1e-6 : 1e-3;
};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(EkfFilterIn, Precisions);

TYPED_TEST(EkfFilterIn, TheOriginalSpaceMeetsTheRecordedStepsTo1em6InDoubleAnd1em3InFloat) {
  BANDOLIER_GOLDEN_OR_SKIP(golden, "ekf");
  const Recording<TypeParam> recording(golden);
  auto filter = known_noise(golden, recording);
  expect_within<TypeParam>(recording.filter(filter), this->kTolerance);
}

TYPED_TEST(EkfFilterIn, ASubspaceMeetsTheRecordedStepsTo1em6InDoubleAnd1em3InFloat) {
  BANDOLIER_GOLDEN_OR_SKIP(golden, "subspace-ekf");
  const Recording<TypeParam> recording(golden);
  auto filter = known_noise(golden, recording);
  expect_within<TypeParam>(recording.filter(filter), this->kTolerance);
}

TYPED_TEST(EkfFilterIn, InferredNoiseMeetsTheRecordedStepsTo1em6InDoubleAnd1em3InFloat) {
  BANDOLIER_GOLDEN_OR_SKIP(golden, "subspace-ekf-inferred-noise");
  const Recording<TypeParam> recording(golden);
  EkfFilter<TypeParam> filter(
      std::make_unique<GaussianFull<TypeParam>>(recording.dim(), recording.prior_variance()),
      InverseGamma{golden.at("a0").get<double>(), golden.at("b0").get<double>()});
  expect_within<TypeParam>(recording.filter(filter), this->kTolerance);
  EXPECT_NEAR(filter.noise()->a, golden.at("a").get<double>(), this->kTolerance);
  EXPECT_NEAR(filter.noise()->b, golden.at("b").get<double>(),
              this->kTolerance * golden.at("b").get<double>());
}

TYPED_TEST(EkfFilterIn, ProcessNoiseFoldedAtEveryStepMeetsTheRecordedStepsTo1em6And1em3) {
  BANDOLIER_GOLDEN_OR_SKIP(golden, "ekf-process-noise");
  const Recording<TypeParam> recording(golden);
  auto filter = known_noise(golden, recording, 1);
  expect_within<TypeParam>(recording.filter(filter), this->kTolerance);
}

TEST(EkfFilter,
     ProcessNoiseFoldedEvery32StepsIsWithinHalfOfTheRecordedMeanAndATwentiethOfTheCovariance) {
  BANDOLIER_GOLDEN_OR_SKIP(golden, "ekf-process-noise");
  const Recording<double> recording(golden);
  auto filter = known_noise(golden, recording);
  const auto distance = recording.filter(filter);
  EXPECT_LT(distance.innovation, 0.35);
  EXPECT_LT(distance.variance, 0.3);
  EXPECT_LT(distance.mean, 0.5);
  EXPECT_LT(distance.covariance, 0.05);
}

TEST(EkfFilter, WithALinearNetworkIsExactBayesianLinearRegressionTo1em5) {
  ProblemShape shape;
  shape.features = 5;
  shape.actions = 3;
  const RewardModel reward_model("linear", Encoding::kMultiHead, shape);
  Random random({21, Purpose::kTest, 0, 0});
  const Vector<double> offset = reward_model.network().initial_parameters<double>(random);
  const auto model =
      make_subspace_model<double>(reward_model.encoder(), reward_model.network(), offset,
                                  make_identity_basis<double>(reward_model.network()));
  constexpr double kPrior = 0.7, kNoise = 0.2;
  const Index dim = model->dim();
  EkfFilter<double> filter(std::make_unique<GaussianFull<double>>(dim, kPrior),
                           Likelihood::gaussian(kNoise));
  // Normal equations of w = θ − θ*: Λ = I/v + Σ ggᵀ/R, Λ m = Σ g (y − f(θ*))/R.
  Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(dim, dim) / kPrior;
  Eigen::VectorXd weighted = Eigen::VectorXd::Zero(dim);
  const auto work = model->make_scratch();
  Vector<double> gradient(dim);
  std::vector<float> x(5);
  for (int t = 0; t < 300; ++t) {
    for (float& value : x) value = static_cast<float>(random.normal());
    const Index action = t % 3;
    const double y = random.normal();
    model->bind({Features::dense(x), 3, {}, {}}, *work);
    const double at_offset = model->linearise(Vector<double>::Zero(dim), action, *work, gradient);
    precision += gradient * gradient.transpose() / kNoise;
    weighted += gradient * (y - at_offset) / kNoise;
    const double eta = model->linearise(filter.mean(), action, *work, gradient);
    filter.update(eta, gradient, y);
  }
  const Eigen::MatrixXd covariance = testing::inverse(precision);
  EXPECT_LT((filter.mean() - covariance * weighted).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((filter.belief().covariance() - covariance).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(EkfFilter, SamplesWithInferredNoiseHaveTheStudentVariance) {
  // z ~ t with 2a degrees of freedom and scale P·b/a: variance P·b/(a − 1).
  const EkfFilter<double> filter(std::make_unique<GaussianFull<double>>(1, 0.5),
                                 InverseGamma{5, 8});
  Random random({22, Purpose::kTest, 0, 0});
  Vector<double> noise, z(1);
  double squares = 0;
  constexpr int kSamples = 40'000;
  for (int i = 0; i < kSamples; ++i) {
    filter.sample(random, 1, noise, z);
    squares += z[0] * z[0];
  }
  EXPECT_NEAR(squares / kSamples, 0.5 * 8 / 4, 0.05);
  Vector<double> scratch;
  EXPECT_NEAR(filter.deviation(Vector<double>::Ones(1), scratch), std::sqrt(0.5 * 8 / 4), 1e-12);
}

TEST(EkfFilter, RescalingIsAsIfTheRewardsHadBeenGivenInTheOtherUnit) {
  const auto make = [] {
    return EkfFilter<double>(std::make_unique<GaussianFull<double>>(3, 2.0), InverseGamma{3, 0.3});
  };
  auto rescaled = make(), direct = make();
  Random random({23, Purpose::kTest, 0, 0});
  Vector<double> g(3);
  for (int t = 0; t < 50; ++t) {
    random.fill_normal(g);
    const double y = random.normal();
    rescaled.update(g.dot(rescaled.mean()), g, y);
    direct.update(g.dot(direct.mean()), g, y / 4);
  }
  rescaled.rescale(0.25);
  EXPECT_LT((rescaled.mean() - direct.mean()).norm(), 1e-12);
  EXPECT_NEAR(rescaled.noise()->b, direct.noise()->b, 1e-12);
}

TEST(EkfFilter, RefusesAnInfiniteStepAndKeepsBeliefAndNoise) {
  EkfFilter<float> filter(std::make_unique<GaussianFull<float>>(3, 2.0f), InverseGamma{3, 0.3});
  const Vector<float> g = Vector<float>::Ones(3);
  filter.update(0, g, 1);
  const Vector<float> mean = filter.mean();
  const double b = filter.noise()->b;
  EXPECT_FALSE(filter.update(0, g, 1e30f).accepted);
  EXPECT_FALSE(filter.update(0, g, std::numeric_limits<float>::infinity()).accepted);
  EXPECT_FALSE(filter.update(std::numeric_limits<float>::quiet_NaN(), g, 1).accepted);
  EXPECT_EQ(filter.mean(), mean);
  EXPECT_EQ(filter.noise()->b, b);
}

}  // namespace
}  // namespace bandolier::ekf_filter_test
