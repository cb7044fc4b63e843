// What every Gaussian belief promises, in float and in double.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "bandolier/belief/gaussian_block.h"
#include "bandolier/belief/gaussian_diagonal.h"
#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/low_rank.h"
#include "bandolier/belief/test_reference_filter.h"

namespace bandolier::conformance_test {
namespace {

using testing::ReferenceFilter;

constexpr Index kDim = 9;

template <class T>
struct Full {
  using Scalar = T;
  using Type = GaussianFull<T>;
  static std::vector<Index> blocks() { return {kDim}; }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances, {.fold_every = 1});
  }
  static double bytes_needed() { return Type::bytes_needed(kDim); }
};
template <class T>
struct Diagonal {
  using Scalar = T;
  using Type = GaussianDiagonal<T>;
  static std::vector<Index> blocks() { return std::vector<Index>(kDim, 1); }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances);
  }
  static double bytes_needed() { return Type::bytes_needed(kDim); }
};
template <class T>
struct Block {
  using Scalar = T;
  using Type = GaussianBlock<T>;
  static std::vector<Index> blocks() { return {4, 1, 4}; }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances, blocks(), {.fold_every = 1});
  }
  static double bytes_needed() { return Type::bytes_needed(blocks()); }
};

// With room for every direction the low-rank belief is the full one.
template <class T>
struct AllRank {
  using Scalar = T;
  using Type = LowRank<T>;
  static std::vector<Index> blocks() { return {kDim}; }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances, kDim);
  }
  static double bytes_needed() { return Type::bytes_needed(kDim, 2 * kDim); }
  // Υ and its root, W, B.
  static Index covariance_values() { return 2 * kDim + 2 * kDim * kDim; }
};

template <class Case>
class GaussianBelief : public ::testing::Test {
 protected:
  using Real = typename Case::Scalar;
  using Type = typename Case::Type;
  // The low-rank belief factorises a Gram matrix at every step, the others rotate a square root.
  static constexpr double kSlack = std::is_same_v<Type, LowRank<Real>> ? 4 : 1;
  static constexpr double kTolerance = kSlack * (std::is_same_v<Real, float> ? 5e-5 : 1e-12);

  GaussianBelief()
      : mean_(kDim), variances_(kDim), random_({.seed = 7}), belief_(make()), reference_(dense()) {}

  Type make() {
    for (Index i = 0; i < kDim; ++i) {
      mean_[i] = static_cast<Real>(0.1) * static_cast<Real>(i);
      variances_[i] = static_cast<Real>(0.2) + static_cast<Real>(0.3) * static_cast<Real>(i % 4);
    }
    return Case::make(mean_, variances_);
  }

  ReferenceFilter dense() const {
    Matrix<double> mask = Matrix<double>::Zero(kDim, kDim);
    Index offset = 0;
    for (const Index size : Case::blocks()) {
      mask.block(offset, offset, size, size).setOnes();
      offset += size;
    }
    const Vector<double> variances = variances_.template cast<double>();
    return {mean_.template cast<double>(), Matrix<double>(variances.asDiagonal()), mask};
  }

  Vector<Real> direction() {
    Vector<Real> g(kDim);
    random_.fill_normal(g);
    return g;
  }

  // One observation of noise variance 0.1 into belief and reference.
  Innovation<Real> learn() {
    const Vector<Real> g = direction();
    const Observation<Real> observation{static_cast<Real>(10 * random_.normal()), 10};
    const auto innovation = belief_.update(g, observation);
    reference_.update(g.template cast<double>(), static_cast<double>(observation.slope),
                      static_cast<double>(observation.curvature));
    return innovation;
  }

  void expect_equal_to_reference() {
    const double scale = reference_.p.norm();
    EXPECT_LT((belief_.mean().template cast<double>() - reference_.mean).norm(),
              kTolerance * reference_.mean.norm());
    EXPECT_LT((belief_.covariance().template cast<double>() - reference_.p).norm(),
              kTolerance * scale);
  }

  static std::string bytes_of(const Belief<Real>& belief) {
    ArchiveWriter out;
    belief.save(out);
    return out.finish();
  }

  Vector<Real> mean_;
  Vector<Real> variances_;
  Random random_;
  Type belief_;
  ReferenceFilter reference_;
};

