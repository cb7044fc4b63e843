// The filter with networks and exponential families behind it, against steps recorded elsewhere.
#include <gtest/gtest.h>

#include "bandolier/filter/test_filters.h"
#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/dense_basis.h"
#include "bandolier/subspace/subspace.h"
#include "testing/golden.h"

namespace bandolier::filter_recording_test {
namespace {

using testing::to_matrix;
using testing::to_vector;

// The largest differences from the recorded answers.
struct Distance {
  double innovation = 0, variance = 0, mean = 0, covariance = 0;
};

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
  double number(const char* name) const { return golden_.at(name).get<double>(); }

  // A filter whose belief, about z alone, is the recorded prior.
  Filter<T> make_filter(const FilterOptions& options, const BeliefOptions& belief = {}) const {
    return {testing::body_belief<T>(dim(), static_cast<T>(number("prior_variance")), belief),
            options};
  }
  FilterOptions known_noise() const {
    FilterOptions options;
    options.likelihood = Likelihood::gaussian(number("noise_variance"));
    options.process_noise = number("process_noise");
    return options;
  }

  // Where the noise is inferred, the recorded variances of innovations are in units of σ².
  Distance replay(Filter<T>& filter) const {
    Distance distance;
    ParameterScratch<T> scratch;
    Vector<T> gradient(dim());
    const auto innovations = to_vector<double>(golden_.at("innovations"));
    const auto variances = to_vector<double>(golden_.at("innovation_variances"));
    const auto rewards = to_vector<T>(golden_.at("rewards"));
    for (Index t = 0; t < contexts_.rows(); ++t) {
      filter.advance(scratch);  // process noise is recorded as added before each update
      const auto action = golden_.at("actions")[static_cast<std::size_t>(t)].get<Index>();
      const Linearised<T> at{linearise(filter.belief().body_mean(), t, action, gradient),
                             0,
                             {gradient.data(), dim()},
                             {nullptr, 0}};
      const auto step = testing::learn<T>(filter, at, rewards[t], scratch);
      EXPECT_TRUE(step.accepted);
      const double variance = filter.noise() ? 1 + step.q : step.variance;
      distance.innovation = std::max(distance.innovation, std::abs(step.error - innovations[t]));
      distance.variance = std::max(distance.variance, std::abs(variance - variances[t]));
    }
    const auto mean = to_vector<double>(golden_.at("mean"));
    const auto covariance = to_matrix<double>(golden_.at("covariance"));
    const auto& belief = filter.belief();
    distance.mean = (belief.body_mean().template cast<double>() - mean).cwiseAbs().maxCoeff();
    distance.covariance =
        (belief.covariance().template cast<double>() - covariance).cwiseAbs().maxCoeff();
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

void expect_within(const Distance& distance, double tolerance) {
  EXPECT_LT(distance.innovation, tolerance);
  EXPECT_LT(distance.variance, tolerance);
  EXPECT_LT(distance.mean, tolerance);
  EXPECT_LT(distance.covariance, tolerance);
}

template <class T>
class FilterIn : public ::testing::Test {
 protected:
  static constexpr double kTolerance = std::is_same_v<T, double> ? 1e-6 : 1e-3;
};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FilterIn, Precisions);

TYPED_TEST(FilterIn, TheOriginalSpaceMeetsTheRecordedStepsTo1em6InDoubleAnd1em3InFloat) {
  const auto golden = testing::golden("ekf");
  const Recording<TypeParam> recording(golden);
  auto filter = recording.make_filter(recording.known_noise());
  expect_within(recording.replay(filter), this->kTolerance);
}

TYPED_TEST(FilterIn, ASubspaceMeetsTheRecordedStepsTo1em6InDoubleAnd1em3InFloat) {
  const auto golden = testing::golden("subspace-ekf");
  const Recording<TypeParam> recording(golden);
  auto filter = recording.make_filter(recording.known_noise());
  expect_within(recording.replay(filter), this->kTolerance);
}

TYPED_TEST(FilterIn, InferredNoiseMeetsTheRecordedStepsTo1em6InDoubleAnd1em3InFloat) {
  const auto golden = testing::golden("subspace-ekf-inferred-noise");
  const Recording<TypeParam> recording(golden);
  FilterOptions options;
  options.noise = InverseGamma{recording.number("a0"), recording.number("b0")};
  auto filter = recording.make_filter(options);
  expect_within(recording.replay(filter), this->kTolerance);
  EXPECT_NEAR(filter.noise()->a, recording.number("a"), this->kTolerance);
  EXPECT_NEAR(filter.noise()->b, recording.number("b"), this->kTolerance * recording.number("b"));
}

// A low-rank belief with room for every direction is a full one that folds noise in at once.
TYPED_TEST(FilterIn, ProcessNoiseFoldedAtEveryStepMeetsTheRecordedStepsTo1em6And1em3) {
  const auto golden = testing::golden("ekf-process-noise");
  const Recording<TypeParam> recording(golden);
  auto filter =
      recording.make_filter(recording.known_noise(), {BeliefKind::kLowRank, recording.dim(), {}});
  expect_within(recording.replay(filter), this->kTolerance);
}

TEST(FilterInDouble, AFullBeliefThatFoldsNoiseEvery32StepsIsWithinHalfOfTheRecordedMean) {
  const auto golden = testing::golden("ekf-process-noise");
  const Recording<double> recording(golden);
  auto filter = recording.make_filter(recording.known_noise());
  const Distance distance = recording.replay(filter);
  EXPECT_LT(distance.innovation, 0.35);
  EXPECT_LT(distance.variance, 0.3);
  EXPECT_LT(distance.mean, 0.5);
  EXPECT_LT(distance.covariance, 0.05);
}

TYPED_TEST(FilterIn, BernoulliAndPoissonRegressionsEndWithTheRecordedMomentsTo1em6And1em3) {
  for (const auto& likelihood : {Likelihood::bernoulli(), Likelihood::poisson()}) {
    const auto golden = testing::golden(std::string(to_word(likelihood.family())));
    const Matrix<TypeParam> x = to_matrix<TypeParam>(golden["x"]);
    const Vector<TypeParam> y = to_vector<TypeParam>(golden["y"]), none;
    FilterOptions options;
    options.likelihood = likelihood;
    Filter<TypeParam> filter(
        testing::body_belief(x.cols(), golden["prior_variance"].get<TypeParam>()), options);
    ParameterScratch<TypeParam> scratch;
    for (Index t = 0; t < x.rows(); ++t) {
      const Vector<TypeParam> g = x.row(t).transpose();
      const auto at = testing::linear_at<TypeParam>(filter.belief(), 0, g, none);
      EXPECT_TRUE(testing::learn<TypeParam>(filter, at, y[t], scratch).accepted);
    }
    const Vector<double> mean = to_vector<double>(golden["filter"]["mean"]);
    const Matrix<double> covariance = to_matrix<double>(golden["filter"]["covariance"]);
    EXPECT_LT((filter.belief().body_mean().template cast<double>() - mean).norm(),
              this->kTolerance);
    EXPECT_LT((filter.belief().covariance().template cast<double>() - covariance).norm(),
              this->kTolerance);
  }
}

}  // namespace
}  // namespace bandolier::filter_recording_test
