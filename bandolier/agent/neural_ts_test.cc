#include "bandolier/agent/neural_ts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/core/error.h"
#include "bandolier/model/reward_model.h"
#include "testing/dense.h"

namespace bandolier::neural_ts_test {
namespace {

const ProblemShape kShape{.features = 2, .actions = 3};

std::vector<float> scores(const Agent& agent, const Context& context, std::uint64_t seed) {
  auto scratch = agent.make_scratch();
  Random random({.seed = seed});
  const auto out = agent.choose(context, random, *scratch).scores;
  return {out.begin(), out.end()};
}

struct Trained {
  std::vector<std::vector<float>> contexts;
  std::vector<Experience> experience;
  Trained() {
    Random random({.seed = 3});
    for (Index i = 0; i < 30; ++i) {
      contexts.push_back(
          {static_cast<float>(random.normal()), static_cast<float>(random.normal())});
    }
    for (Index i = 0; i < 30; ++i) {
      const auto& x = contexts[static_cast<std::size_t>(i)];
      experience.push_back(
          {{Features::dense(x), 3, {}, {}}, i % 3, x[0] * static_cast<float>(i % 3)});
    }
  }
  std::unique_ptr<Agent> agent(const std::string& spec) const {
    auto made = make_agent(spec, kShape);
    Random random({.seed = 4, .purpose = Purpose::kWarmUp});
    made->warm_up(experience, random);
    return made;
  }
};

TEST(NeuralTs, DrawsEachActionIndependentlyAroundTheMeanWithTheTangentDeviation) {
  const Trained data;
  const Context context = data.experience[5].context;
  const std::string shared = "model=mlp:5,lambda=0.1,nu=10";
  const auto greedy = scores(*data.agent("neural-ts:policy=greedy," + shared), context, 1);
  const auto bound = scores(*data.agent("neural-ucb:" + shared), context, 1);
  const auto agent = data.agent("neural-ts:" + shared);
  constexpr int kDraws = 4000;
  Matrix<double> draws(kDraws, 3);
  for (int i = 0; i < kDraws; ++i) {
    const auto one = scores(*agent, context, static_cast<std::uint64_t>(i));
    for (std::size_t a = 0; a < 3; ++a) draws(i, static_cast<Index>(a)) = one[a];
  }
  const Vector<double> mean = draws.colwise().mean().transpose();
  draws.rowwise() -= mean.transpose();
  const Matrix<double> covariance = draws.transpose() * draws / kDraws;
  for (Index a = 0; a < 3; ++a) {
    const auto at = static_cast<std::size_t>(a);
    const double sigma = bound[at] - greedy[at];
    EXPECT_GT(sigma, 0);
    EXPECT_NEAR(mean[a], greedy[at], 4 * sigma / std::sqrt(kDraws));
    EXPECT_NEAR(std::sqrt(covariance(a, a)), sigma, 4 * sigma / std::sqrt(2.0 * kDraws));
    for (Index b = 0; b < a; ++b) {
      const double correlation = covariance(a, b) / std::sqrt(covariance(a, a) * covariance(b, b));
      EXPECT_NEAR(correlation, 0, 4 / std::sqrt(kDraws));
    }
  }
}

TEST(NeuralTs, VarianceBeforeAnyRewardIsNuTimesTheSquaredGradient) {
  // U = λI: λ ν gᵀg / λ, whatever λ.
  const Trained data;
  const Context context = data.experience[0].context;
  std::vector<float> sigma[2];
  int i = 0;
  for (const char* lambda : {"0.01", "10"}) {
    const std::string options = std::string("model=mlp:5,nu=0.5,lambda=") + lambda;
    auto bound = make_agent("neural-ucb:" + options, kShape);
    auto mean = make_agent("neural-ucb:policy=greedy," + options, kShape);
    Random one({.seed = 1}), two({.seed = 1});
    bound->warm_up({}, one);
    mean->warm_up({}, two);
    const auto high = scores(*bound, context, 1), middle = scores(*mean, context, 1);
    for (std::size_t a = 0; a < 3; ++a) sigma[i].push_back(high[a] - middle[a]);
    ++i;
  }
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(sigma[0][a], sigma[1][a], 1e-4);
    EXPECT_GT(sigma[0][a], 0.1);
  }
}

// σ_a = √(λν gᵀU⁻¹g), U = λI + Σ g gᵀ over the rewards, from dense gradients in double. The steps
// of training are too small to move the weights, so that all gradients are at the initial ones.
TEST(NeuralTs, DeviationsAreThoseOfTheTangentModelByBruteForce) {
  const Trained data;
  constexpr double kLambda = 0.1, kNu = 0.5;
  const std::string options =
      "model=mlp:5,lambda=0.1,nu=0.5,learning_rate=1e-12,max_steps=1,reward_unit=1,covariance=";
  const RewardModel model("mlp:5", Encoding::kOuter, kShape);
  Random random({.seed = 4, .purpose = Purpose::kWarmUp});
  const auto parameters = model.network().initial_parameters<float>(random);
  ModelScratch<float> scratch;
  const auto gradient = [&](const Context& context, Index action) -> Vector<double> {
    std::vector<float> x(context.features.values.begin(), context.features.values.end());
    VectorMap<float>(x.data(), 2).normalize();
    Vector<float> g(model.parameters());
    model.gradient<float>(parameters, {Features::dense(x), 3, {}, {}}, action, scratch, g);
    return g.cast<double>();
  };
  const Index size = model.parameters();
  Matrix<double> U = kLambda * Matrix<double>::Identity(size, size);
  for (const Experience& one : data.experience) {
    const Vector<double> g = gradient(one.context, one.action);
    U += g * g.transpose();
  }
  const Matrix<double> inverse = testing::inverse(U);
  const Context probe = data.experience[7].context;
  for (const std::string covariance : {"full", "diag"}) {
    const auto bound = scores(*data.agent("neural-ucb:" + options + covariance), probe, 1);
    const auto mean =
        scores(*data.agent("neural-ucb:policy=greedy," + options + covariance), probe, 1);
    for (Index a = 0; a < 3; ++a) {
      const Vector<double> g = gradient(probe, a);
      const double form = covariance == "full" ? g.dot(inverse * g)
                                               : (g.array().square() / U.diagonal().array()).sum();
      const auto at = static_cast<std::size_t>(a);
      EXPECT_NEAR(bound[at] - mean[at], std::sqrt(kLambda * kNu * form), 1e-4) << covariance;
    }
  }
}

TEST(NeuralTs, FullCovarianceIsNeverWiderThanTheDiagonalAtTheFirstFeature) {
  // After one reward of feature g: full λ/(λ + ‖g‖²)·‖g‖², diagonal Σ λ gᵢ²/(λ + gᵢ²).
  const Trained data;
  const Experience first = data.experience[0];
  const auto deviation = [&](const std::string& covariance) {
    const std::string options =
        "model=mlp:5,nu=1,lambda=0.1,learning_rate=1e-9,covariance=" + covariance;
    std::vector<float> out;
    for (const char* policy : {"ucb", "greedy"}) {
      auto agent = make_agent(std::string("neural-ucb:policy=") + policy + "," + options, kShape);
      Random random({.seed = 5});
      agent->warm_up({&first, 1}, random);
      out.push_back(scores(*agent, first.context, 1)[0]);
    }
    return static_cast<double>(out[0] - out[1]);
  };
  const double full = deviation("full"), diag = deviation("diag");
  EXPECT_LT(full, diag);
  EXPECT_LT(full, std::sqrt(0.1));  // λ‖g‖²/(λ + ‖g‖²) < λ
}

TEST(NeuralTs, LearnsWithFullBatchesAndWithEveryEncoding) {
  const Trained data;
  for (const char* options : {"batch_size=0,max_steps=100,learning_rate=0.1", "encoding=concat",
                              "encoding=multi-head", "covariance=full,model=mlp:10", "memory=10"}) {
    const auto agent = data.agent(std::string("neural-ts:") + options);
    EXPECT_EQ(agent->report().steps, 30);
    EXPECT_TRUE(agent->report().notes.empty());
  }
}

TEST(NeuralTs, RefusesZeroEpochsAndAFullMatrixThatIsTooLarge) {
  EXPECT_THROW(make_agent("neural-ts:epochs=0", kShape), Error);
  EXPECT_THROW(make_agent("neural-ts:covariance=full", {.features = 54, .actions = 7}), Error);
  EXPECT_THROW(make_agent("neural-ts:memory=0", kShape), Error);
}

}  // namespace
}  // namespace bandolier::neural_ts_test
