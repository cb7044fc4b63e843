// LiM2 against plain formulas in double: what a saved agent holds after a reward, computed from
// what it held before.
#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/agent/lim2.h"
#include "bandolier/nn/network.h"
#include "testing/dense.h"

namespace bandolier::lim2_reference_test {
namespace {

constexpr Index kFeatures = 3, kActions = 2, kWidth = 4, kDim = kWidth + 1, kRows = 12;
const ProblemShape kShape{.features = kFeatures, .actions = kActions};
constexpr double kFloor = 1e-5;

// All rows fit into the memory and into a minibatch, so that nothing is drawn; the noise's prior is
// that of the defaults.
const std::string kSpec = "lim2:model=mlp:4,lambda=0.5,pgd_rate=0.02,learning_rate=0.05";

struct Data {
  Matrix<float> x = Matrix<float>(kRows + 1, kFeatures);
  Data() {
    Random random({.seed = 6});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
  }
  Context context(Index t) const {
    return {Features::dense({x.data() + kFeatures * t, kFeatures}), kActions, {}, {}};
  }
  Index action(Index t) const { return t % 3 == 0 ? 1 : 0; }
  float reward(Index t) const { return x(t, action(t)) - 0.5f; }
  // Features (φ, 1) of an action's first `rows` rows, and their rewards.
  void select(const Vector<float>& parameters, Index of, Index rows, Matrix<double>& features,
              Vector<double>& rewards) const {
    const Network network = Network::parse("mlp:4", kFeatures, kActions);
    NetworkScratch<float> pass;
    network.forward<float>(parameters, x.topRows(rows), pass);
    features.resize(0, kDim);
    rewards.resize(0);
    for (Index t = 0; t < rows; ++t) {
      if (action(t) != of) continue;
      features.conservativeResize(features.rows() + 1, kDim);
      rewards.conservativeResize(features.rows());
      features.row(features.rows() - 1) << pass.activations[2].row(t).cast<double>(), 1;
      rewards[features.rows() - 1] = static_cast<double>(reward(t));
    }
  }
};

// What a saved agent holds.
struct State {
  Vector<float> parameters;
  std::vector<Matrix<double>> covariances;