using Cases = ::testing::Types<Full<float>, Full<double>, Diagonal<float>, Diagonal<double>,
                               Block<float>, Block<double>, AllRank<float>, AllRank<double>>;
TYPED_TEST_SUITE(GaussianBelief, Cases);

TYPED_TEST(GaussianBelief, StartsAtThePrior) {
  EXPECT_EQ(this->belief_.dim(), kDim);
  EXPECT_EQ(this->belief_.mean(), this->mean_);
  this->expect_equal_to_reference();
}

TYPED_TEST(GaussianBelief, FollowsTheJosephFormOver200Observations) {
  for (int t = 0; t < 200; ++t) this->learn();
  this->expect_equal_to_reference();
}

TYPED_TEST(GaussianBelief, InnovationVarianceIsThatOfTheDirectionBefore) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const Vector<T> g = this->direction();
  Vector<T> scratch;
  const T before = this->belief_.variance(g, scratch);
  EXPECT_NEAR(this->belief_.update(g, {1, 1}).variance, before, this->kTolerance);
}

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
  Matrix<T> noise, batch(5, kDim);
  this->belief_.sample_batch(streams, scales, noise, batch);
  Vector<T> own_noise, sample(kDim);
  for (std::size_t i = 0; i < same.size(); ++i) {
    this->belief_.sample(same[i], scales[i], own_noise, sample);
    const Vector<T> row = batch.row(static_cast<Index>(i)).transpose();
    EXPECT_LT((row - sample).norm(), 10 * std::numeric_limits<T>::epsilon() * (1 + sample.norm()));
    EXPECT_EQ(streams[i](), same[i]());
  }
}

TYPED_TEST(GaussianBelief, SampleAtScaleZeroIsTheMean) {
  using T = typename TypeParam::Scalar;
  this->learn();
  Vector<T> noise, sample(kDim);
  this->belief_.sample(this->random_, 0, noise, sample);
  EXPECT_EQ(sample, this->belief_.mean());
}

TYPED_TEST(GaussianBelief, SaturatedObservationMovesTheMeanAndKeepsTheCovariance) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const Matrix<T> before = this->belief_.covariance();
  const Vector<T> mean = this->belief_.mean();
  const Vector<T> g = this->direction();
  EXPECT_TRUE(this->belief_.update(g, {1, 0}).accepted);
  EXPECT_EQ(this->belief_.covariance(), before);
  EXPECT_LT((this->belief_.mean() - mean - before * g).norm(), this->kTolerance * 10);
}

TYPED_TEST(GaussianBelief, SurvivesAnObservationWithoutNoise) {
  using T = typename TypeParam::Scalar;
  const Vector<T> g = this->direction();
  Vector<T> scratch;
  for (int t = 0; t < 50; ++t) this->belief_.update(this->direction(), {1, T(1e12)});
  EXPECT_GE(this->belief_.variance(g, scratch), 0);
  EXPECT_TRUE(this->belief_.covariance().allFinite());
  EXPECT_TRUE((this->belief_.covariance().diagonal().array() >= 0).all());
}

TYPED_TEST(GaussianBelief, RefusedStepsLeaveEveryBitAsItWas) {
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

TYPED_TEST(GaussianBelief, ProcessNoiseFoldedEachStepIsTheDenseFormula) {
  for (int t = 0; t < 50; ++t) {
    this->belief_.add_process_noise(static_cast<typename TypeParam::Scalar>(0.01));
    this->reference_.add_process_noise(0.01);
    this->learn();
  }
  this->expect_equal_to_reference();
}

TYPED_TEST(GaussianBelief, ForgettingFoldedEachStepIsTheDenseFormula) {
  for (int t = 0; t < 50; ++t) {
    this->belief_.forget(static_cast<typename TypeParam::Scalar>(0.9));
    this->reference_.forget(0.9);
    this->learn();
  }
  this->expect_equal_to_reference();
}

TYPED_TEST(GaussianBelief, ForgettingReturnsToThePriorAndNotBeyond) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 50; ++t) this->learn();
  Vector<T> scratch;
  for (int t = 0; t < 2000; ++t) {
    this->belief_.forget(T(0.99));
    this->belief_.fold();
    const Vector<T> g = this->direction();
    const T prior = (g.array().square() * this->variances_.array()).sum();
    ASSERT_LE(this->belief_.variance(g, scratch), prior * (1 + T(this->kTolerance)));
  }
  // What is left of the evidence: 0.99²⁰⁰⁰ of at most 10⁴.
  EXPECT_LT((this->belief_.covariance().diagonal() - this->variances_).norm(),
            10 * this->kTolerance + 2e-5);
}

