// What neural-linear's heads know, against plain normal equations on the features that the network
// had when each reward came (heads=all) or has now (heads=window, and unlimited memory).
#include <gtest/gtest.h>

#include "bandolier/agent/neural_linear.h"
#include "bandolier/belief/normal_inverse_gamma.h"
#include "bandolier/nn/network.h"
#include "testing/dense.h"

namespace bandolier::neural_linear_heads_test {
namespace {

constexpr Index kFeatures = 3, kActions = 2, kWidth = 4, kDim = kWidth + 1, kMemory = 10;
constexpr Index kWarmUp = 14, kRows = 47;  // more warm-up than memory; trainings at 16, 24, 32, 40
const ProblemShape kShape{.features = kFeatures, .actions = kActions};
const std::string kSpec = "neural-linear:model=mlp:4,update_every=8,reward_unit=1,b0=6";

struct Data {
  Matrix<float> x = Matrix<float>(kRows, kFeatures);
  Data() {
    Random random({.seed = 6});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
  }
  Context context(Index t) const {
    return {Features::dense({x.data() + kFeatures * t, kFeatures}), kActions, {}, {}};
  }
  Index action(Index t) const { return t % 3 == 0 ? 1 : 0; }
  float reward(Index t) const { return x(t, action(t)) + 0.5f * x(t, 2) - 0.5f; }
  // (φ(s), 1) at these weights.
  Vector<double> features(const Vector<float>& parameters, Index t) const {
    const Network network = Network::parse("mlp:4", kFeatures, kActions);
    NetworkScratch<float> pass;
    network.forward<float>(parameters, x.row(t), pass);
    Vector<double> out(kDim);
    out << pass.activations[2].row(0).transpose().cast<double>(), 1;
    return out;
  }
};

ArchiveReader state(const Agent& agent) {
  return ArchiveReader(save_agent(agent), "saved").section("agent").section("state");
}

// The agent after all rows, and the features of each row at the time: those of the warm-up after
// its training, those of the others before theirs.
struct Taught {
  std::unique_ptr<Agent> agent;
  Matrix<double> then = Matrix<double>(kRows, kDim);
  Vector<float> parameters;  // now

  Taught(const std::string& spec, const Data& data) : agent(make_agent(spec, kShape)) {
    std::vector<Experience> experience;
    for (Index t = 0; t < kWarmUp; ++t) {
      experience.push_back({data.context(t), data.action(t), data.reward(t)});
    }
    Random random({.seed = 8});
    agent->warm_up(experience, random);
    parameters = state(*agent).read_vector<float>("parameters");
    for (Index t = 0; t < kWarmUp; ++t) then.row(t) = data.features(parameters, t).transpose();
    const auto scratch = agent->make_scratch();
    int trainings = 0;
    for (Index t = kWarmUp; t < kRows; ++t) {
      then.row(t) = data.features(parameters, t).transpose();
      agent->observe({data.context(t), data.action(t), data.reward(t)}, random, *scratch);
      const Vector<float> after = state(*agent).read_vector<float>("parameters");
      if (after != parameters) ++trainings;
      parameters = after;
    }
    EXPECT_EQ(trainings, 4);
  }
};

// Heads that have seen rows [first, kRows) at these features.
void expect_heads(const Agent& agent, const Data& data, const Matrix<double>& features,
                  Index first) {
  for (Index action = 0; action < kActions; ++action) {
    const auto k = static_cast<std::size_t>(action);
    Matrix<double> precision = 0.25 * Matrix<double>::Identity(kDim, kDim);
    Vector<double> moment = Vector<double>::Zero(kDim);
    double squares = 0, rows = 0;
    for (Index t = first; t < kRows; ++t) {
      if (data.action(t) != action) continue;
      const auto y = static_cast<double>(data.reward(t));
      precision += features.row(t).transpose() * features.row(t);
      moment += y * features.row(t).transpose();
      squares += y * y;
      ++rows;
    }
    const Matrix<double> covariance = testing::inverse(precision);
    const Vector<double> mean = covariance * moment;
    NormalInverseGamma<float> head(GaussianFull<float>(kDim, 1.0f), InverseGamma{});
    head.load(state(agent).section("heads", k));
    EXPECT_LT((head.weights().mean().cast<double>() - mean).cwiseAbs().maxCoeff(), 1e-4) << action;
    EXPECT_LT((head.weights().covariance().cast<double>() - covariance).cwiseAbs().maxCoeff(), 1e-4)
        << action;
    EXPECT_DOUBLE_EQ(head.noise().a, 6 + rows / 2) << action;
    EXPECT_NEAR(head.noise().b, 6 + 0.5 * (squares - mean.dot(moment)), 1e-3) << action;
  }
}

Matrix<double> features_now(const Taught& taught, const Data& data) {
  Matrix<double> out(kRows, kDim);
  for (Index t = 0; t < kRows; ++t) {
    out.row(t) = data.features(taught.parameters, t).transpose();
  }
  return out;
}

TEST(NeuralLinearHeads, WithLimitedMemoryKnowAllRewardsAtTheFeaturesOfTheirTime) {
  const Data data;
  const Taught taught(kSpec + ",memory=10", data);
  EXPECT_GT((features_now(taught, data) - taught.then).cwiseAbs().maxCoeff(), 0.01);
  expect_heads(*taught.agent, data, taught.then, 0);
}

// The refit of step 40 saw rows 30 to 39; those since then came one by one.
TEST(NeuralLinearHeads, OfTheWindowAreRefittedToTheStoredRows) {
  const Data data;
  const Taught taught(kSpec + ",memory=10,heads=window", data);
  expect_heads(*taught.agent, data, features_now(taught, data), 40 - kMemory);
}

TEST(NeuralLinearHeads, WithUnlimitedMemoryAreRefittedToAllRowsWhateverTheWord) {
  const Data data;
  const Taught all(kSpec, data), window(kSpec + ",heads=window", data);
  expect_heads(*all.agent, data, features_now(all, data), 0);
  expect_heads(*window.agent, data, features_now(window, data), 0);
}

}  // namespace
}  // namespace bandolier::neural_linear_heads_test
