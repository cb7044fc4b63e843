// How every Gaussian belief learns and forgets: as the dense filter of its structure does.
#include <limits>

#include "bandolier/belief/test_gaussian_belief.h"

namespace bandolier::learning_conformance_test {
namespace {

using testing::kDim;
using testing::ReferenceFilter;

template <class Case>
using BeliefLearning = testing::GaussianBelief<Case>;
TYPED_TEST_SUITE(BeliefLearning, testing::GaussianKinds);

TYPED_TEST(BeliefLearning, StartsAtThePrior) {
  EXPECT_EQ(this->belief_.dim(), kDim);
  EXPECT_EQ(this->belief_.mean(), this->mean_);
  this->expect_equal_to_reference();
}

TYPED_TEST(BeliefLearning, FollowsTheJosephFormOver200Observations) {
  for (int t = 0; t < 200; ++t) this->learn();
  this->expect_equal_to_reference();
}

// The others are one parameter of variance q' beside these, with gradient 1: what is kept of the
// joint dense filter is the marginal of these.
TYPED_TEST(BeliefLearning, CorrectingBesideOthersIsTheMarginalOfTheJointUpdate) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 100; ++t) {
    const Vector<T> g = this->direction();
    const Observation<T> observation{static_cast<T>(10 * this->random_.normal()), 10};
    const T q_others = static_cast<T>(0.01 * (1 << t % 10));
    this->belief_.project(g, this->scratch_);
    this->belief_.correct(g, observation, q_others, this->scratch_);

    ReferenceFilter& own = this->reference_;
    ReferenceFilter joint{Vector<double>::Zero(kDim + 1), Matrix<double>::Zero(kDim + 1, kDim + 1),
                          Matrix<double>::Ones(kDim + 1, kDim + 1)};
    joint.mean.head(kDim) = own.mean;
    joint.p.topLeftCorner(kDim, kDim) = own.p;
    joint.p(kDim, kDim) = static_cast<double>(q_others);
    Vector<double> all = Vector<double>::Ones(kDim + 1);
    all.head(kDim) = g.template cast<double>();
    joint.update(all, static_cast<double>(observation.slope),
                 static_cast<double>(observation.curvature));
    own.mean = joint.mean.head(kDim);
    own.p = joint.p.topLeftCorner(kDim, kDim).cwiseProduct(own.mask);
  }
  this->expect_equal_to_reference();
}

TYPED_TEST(BeliefLearning, InnovationVarianceIsThatOfTheDirectionBefore) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const Vector<T> g = this->direction();
  Vector<T> scratch;
  const T before = this->belief_.variance(g, scratch);
  EXPECT_NEAR(this->belief_.update(g, {1, 1}).variance, before, this->kTolerance);
}

TYPED_TEST(BeliefLearning, SaturatedObservationMovesTheMeanAndKeepsTheCovariance) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const Matrix<T> before = this->belief_.covariance();
  const Vector<T> mean = this->belief_.mean();
  const Vector<T> g = this->direction();
  EXPECT_TRUE(this->belief_.update(g, {1, 0}).accepted);
  EXPECT_EQ(this->belief_.covariance(), before);
  EXPECT_LT((this->belief_.mean() - mean - before * g).norm(), this->kTolerance * 10);
}

TYPED_TEST(BeliefLearning, SurvivesAnObservationWithoutNoise) {
  using T = typename TypeParam::Scalar;
  const Vector<T> g = this->direction();
  Vector<T> scratch;
  for (int t = 0; t < 50; ++t) this->belief_.update(this->direction(), {1, T(1e12)});
  EXPECT_GE(this->belief_.variance(g, scratch), 0);
  EXPECT_TRUE(this->belief_.covariance().allFinite());
  EXPECT_TRUE((this->belief_.covariance().diagonal().array() >= 0).all());
}

TYPED_TEST(BeliefLearning, RefusedStepsLeaveEveryBitAsItWas) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const std::string before = this->bytes_of(this->belief_);
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const T infinity = std::numeric_limits<T>::infinity();
  Vector<T> g = this->direction();
  for (const Observation<T>& bad :
       {Observation<T>{nan, 1}, Observation<T>{infinity, 1}, Observation<T>{1, nan},
        Observation<T>{1, infinity}, Observation<T>{1, -1}, Observation<T>{T(1e31), 10}}) {
    EXPECT_FALSE(this->belief_.update(g, bad).accepted) << bad.slope << " " << bad.curvature;
    EXPECT_EQ(this->bytes_of(this->belief_), before);
  }
  for (const T value : {nan, infinity, std::numeric_limits<T>::max()}) {
    g[kDim / 2] = value;
    EXPECT_FALSE(this->belief_.update(g, {1, 1}).accepted) << value;
    EXPECT_EQ(this->bytes_of(this->belief_), before);
  }
  EXPECT_TRUE(this->learn().accepted);
}

TYPED_TEST(BeliefLearning, ProcessNoiseFoldedEachStepIsTheDenseFormula) {
  for (int t = 0; t < 50; ++t) {
    this->belief_.add_process_noise(static_cast<typename TypeParam::Scalar>(0.01));
    this->reference_.add_process_noise(0.01);
    this->learn();
  }
  this->expect_equal_to_reference();
}

TYPED_TEST(BeliefLearning, ForgettingFoldedEachStepIsTheDenseFormula) {
  for (int t = 0; t < 50; ++t) {
    this->belief_.forget(static_cast<typename TypeParam::Scalar>(0.9), this->scratch_);
    this->reference_.forget(0.9);
    this->learn();
  }
  this->expect_equal_to_reference();
}

TYPED_TEST(BeliefLearning, ForgettingReturnsToThePriorAndNotBeyond) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 50; ++t) this->learn();
  Vector<T> scratch;
  for (int t = 0; t < 2000; ++t) {
    this->belief_.forget(T(0.99), this->scratch_);
    this->belief_.fold(this->scratch_);
    const Vector<T> g = this->direction();
    const T prior = (g.array().square() * this->variances_.array()).sum();
    ASSERT_LE(this->belief_.variance(g, scratch), prior * (1 + T(this->kTolerance)));
  }
  // What is left of the evidence: 0.99²⁰⁰⁰ of at most 10⁴.
  EXPECT_LT((this->belief_.covariance().diagonal() - this->variances_).norm(),
            10 * this->kTolerance + 2e-5);
}

TYPED_TEST(BeliefLearning, NoNoiseAndNoForgettingChangeNothing) {
  this->learn();
  const std::string before = this->bytes_of(this->belief_);
  this->belief_.add_process_noise(0);
  this->belief_.forget(1, this->scratch_);
  this->belief_.fold(this->scratch_);
  EXPECT_EQ(this->bytes_of(this->belief_), before);
}

}  // namespace
}  // namespace bandolier::learning_conformance_test
