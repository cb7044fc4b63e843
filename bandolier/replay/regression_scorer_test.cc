#include "bandolier/replay/regression_scorer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::regression_scorer_test {
namespace {

constexpr Index kDim = 4;
constexpr int kSamples = 200000;

std::vector<NormalInverseGamma<float>> trained_regressions() {
  std::vector<NormalInverseGamma<float>> regressions(
      2, NormalInverseGamma<float>(GaussianFull<float>(kDim, 4), {6, 6}));
  Random random({.seed = 2});
  Vector<float> x(kDim);
  BeliefScratch<float> scratch;
  for (int i = 0; i < 12; ++i) {
    random.fill_normal(x);
    regressions[static_cast<std::size_t>(i % 2)].update(x, x[0] - x[1], scratch);
  }
  return regressions;
}

struct Moments {
  double mean = 0, variance = 0, fourth = 0, correlation = 0;
};

// Of the first of two scores, and its correlation with the second.
template <class Draw>
Moments moments_of(Draw&& draw) {
  std::vector<double> first(kSamples), second(kSamples);
  double mean[2] = {};
  for (std::size_t i = 0; i < kSamples; ++i) {
    const auto [a, b] = draw();
    first[i] = a;
    second[i] = b;
    mean[0] += a / kSamples;
    mean[1] += b / kSamples;
  }
  Moments out;
  out.mean = mean[0];
  double squares = 0, products = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double a = first[i] - mean[0], b = second[i] - mean[1];
    out.variance += a * a / kSamples;
    squares += b * b / kSamples;
    products += a * b / kSamples;
    out.fourth += a * a * a * a / kSamples;
  }
  out.correlation = products / std::sqrt(out.variance * squares);
  return out;
}

TEST(RegressionScorer, SampledScoresAreDistributedAsThoseOfSampledWeights) {
  const auto regressions = trained_regressions();
  const Vector<float> x = Vector<float>::LinSpaced(kDim, -1, 2);
  Vector<float> work, noise, weights(kDim);
  RegressionScorer scorer(regressions, x, work);
  Random random({.seed = 3});
  const std::vector<float> temperature = {0.5f, 1};
  std::vector<float> scores(2);

  const Moments cheap = moments_of([&] {
    scorer.sample(random, temperature, scores);
    return std::pair<double, double>(scores[0], scores[1]);
  });
  const Moments plain = moments_of([&] {
    double drawn[2];
    for (std::size_t a = 0; a < 2; ++a) {
      regressions[a].sample(random, temperature[a], noise, weights);
      drawn[a] = static_cast<double>(x.dot(weights));
    }
    return std::pair<double, double>(drawn[0], drawn[1]);
  });
  EXPECT_NEAR(cheap.mean, plain.mean, 0.01 * std::sqrt(plain.variance));
  EXPECT_NEAR(cheap.variance / plain.variance, 1, 0.03);
  EXPECT_NEAR(cheap.fourth / plain.fourth, 1, 0.15);  // Student-t tails: kurtosis above 3
  EXPECT_NEAR(cheap.correlation, 0, 0.012);
}

TEST(RegressionScorer, DeviationIsThatOfTheSamples) {
  const auto regressions = trained_regressions();
  const Vector<float> x = Vector<float>::LinSpaced(kDim, -1, 2);
  Vector<float> work;
  RegressionScorer scorer(regressions, x, work);
  Random random({.seed = 4});
  const std::vector<float> temperature = {1, 1};
  std::vector<float> scores(2), deviation(2), mean(2);
  scorer.deviation(deviation);
  scorer.mean(mean);
  const Moments drawn = moments_of([&] {
    scorer.sample(random, temperature, scores);
    return std::pair<double, double>(scores[0], scores[1]);
  });
  EXPECT_NEAR(static_cast<double>(deviation[0]) / std::sqrt(drawn.variance), 1, 0.02);
  EXPECT_NEAR(static_cast<double>(mean[0]), drawn.mean, 0.01 * std::sqrt(drawn.variance));
}

}  // namespace
}  // namespace bandolier::regression_scorer_test
