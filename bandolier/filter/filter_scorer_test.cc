// Filters with predictors behind them, through what they say of a context.
#include "bandolier/filter/filter_scorer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/belief/normal_inverse_gamma.h"
#include "bandolier/filter/test_contexts.h"
#include "bandolier/filter/test_filters.h"

namespace bandolier::filter_scorer_test {
namespace {

using testing::context_of;
using testing::kActions;
using testing::kFeatures;
using testing::make_heads;
using testing::normals;

Filter<float> make_filter(const Predictor& predictor, float prior_variance,
                          const InverseGamma& noise, bool joint = false) {
  FilterOptions options;
  options.noise = noise;
  return {ParameterBelief<float>(predictor.layout(), predictor.head_means(), prior_variance,
                                 {{}, {}, joint}),
          options};
}

struct Scores {
  std::vector<float> mean, deviation;
};

Scores scores_of(const Predictor& predictor, const Filter<float>& filter, PredictorScratch& bound,
                 double unit = 1) {
  ScorerScratch draw;
  FilterScorer scorer(predictor, filter, unit, bound, draw);
  Scores scores{std::vector<float>(kActions), std::vector<float>(kActions)};
  scorer.mean(scores.mean);
  scorer.deviation(scores.deviation);
  return scores;
}

// Without a body and with one action pulled it is exact regression.
TEST(FilterScorer, OfALinearModelIsNormalInverseGammaRegressionTo1e4) {
  const auto predictor = make_heads("linear", Encoding::kMultiHead, {});
  Filter<float> filter = make_filter(*predictor, 4, {6, 6});
  NormalInverseGamma<float> exact(GaussianFull<float>(kFeatures + 1, 4), InverseGamma{6, 6});
  PredictorScratch bound = predictor->make_scratch();
  ParameterScratch<float> scratch;
  BeliefScratch<float> exact_scratch;
  Vector<float> work, with_one(kFeatures + 1);
  Random random({.seed = 4});
  constexpr Index kAction = 1;
  for (std::uint64_t t = 0; t < 200; ++t) {
    const Vector<float> x = normals(kFeatures, 100 + t);
    const float reward = x[kAction] + 0.1f * static_cast<float>(random.normal());
    predictor->bind(context_of(x), bound);
    with_one << x, 1;
    const double expected = exact.log_predictive(exact.predict(with_one, work), reward);
    const auto step = testing::learn(filter, *predictor, kAction, reward, bound, scratch);
    EXPECT_NEAR(step.log_predictive, expected, 1e-3);
    exact.update(with_one, reward, exact_scratch);
    const auto prediction = exact.predict(with_one, work);
    const Scores scores = scores_of(*predictor, filter, bound);
    EXPECT_NEAR(scores.mean[kAction], prediction.mean, 1e-4f);
    EXPECT_NEAR(scores.deviation[kAction],
                std::sqrt(static_cast<float>(exact.noise_variance()) * prediction.q), 1e-4f);
  }
}

// Over a body that is fixed, a network's, and one whose belief knows no bound.
TEST(FilterScorer, AContestIsWonByTheHighestScoreOfTheSampleBitForBit) {
  for (const BodyKind body : {BodyKind::kNone, BodyKind::kSubspace}) {
    for (const BeliefKind kind : {BeliefKind::kFull, BeliefKind::kDiagonal}) {
      const auto predictor =
          make_heads("mlp:20", Encoding::kMultiHead, {true, BasisKind::kGaussian, 4, body});
      FilterOptions options;
      options.noise = InverseGamma{3, 0.3};
      Filter<float> filter{ParameterBelief<float>(predictor->layout(), predictor->head_means(),
                                                  0.5f, {{}, {kind, 1, {}}, false}),
                           options};
      PredictorScratch bound = predictor->make_scratch();
      ParameterScratch<float> update;
      ScorerScratch draw;
      int spared = 0;
      for (std::uint64_t t = 0; t < 400; ++t) {
        const Vector<float> x = normals(kFeatures, 700 + t);
        std::vector<std::uint8_t> available = {1, 1, static_cast<std::uint8_t>(t % 2)};
        Context context = context_of(x);
        context.available = available;
        predictor->bind(context, bound);
        const std::vector<float> temperature = {1, 0.2f, 0.5f}, bonus = {0, 0.1f, 0.02f};
        std::vector<float> all(kActions), some(kActions);
        Random random({.seed = t}), same = random;
        FilterScorer scorer(*predictor, filter, 2, bound, draw);
        scorer.sample(random, temperature, all);
        scorer.contest(same, temperature, bonus, context, some);
        EXPECT_EQ(random(), same());
        std::size_t winner = 0;
        for (std::size_t a = 0; a < all.size(); ++a) {
          all[a] += bonus[a];
          if (available[a] != 0 && all[a] > all[winner]) winner = a;
        }
        for (std::size_t a = 0; a < all.size(); ++a) {
          if (a == winner) {
            EXPECT_EQ(some[a], all[a]);
          }
          if (a != winner && available[a] != 0) {
            EXPECT_LT(some[a], all[winner]);
            EXPECT_GE(some[a], all[a]);
            spared += some[a] != all[a];
          }
        }
        const auto action = static_cast<Index>(t % kActions);
        testing::learn(filter, *predictor, action, x[action], bound, update);
      }
      EXPECT_GT(spared, 40);
    }
  }
}

class FilterScorerOfABody : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(ApartAndJoint, FilterScorerOfABody, ::testing::Bool());

// Body and head as one dense Kalman filter in double; apart: keeping the diagonal blocks.
TEST_P(FilterScorerOfABody, AgreesWithADenseKalmanFilter) {
  const auto predictor = make_heads("mlp:5", Encoding::kConcat, {true, BasisKind::kGaussian, 4});
  const Index d = predictor->layout().body, h = predictor->layout().features;
  Filter<float> filter = make_filter(*predictor, 0.5f, {6, 6}, GetParam());
  Matrix<double> p = 0.5 * Matrix<double>::Identity(d + h, d + h);
  Vector<double> mean = Vector<double>::Zero(d + h);
  mean.tail(h) = predictor->head_means().row(0).transpose().cast<double>();
  PredictorScratch bound = predictor->make_scratch();
  ParameterScratch<float> scratch;
  Vector<float> phi(h), gradient(d);
  for (std::uint64_t t = 0; t < 60; ++t) {
    const Vector<float> x = normals(kFeatures, 300 + t);
    const auto action = static_cast<Index>(t % kActions);
    const float reward = std::abs(x[0]);
    predictor->bind(context_of(x), bound);
    const Vector<float> z = mean.head(d).cast<float>(), w = mean.tail(h).cast<float>();
    const float eta = predictor->linearise_at(z, w, action, bound, gradient, phi);
    Vector<double> g(d + h);
    g << gradient.cast<double>(), phi.cast<double>();
    const Vector<double> pg = p * g;
    const double s = 1 + g.dot(pg);
    mean += pg * static_cast<double>(reward - eta) / s;
    p -= pg * pg.transpose() / s;
    if (!GetParam()) {
      p.topRightCorner(d, h).setZero();
      p.bottomLeftCorner(h, d).setZero();
    }
    testing::learn(filter, *predictor, action, reward, bound, scratch);
    const Scores scores = scores_of(*predictor, filter, bound);
    predictor->evaluate(mean.head(d).cast<float>(), bound);
    const float expected = bound.phi.row(action).dot(mean.tail(h).cast<float>());
    EXPECT_NEAR(scores.mean[static_cast<std::size_t>(action)], expected, 2e-3f) << t;
  }
  EXPECT_LT((filter.belief().covariance().cast<double>() - p).norm(), 1e-3 * p.norm());
}

// Deviations of samples at temperature 1 and, per action, at others.
void expect_told_deviations(const Predictor& predictor, const Filter<float>& filter,
                            PredictorScratch& bound, const std::vector<float>& temperature) {
  constexpr double kUnit = 8;
  constexpr int kSamples = 4000;
  const Scores told = scores_of(predictor, filter, bound, kUnit);
  ScorerScratch draw;
  FilterScorer scorer(predictor, filter, kUnit, bound, draw);
  std::vector<float> sample(kActions);
  Random random({.seed = 8});
  Vector<float> sum = Vector<float>::Zero(kActions), squares = sum;
  for (int i = 0; i < kSamples; ++i) {
    scorer.sample(random, temperature, sample);
    for (std::size_t a = 0; a < kActions; ++a) {
      const float off = sample[a] - told.mean[a];
      sum[static_cast<Index>(a)] += off / kSamples;
      squares[static_cast<Index>(a)] += off * off / kSamples;
    }
  }
  for (std::size_t a = 0; a < kActions; ++a) {
    const float expected = temperature[a] * told.deviation[a];
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(sum[static_cast<Index>(a)], 0, 0.1f * expected);
    EXPECT_NEAR(std::sqrt(squares[static_cast<Index>(a)]), expected, 0.1f * expected);
  }
}

Filter<float> learnt(const Predictor& predictor, PredictorScratch& bound, bool joint) {
  Filter<float> filter = make_filter(predictor, 0.01f, {1000, 999}, joint);
  ParameterScratch<float> scratch;
  for (std::uint64_t t = 0; t < 30; ++t) {
    predictor.bind(context_of(normals(kFeatures, 700 + t)), bound);
    testing::learn(filter, predictor, static_cast<Index>(t % kActions),
                   0.1f * static_cast<float>(t), bound, scratch);
  }
  return filter;
}

TEST_P(FilterScorerOfABody, SamplesHaveTheDeviationThatIsToldInTheUsersUnit) {
  for (const auto encoding : {Encoding::kMultiHead, Encoding::kConcat}) {
    const auto predictor = make_heads("mlp:5", encoding, {true, BasisKind::kRankOne, 6});
    PredictorScratch bound = predictor->make_scratch();
    const Filter<float> filter = learnt(*predictor, bound, GetParam());
    expect_told_deviations(*predictor, filter, bound, {1, 1, 1});
  }
}

TEST(FilterScorer, SamplesOfANetworkHaveTheDeviationThatIsToldTimesTheActionsTemperature) {
  const auto predictor = testing::make_network("mlp:5", 8);
  PredictorScratch bound = predictor->make_scratch();
  const Filter<float> filter = learnt(*predictor, bound, false);
  expect_told_deviations(*predictor, filter, bound, {1, 1, 1});
  expect_told_deviations(*predictor, filter, bound, {0.5f, 1, 2});
}

// Many samples at once have the mean and deviation that one has, for one head and for none; given
// one draw of the body, which is held all but fixed here.
TEST(FilterScorer, ManySamplesHaveTheMeanAndDeviationOfOne) {
  const auto heads = make_heads("linear", Encoding::kConcat, {});
  const auto network = testing::make_network("mlp:5", 8);
  for (const Predictor* predictor :
       {static_cast<const Predictor*>(heads.get()), static_cast<const Predictor*>(network.get())}) {
    PredictorScratch bound = predictor->make_scratch();
    const Filter<float> filter = learnt(*predictor, bound, false);
    predictor->bind(context_of(normals(kFeatures, 99)), bound);
    ScorerScratch draw;
    FilterScorer scorer(*predictor, filter, 2, bound, draw);
    const Scores told = scores_of(*predictor, filter, bound);
    const std::vector<float> temperature = {0.25f, 0.5f, 1};  // at 2 a network bends
    constexpr Index kMany = 4000;
    Matrix<float> samples(kMany, kActions);
    Random random({.seed = 9});
    scorer.samples(random, temperature, samples);
    Vector<float> mean(kActions);
    scorer.mean({mean.data(), static_cast<std::size_t>(kActions)});
    for (Index a = 0; a < kActions; ++a) {
      const float expected = 2 * temperature[static_cast<std::size_t>(a)] *
                             told.deviation[static_cast<std::size_t>(a)];
      const auto column = samples.col(a).array() - mean[a];
      EXPECT_NEAR(column.mean(), 0, 0.2f * expected);
      EXPECT_NEAR(std::sqrt(column.square().mean()), expected, 0.1f * expected);
    }
  }
}

TEST(FilterScorer, ManySamplesAreOthersEachTimeThatOneStreamIsAsked) {
  const auto predictor = make_heads("linear", Encoding::kConcat, {});
  PredictorScratch bound = predictor->make_scratch();
  const Filter<float> filter = make_filter(*predictor, 0.01f, {1000, 999}, false);
  predictor->bind(context_of(normals(kFeatures, 99)), bound);
  ScorerScratch draw;
  FilterScorer scorer(*predictor, filter, 1, bound, draw);
  Matrix<float> first(8, kActions), second(8, kActions);
  Random random({.seed = 9});
  const std::vector<float> temperature = {1, 1, 1};
  scorer.samples(random, temperature, first);
  scorer.samples(random, temperature, second);
  EXPECT_GT((first - second).array().abs().minCoeff(), 0);
}

TEST(FilterScorer, HeadsOfALinearModelAreSampledAtTheTemperatureOfTheirAction) {
  const auto predictor = make_heads("linear", Encoding::kMultiHead, {});
  PredictorScratch bound = predictor->make_scratch();
  const Filter<float> filter = learnt(*predictor, bound, false);
  expect_told_deviations(*predictor, filter, bound, {0.5f, 1, 2});
}

// σ(η) has the slope 1/4 at η = 0, where a network that is 0 there begins.
TEST(FilterScorer, ABernoulliRewardIsAChanceWithTheDeviationOfItsPredictorTimesTheSlope) {
  const auto predictor = make_heads("linear", Encoding::kMultiHead, {});
  FilterOptions options;
  options.likelihood = Likelihood::bernoulli();
  const Filter<float> filter(
      ParameterBelief<float>(predictor->layout(), predictor->head_means(), 0.04f, {}), options);
  PredictorScratch bound = predictor->make_scratch();
  const Vector<float> x = normals(kFeatures, 1);
  predictor->bind(context_of(x), bound);
  const Scores scores = scores_of(*predictor, filter, bound);
  for (std::size_t a = 0; a < kActions; ++a) {
    EXPECT_FLOAT_EQ(scores.mean[a], 0.5f);
    EXPECT_FLOAT_EQ(scores.deviation[a], 0.25f * 0.2f * std::sqrt(x.squaredNorm() + 1));
  }
}

}  // namespace
}  // namespace bandolier::filter_scorer_test