TYPED_TEST(GaussianBelief, NoNoiseAndNoForgettingChangeNothing) {
  this->learn();
  const std::string before = this->bytes_of(this->belief_);
  this->belief_.add_process_noise(0);
  this->belief_.forget(1);
  this->belief_.fold();
  EXPECT_EQ(this->bytes_of(this->belief_), before);
}

TYPED_TEST(GaussianBelief, SavedAndLoadedLearnsTheSameBits) {
  using T = typename TypeParam::Scalar;
  for (int t = 0; t < 10; ++t) {
    this->learn();
    this->belief_.forget(T(0.99));
  }
  auto loaded = TypeParam::make(Vector<T>::Zero(kDim), Vector<T>::Ones(kDim));
  ArchiveReader in(this->bytes_of(this->belief_), "memory");
  loaded.load(in);
  in.expect_end();
  for (int t = 0; t < 10; ++t) {
    const Vector<T> g = this->direction();
    for (Belief<T>* belief :
         {static_cast<Belief<T>*>(&this->belief_), static_cast<Belief<T>*>(&loaded)}) {
      belief->update(g, {1, 2});
      belief->forget(T(0.9));
      belief->add_process_noise(T(0.01));
    }
  }
  EXPECT_EQ(this->bytes_of(loaded), this->bytes_of(this->belief_));
}

TYPED_TEST(GaussianBelief, CloneLearnsTheSameBitsAndIsItsOwn) {
  using T = typename TypeParam::Scalar;
  this->learn();
  const auto clone = this->belief_.clone();
  const std::string before = this->bytes_of(*clone);
  const Vector<T> g = this->direction();
  this->belief_.update(g, {1, 1});
  EXPECT_EQ(this->bytes_of(*clone), before);
  clone->update(g, {1, 1});
  EXPECT_EQ(this->bytes_of(*clone), this->bytes_of(this->belief_));
}

TYPED_TEST(GaussianBelief, BytesAreThoseOfTheMeanAndTheCovariance) {
  Index values = kDim;
  if constexpr (requires { TypeParam::covariance_values(); }) {
    values += TypeParam::covariance_values();
  } else {
    for (const Index size : TypeParam::blocks()) values += size * size;
  }
  EXPECT_EQ(this->belief_.bytes(),
            static_cast<std::size_t>(values) * sizeof(typename TypeParam::Scalar));
  EXPECT_EQ(TypeParam::bytes_needed(), static_cast<double>(this->belief_.bytes()));
}

TYPED_TEST(GaussianBelief, WrongSizesAndValuesAreErrors) {
  using T = typename TypeParam::Scalar;
  Vector<T> scratch, sample(kDim - 1);
  EXPECT_THROW(this->belief_.update(Vector<T>::Zero(kDim + 1), {1, 1}), Error);
  EXPECT_THROW(this->belief_.variance(Vector<T>::Zero(kDim - 1), scratch), Error);
  EXPECT_THROW(this->belief_.sample(this->random_, 1, scratch, sample), Error);
  EXPECT_THROW(this->belief_.add_process_noise(-1), Error);
  EXPECT_THROW(this->belief_.forget(0), Error);
  EXPECT_THROW(this->belief_.forget(T(1.5)), Error);
  EXPECT_THROW(TypeParam::make(Vector<T>::Zero(kDim), Vector<T>::Zero(kDim)), Error);
  EXPECT_THROW(TypeParam::make(Vector<T>::Zero(kDim), -Vector<T>::Ones(kDim)), Error);
  EXPECT_THROW(TypeParam::make(Vector<T>::Zero(kDim - 1), Vector<T>::Ones(kDim)), Error);
}

}  // namespace
}  // namespace bandolier::conformance_test
