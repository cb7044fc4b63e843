// What every Gaussian belief says, and that it copies and saves as a value does.
#include <functional>

#include "bandolier/belief/test_gaussian_belief.h"

namespace bandolier::conformance_test {
namespace {

using testing::kDim;

template <class Case>
using GaussianBelief = testing::GaussianBelief<Case>;
TYPED_TEST_SUITE(GaussianBelief, testing::GaussianKinds);

TYPED_TEST(GaussianBelief, VarianceIsTheQuadraticFormOfTheCovariance) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 20; ++t) this->learn();
  const Matrix<T> p = this->belief_.covariance();
  Vector<T> scratch;
  for (int t = 0; t < 10; ++t) {
    const Vector<T> g = this->direction();
    const double expected = static_cast<double>(g.dot(p * g));
    EXPECT_NEAR(this->belief_.variance(g, scratch), expected, this->kTolerance * (1 + expected));
  }
}

TYPED_TEST(GaussianBelief, SamplesHaveTheMeanAndTheScaledCovariance) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 5; ++t) this->learn();
  constexpr int kSamples = 40000;
  constexpr double kScale = 0.5;
  Vector<T> noise, sample(kDim);
  Vector<double> sum = Vector<double>::Zero(kDim);
  Matrix<double> squares = Matrix<double>::Zero(kDim, kDim);
  const Vector<double> mean = this->belief_.mean().template cast<double>();
  for (int n = 0; n < kSamples; ++n) {
    this->belief_.sample(this->random_, static_cast<T>(kScale), noise, sample);
    const Vector<double> deviation = sample.template cast<double>() - mean;
    sum += deviation;
    squares += deviation * deviation.transpose();
  }
  const Matrix<double> p = kScale * kScale * this->belief_.covariance().template cast<double>();
  for (Index i = 0; i < kDim; ++i) {
    EXPECT_LT(std::abs(sum[i]) / kSamples, 5 * std::sqrt(p(i, i) / kSamples));
    for (Index j = 0; j < kDim; ++j) {
      const double deviation = std::sqrt((p(i, i) * p(j, j) + p(i, j) * p(i, j)) / kSamples);
      EXPECT_LT(std::abs(squares(i, j) / kSamples - p(i, j)), 5 * deviation);
    }
  }
}

TYPED_TEST(GaussianBelief, ABatchOfSamplesIsTheSamplesOfItsStreams) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 5; ++t) this->learn();
  std::vector<Random> streams;
  std::vector<T> scales;
  for (std::uint32_t i = 0; i < 5; ++i) {
    streams.push_back(this->random_.fork(i));
    scales.push_back(static_cast<T>(i) / 2);
  }
  auto same = streams;
  SampleNoise<T> noise;
  Matrix<T> batch(5, kDim);
  this->belief_.sample_batch(streams, scales, noise, batch);
  Vector<T> own_noise, sample(kDim);
  for (std::size_t i = 0; i < same.size(); ++i) {
    this->belief_.sample(same[i], scales[i], own_noise, sample);
    const Vector<T> row = batch.row(static_cast<Index>(i)).transpose();
    EXPECT_LT((row - sample).norm(), 10 * std::numeric_limits<T>::epsilon() * (1 + sample.norm()));
    EXPECT_EQ(streams[i](), same[i]());
  }
}

TYPED_TEST(GaussianBelief, VarianceIsNeverAboveItsBound) {
  using T = typename TypeParam::Scalar;
  BeliefScratch<T> scratch;
  Vector<T> work;
  const auto check = [&] {
    const Vector<T> g = this->direction();
    EXPECT_LE(this->belief_.variance(g, work), this->belief_.variance_bound(g.squaredNorm()));
  };
  for (int t = 0; t < 200; ++t) {
    check();
    this->learn();
  }
  this->belief_.add_process_noise(static_cast<T>(100));
  this->belief_.fold(scratch);
  check();
  this->belief_.reset(this->direction());
  check();
  for (int t = 0; t < 20; ++t) this->belief_.forget(static_cast<T>(0.9), scratch);
  check();
}

TYPED_TEST(GaussianBelief, ResetIsWhereItBeganWithTheMeanGiven) {
  using T = typename TypeParam::Scalar;
  const Matrix<T> prior = this->belief_.covariance();
  for (int t = 0; t < 20; ++t) this->learn();
  BeliefScratch<T> scratch;
  this->belief_.forget(static_cast<T>(0.9), scratch);
  this->belief_.add_process_noise(static_cast<T>(0.1));
  const Vector<T> mean = this->direction();
  this->belief_.reset(mean);
  EXPECT_EQ(this->belief_.mean(), mean);
  EXPECT_LT((this->belief_.covariance() - prior).norm(), this->kTolerance * prior.norm());
  this->belief_.fold(scratch);  // nothing is pending
  EXPECT_LT((this->belief_.covariance() - prior).norm(), this->kTolerance * prior.norm());
}

