#include "bandolier/belief/likelihood.h"

#include <gtest/gtest.h>

#include <numbers>

#include "bandolier/belief/gaussian_full.h"
#include "testing/golden.h"

namespace bandolier::likelihood_test {
namespace {

using testing::to_matrix;
using testing::to_vector;

struct Moments {
  Vector<double> mean;
  Matrix<double> covariance;
};

template <class T>
Moments filtered(const nlohmann::json& golden, const Likelihood& likelihood) {
  const Matrix<T> x = to_matrix<T>(golden["x"]);
  const Vector<T> y = to_vector<T>(golden["y"]);
  GaussianFull<T> belief(x.cols(), golden["prior_variance"].get<T>());
  for (Index t = 0; t < x.rows(); ++t) {
    const Vector<T> g = x.row(t).transpose();
    belief.update(g, likelihood.observe<T>(g.dot(belief.mean()), y[t]));
  }
  return {belief.mean().template cast<double>(), belief.covariance().template cast<double>()};
}

void expect_golden(const nlohmann::json& golden, const Likelihood& likelihood,
                   double distance_to_exact) {
  const Vector<double> mean = to_vector<double>(golden["filter"]["mean"]);
  const Matrix<double> covariance = to_matrix<double>(golden["filter"]["covariance"]);
  const Moments wide = filtered<double>(golden, likelihood);
  EXPECT_LT((wide.mean - mean).norm(), 1e-6);
  EXPECT_LT((wide.covariance - covariance).norm(), 1e-6);
  const Moments narrow = filtered<float>(golden, likelihood);
  EXPECT_LT((narrow.mean - mean).norm(), 1e-3);
  EXPECT_LT((narrow.covariance - covariance).norm(), 1e-3);
  // The filter is an approximation: how far its mean lies from the exact posterior's, in exact
  // posterior standard deviations of the coordinate that is furthest off.
  const Vector<double> exact = to_vector<double>(golden["exact"]["mean"]);
  const Matrix<double> exact_covariance = to_matrix<double>(golden["exact"]["covariance"]);
  const double distance =
      ((wide.mean - exact).array().abs() / exact_covariance.diagonal().array().sqrt()).maxCoeff();
  EXPECT_NEAR(distance, distance_to_exact, 0.01);
}

TEST(Likelihood, BernoulliFilterMatchesGoldenTo1em6AndTheExactPosteriorToATenthOfADeviation) {
  const auto golden = testing::golden("bernoulli");
  expect_golden(golden, Likelihood::bernoulli(), 0.1);
}

TEST(Likelihood, PoissonFilterMatchesGoldenTo1em6AndTheExactPosteriorTo1Point2Deviations) {
  const auto golden = testing::golden("poisson");
  expect_golden(golden, Likelihood::poisson(), 1.17);
}

// Posterior moments of one weight by the trapezoidal rule.
std::pair<double, double> grid_posterior(const Likelihood& likelihood, double mean, double variance,
                                         double reward) {
  double total = 0, first = 0, second = 0;
  const double deviation = std::sqrt(variance);
  for (int i = -4000; i <= 4000; ++i) {
    const double x = i / 500.0, w = mean + deviation * x;
    const double p = std::exp(likelihood.log_density(w, reward) - 0.5 * x * x);
    total += p;
    first += p * w;
    second += p * w * w;
  }
  const double m = first / total;
  return {m, second / total - m * m};
}

TEST(Likelihood, NarrowPriorsGiveTheGridPosteriorOfBernoulliAndPoisson) {
  for (const auto& likelihood : {Likelihood::bernoulli(), Likelihood::poisson()}) {
    for (const double mean : {-1.5, 0.0, 1.0}) {
      for (const double reward : {0.0, 1.0}) {
        constexpr double kVariance = 0.01;
        GaussianFull<double> belief(Vector<double>::Constant(1, mean),
                                    Vector<double>::Constant(1, kVariance));
        belief.update(Vector<double>::Ones(1), likelihood.observe(mean, reward));
        const auto [exact_mean, exact_variance] =
            grid_posterior(likelihood, mean, kVariance, reward);
        EXPECT_NEAR(belief.mean()[0], exact_mean, 3e-4);
        EXPECT_NEAR(belief.covariance()(0, 0) / exact_variance, 1, 0.02);
      }
    }
  }
}

TEST(Likelihood, WidePriorsAreFarFromTheGridPosterior) {
  // N(3, 4), one failure: the filter answers −0.23 where the posterior mean is 0.60.
  const auto likelihood = Likelihood::bernoulli();
  GaussianFull<double> belief(Vector<double>::Constant(1, 3), Vector<double>::Constant(1, 4));
  belief.update(Vector<double>::Ones(1), likelihood.observe(3.0, 0.0));
  EXPECT_NEAR(belief.mean()[0], -0.23, 0.01);
  EXPECT_NEAR(grid_posterior(likelihood, 3, 4, 0).first, 0.60, 0.01);
}

TEST(Likelihood, SlopeAndCurvatureAreDerivativesOfTheLogDensity) {
  constexpr double kStep = 1e-4;
  for (const auto& likelihood :
       {Likelihood::gaussian(0.3), Likelihood::bernoulli(), Likelihood::poisson()}) {
    for (const double eta : {-2.0, -0.1, 0.7, 3.0}) {
      const double up = likelihood.log_density(eta + kStep, 1),
                   down = likelihood.log_density(eta - kStep, 1),
                   here = likelihood.log_density(eta, 1);
      const auto observation = likelihood.observe(eta, 1.0);
      EXPECT_NEAR(observation.slope, (up - down) / (2 * kStep), 1e-6);
      // In a canonical family the expected and the observed information are the same.
      EXPECT_NEAR(observation.curvature, -(up - 2 * here + down) / (kStep * kStep), 1e-5);
    }
  }
}

TEST(Likelihood, ResponseIsTheMeanReward) {
  EXPECT_EQ(Likelihood::gaussian(2).response(-1.5), -1.5);
  EXPECT_DOUBLE_EQ(Likelihood::bernoulli().response(std::log(3)), 0.75);
  EXPECT_DOUBLE_EQ(Likelihood::poisson().response(std::log(3)), 3);
}

TEST(Likelihood, SlopeIsTheDerivativeOfTheResponse) {
  constexpr double kStep = 1e-5;
  for (const auto& likelihood :
       {Likelihood::gaussian(0.3), Likelihood::bernoulli(), Likelihood::poisson()}) {
    for (const double eta : {-2.0, -0.1, 0.7, 3.0}) {
      const double up = likelihood.response(eta + kStep), down = likelihood.response(eta - kStep);
      EXPECT_NEAR(likelihood.slope(eta), (up - down) / (2 * kStep), 1e-8);
    }
  }
}

// Var y = E Var(y|η) + Var E(y|η), by the trapezoidal rule over η ~ N(mean, q).
TEST(Likelihood, VarianceOfARewardIsThatOfItsMixtureForGaussianAndForNarrowBeliefs) {
  for (const auto& likelihood :
       {Likelihood::gaussian(0.3), Likelihood::bernoulli(), Likelihood::poisson()}) {
    const bool exact = likelihood.family() == Likelihood::Family::kGaussian;
    const double mean = 0.4, q = exact ? 2.0 : 1e-3, noise = exact ? 0.3 : 1;
    double total = 0, within = 0, first = 0, second = 0;
    for (int i = -4000; i <= 4000; ++i) {
      const double x = i / 500.0, eta = mean + std::sqrt(q) * x, p = std::exp(-0.5 * x * x);
      total += p;
      within += p * noise * (exact ? 1 : likelihood.slope(eta));
      first += p * likelihood.response(eta);
      second += p * likelihood.response(eta) * likelihood.response(eta);
    }
    const double average = first / total;
    const double expected = within / total + second / total - average * average;
    EXPECT_NEAR(likelihood.reward_variance(mean, q) / expected, 1, exact ? 1e-9 : 1e-3);
  }
}

TEST(Likelihood, SaturationStaysFinite) {
  for (const float eta : {-1000.0f, -100.0f, 100.0f, 1000.0f}) {
    const auto observation = Likelihood::bernoulli().observe(eta, 1.0f);
    EXPECT_NEAR(observation.slope, eta > 0 ? 0 : 1, 1e-6);
    EXPECT_NEAR(observation.curvature, 0, 1e-6);
    EXPECT_TRUE(std::isfinite(Likelihood::bernoulli().log_density(eta, 1)));
  }
}

TEST(Likelihood, PoissonThatOverflowsIsRefusedByABelief) {
  GaussianFull<float> belief(1, 1);
  const auto observation = Likelihood::poisson().observe(500.0f, 3.0f);
  EXPECT_FALSE(belief.update(Vector<float>::Ones(1), observation).accepted);
  EXPECT_EQ(belief.mean()[0], 0);
}

TEST(Likelihood, LogPredictiveIsTheIntegralOverThePredictor) {
  EXPECT_NEAR(Likelihood::gaussian(0.5).log_predictive(1, 1.5, 2),
              -0.5 * (std::log(2 * std::numbers::pi * 2) + 1 / 2.0), 1e-14);
  // The chances of all rewards sum to 1, and no variance gives the plug-in density.
  for (const double q : {0.1, 2.0, 30.0}) {
    const auto bernoulli = Likelihood::bernoulli();
    EXPECT_NEAR(std::exp(bernoulli.log_predictive(1.2, q, 0)) +
                    std::exp(bernoulli.log_predictive(1.2, q, 1)),
                1, 1e-9);
    EXPECT_NEAR(std::exp(bernoulli.log_predictive(0, q, 1)), 0.5, 1e-9);
  }
  double total = 0;
  for (int n = 0; n < 400; ++n) total += std::exp(Likelihood::poisson().log_predictive(1, 0.3, n));
  EXPECT_NEAR(total, 1, 1e-9);
  EXPECT_NEAR(Likelihood::poisson().log_predictive(0.4, 0, 2),
              Likelihood::poisson().log_density(0.4, 2), 1e-12);
}

TEST(Likelihood, RewardsThatItCannotExplainAreErrorsThatNameThem) {
  const auto message = [](const Likelihood& likelihood, double reward) -> std::string {
    try {
      likelihood.check(reward);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(Likelihood::bernoulli(), 3),
            "reward is 3: likelihood=bernoulli explains 0 and 1 only; use likelihood=gaussian");
  EXPECT_NE(message(Likelihood::poisson(), -1), "");
  EXPECT_NE(message(Likelihood::poisson(), 1.5), "");
  EXPECT_NE(message(Likelihood::gaussian(1), std::nan("")), "");
  EXPECT_EQ(message(Likelihood::bernoulli(), 1), "");
  EXPECT_EQ(message(Likelihood::poisson(), 12), "");
  EXPECT_EQ(message(Likelihood::gaussian(1), -1e6), "");
}

TEST(Likelihood, IsMadeByItsFamilyWithANoiseVarianceForGaussianAlone) {
  for (const std::string word : {"gaussian", "bernoulli", "poisson"}) {
    const auto family = parse_word<Likelihood::Family>("likelihood", word);
    EXPECT_EQ(Likelihood::make(family).family(), family);
    EXPECT_EQ(to_word(family), word);
  }
  // φ = 4 for gaussian, 1 for the others: the curvature at η = 0 is A″(0)/φ.
  EXPECT_EQ(Likelihood::make(Likelihood::Family::kGaussian, 4).observe(0.0, 1.0).curvature, 0.25);
  EXPECT_EQ(Likelihood::make(Likelihood::Family::kPoisson, 4).observe(0.0, 1.0).curvature, 1);
  EXPECT_THROW(Likelihood::make(Likelihood::Family::kGaussian, 0), Error);
  EXPECT_THROW(Likelihood::gaussian(-1), Error);
}

}  // namespace
}  // namespace bandolier::likelihood_test
