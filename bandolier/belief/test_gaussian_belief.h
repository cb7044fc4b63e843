// Every kind of Gaussian belief, in float and in double, beside the dense filter that it is held
// against: for the tests of what all of them promise.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bandolier/belief/gaussian_block.h"
#include "bandolier/belief/gaussian_diagonal.h"
#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/gaussian_split.h"
#include "bandolier/belief/low_rank.h"
#include "bandolier/belief/test_reference_filter.h"

namespace bandolier::testing {

constexpr Index kDim = 9;

template <class T>
struct Full {
  using Scalar = T;
  using Type = GaussianFull<T>;
  static std::vector<Index> blocks() { return {kDim}; }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances, {.fold_every = 1});
  }
};
template <class T>
struct Diagonal {
  using Scalar = T;
  using Type = GaussianDiagonal<T>;
  static std::vector<Index> blocks() { return std::vector<Index>(kDim, 1); }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances);
  }
};
template <class T>
struct Block {
  using Scalar = T;
  using Type = GaussianBlock<T>;
  static std::vector<Index> blocks() { return {4, 1, 4}; }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances, blocks(), {.fold_every = 1});
  }
};
template <class T>
struct Split {
  using Scalar = T;
  using Type = GaussianSplit<T>;
  static std::vector<Index> blocks() { return {5, 1, 1, 1, 1}; }
  static Type make(const Vector<T>& mean, const Vector<T>& variances) {
    return Type(mean, variances, 5, {.fold_every = 1});
  }
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
};

using GaussianKinds =
    ::testing::Types<Full<float>, Full<double>, Diagonal<float>, Diagonal<double>, Block<float>,
                     Block<double>, Split<float>, Split<double>, AllRank<float>, AllRank<double>>;

// A belief of one kind, and the dense filter of the same structure.
template <class Case>
class GaussianBelief : public ::testing::Test {
 protected:
  using Real = typename Case::Scalar;
  using Type = typename Case::Type;
  // The low-rank belief factorises Gram matrices, the others rotate a square root.
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
    const auto innovation = belief_.update(g, observation, scratch_);
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
  BeliefScratch<Real> scratch_;
  Type belief_;
  ReferenceFilter reference_;
};

}  // namespace bandolier::testing