TYPED_TEST(GaussianBelief, SampleAtScaleZeroIsTheMean) {
  using T = typename TypeParam::Scalar;
  this->learn();
  Vector<T> noise, sample(kDim);
  this->belief_.sample(this->random_, 0, noise, sample);
  EXPECT_EQ(sample, this->belief_.mean());
}

TYPED_TEST(GaussianBelief, SavedAndLoadedLearnsTheSameBits) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 10; ++t) {
    this->learn();
    this->belief_.forget(T(0.99), this->scratch_);
  }
  auto loaded = TypeParam::make(Vector<T>::Zero(kDim), Vector<T>::Ones(kDim));
  loaded.load(ArchiveReader(this->bytes_of(this->belief_), "memory"));
  for (int t = 0; t < 10; ++t) {
    const Vector<T> g = this->direction();
    for (Belief<T>* belief :
         {static_cast<Belief<T>*>(&this->belief_), static_cast<Belief<T>*>(&loaded)}) {
      belief->update(g, {1, 2});
      belief->forget(T(0.9), this->scratch_);
      belief->add_process_noise(T(0.01));
    }
  }
  EXPECT_EQ(this->bytes_of(loaded), this->bytes_of(this->belief_));
}

// Copies share memory until one of them writes: whatever changes the original, on the first write
// and on later ones, no copy shows it.
TYPED_TEST(GaussianBelief, ACopyKeepsEveryBitWhateverIsDoneToTheOriginal) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const std::string saved = this->bytes_of(this->belief_);
  const std::vector<std::function<void()>> changes = {
      [this] { this->learn(); },
      [this] {
        this->belief_.update(this->direction(), {1, 0});
      },
      [this] { this->belief_.add_process_noise(T(0.01)); },
      [this] { this->belief_.forget(T(0.9), this->scratch_); },
      [this] { this->belief_.scale_mean(2); },
      [&] { this->belief_.load(ArchiveReader(saved, "memory")); },
  };
  for (const auto& change : changes) {
    this->learn();
    const auto copy = this->belief_;
    const auto clone = this->belief_.clone();
    const std::string before = this->bytes_of(this->belief_);
    change();
    EXPECT_NE(this->bytes_of(this->belief_), before);
    change();
    EXPECT_EQ(this->bytes_of(copy), before);
    EXPECT_EQ(this->bytes_of(*clone), before);
  }
}

TYPED_TEST(GaussianBelief, AnOriginalKeepsEveryBitWhileItsCopyLearnsTheSameBits) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const auto clone = this->belief_.clone();
  const std::string before = this->bytes_of(this->belief_);
  const Vector<T> g = this->direction();
  clone->update(g, {1, 1});
  EXPECT_EQ(this->bytes_of(this->belief_), before);
  this->belief_.update(g, {1, 1});
  EXPECT_EQ(this->bytes_of(this->belief_), this->bytes_of(*clone));
}

TYPED_TEST(GaussianBelief, WrongSizesAndValuesAreErrors) {
  using T = typename TypeParam::Scalar;
  Vector<T> scratch, sample(kDim - 1);
  EXPECT_THROW(this->belief_.update(Vector<T>::Zero(kDim + 1), {1, 1}), Error);
  EXPECT_THROW(this->belief_.variance(Vector<T>::Zero(kDim - 1), scratch), Error);
  EXPECT_THROW(this->belief_.sample(this->random_, 1, scratch, sample), Error);
  EXPECT_THROW(this->belief_.add_process_noise(-1), Error);
  EXPECT_THROW(this->belief_.forget(0, this->scratch_), Error);
  EXPECT_THROW(this->belief_.forget(T(1.5), this->scratch_), Error);
  EXPECT_THROW(TypeParam::make(Vector<T>::Zero(kDim), Vector<T>::Zero(kDim)), Error);
  EXPECT_THROW(TypeParam::make(Vector<T>::Zero(kDim), -Vector<T>::Ones(kDim)), Error);
  EXPECT_THROW(TypeParam::make(Vector<T>::Zero(kDim - 1), Vector<T>::Ones(kDim)), Error);
}

}  // namespace
}  // namespace bandolier::conformance_test