  explicit State(const Agent& agent) {
    const auto in = ArchiveReader(save_agent(agent), "saved").section("agent").section("state");
    parameters = in.read_vector<float>("parameters");
    for (std::size_t a = 0; a < kActions; ++a) {
      covariances.push_back(in.section("covariance", a).read_matrix<double>("values"));
    }
  }
};

std::unique_ptr<Agent> taught(const std::string& spec, const Data& data, Index rows) {
  auto agent = make_agent(spec, kShape);
  Random random({.seed = 8});
  agent->warm_up({}, random);
  const auto scratch = agent->make_scratch();
  for (Index t = 0; t < rows; ++t) {
    Random observe({.seed = 7, .step = static_cast<std::uint32_t>(t)});
    agent->observe({data.context(t), data.action(t), data.reward(t)}, observe, *scratch);
  }
  return agent;
}

// A ← A − min(η/t, 1/(2Σ‖φ‖⁴)) · 2 Σ (φᵀAφ − φ_oldᵀAφ_old) φ φᵀ, of the action's rows.
TEST(Lim2Reference, AStepMovesThePriorCovariancesByTheGradientOfTheMatchedVariances) {
  const Data data;
  const State before(*taught(kSpec, data, kRows - 1)), after(*taught(kSpec, data, kRows));
  EXPECT_GT((after.parameters - before.parameters).norm(), 1e-3f);
  for (Index action = 0; action < kActions; ++action) {
    const auto a = static_cast<std::size_t>(action);
    Matrix<double> old, now;
    Vector<double> rewards;
    data.select(before.parameters, action, kRows, old, rewards);
    data.select(after.parameters, action, kRows, now, rewards);
    Matrix<double> expected = before.covariances[a];
    Matrix<double> slope = Matrix<double>::Zero(kDim, kDim);
    double fourths = 0;
    for (Index i = 0; i < now.rows(); ++i) {
      const Vector<double> phi = now.row(i).transpose(), was = old.row(i).transpose();
      const double error = phi.dot(expected * phi) - was.dot(expected * was);
      slope += 2 * error * phi * phi.transpose();
      fourths += std::pow(phi.squaredNorm(), 2);
    }
    expected -= std::min(0.02 / kRows, 1 / (2 * fourths)) * slope;
    ASSERT_GT(testing::symmetric_eigen(expected).values.minCoeff(), kFloor);  // nothing to project
    const double moved = (expected - before.covariances[a]).cwiseAbs().maxCoeff();
    EXPECT_GT(moved, 1e-6);
    EXPECT_LT((after.covariances[a] - expected).cwiseAbs().maxCoeff(), 1e-4 * moved) << action;
  }
}

TEST(Lim2Reference, BeforeAnyRewardThePriorCovarianceIsTheIdentityOverLambda) {
  const State state(*taught(kSpec, {}, 0));
  for (const auto& covariance : state.covariances) {
    EXPECT_EQ(covariance, (2 * Matrix<double>::Identity(kDim, kDim)).eval());
  }
}

// Prior mean: the network's last layer, weights row by row, then biases. Posterior of Algorithm 3
// from the stored rows: P⁻¹ = Σ₀⁻¹ + XᵀX, μ = P(Σ₀⁻¹μ₀ + Xᵀy),
// b = b₀ + ½(yᵀy + μ₀ᵀΣ₀⁻¹μ₀ − μᵀP⁻¹μ); the score of ucb is φᵀμ + √(b/(a − 1) φᵀPφ).
TEST(Lim2Reference, ScoresAreThoseOfTheBatchPosteriorOnTheMatchedPrior) {
  const Data data;
  const auto agent = taught(kSpec + ",policy=ucb", data, kRows);
  const auto greedy = taught(kSpec + ",policy=greedy", data, kRows);
  const State state(*agent);
  const auto scores = [&](const Agent& one) {
    const auto scratch = one.make_scratch();
    Random random({.seed = 1});
    const auto out = one.choose(data.context(kRows), random, *scratch).scores;
    return std::vector<double>(out.begin(), out.end());
  };
  const auto bound = scores(*agent), mean = scores(*greedy);

  const Network network = Network::parse("mlp:4", kFeatures, kActions);
  NetworkScratch<float> pass;
  network.forward<float>(state.parameters, data.x.bottomRows(1), pass);
  Vector<double> phi(kDim);
  phi << pass.activations[2].row(0).transpose().cast<double>(), 1;
  const Vector<double> last = state.parameters.tail(kActions * kDim).cast<double>();
  for (Index action = 0; action < kActions; ++action) {
    Matrix<double> X;
    Vector<double> y;
    data.select(state.parameters, action, kRows, X, y);
    Vector<double> prior(kDim);
    prior << last.segment(action * kWidth, kWidth), last[kActions * kWidth + action];
    const auto a = static_cast<std::size_t>(action);
    const Matrix<double> prior_precision = testing::inverse(state.covariances[a]);
    const Matrix<double> precision = prior_precision + X.transpose() * X;
    const Matrix<double> covariance = testing::inverse(precision);
    const Vector<double> mu = covariance * (prior_precision * prior + X.transpose() * y);
    const double shape = 6 + 0.5 * static_cast<double>(y.size());
    const double scale =
        6 + 0.5 * (y.squaredNorm() + prior.dot(prior_precision * prior) - mu.dot(precision * mu));
    EXPECT_NEAR(mean[a], phi.dot(mu), 1e-5) << action;
    EXPECT_NEAR(bound[a] - mean[a], std::sqrt(scale / (shape - 1) * phi.dot(covariance * phi)),
                1e-5)
        << action;
  }
}

}  // namespace
}  // namespace bandolier::lim2_reference_test
