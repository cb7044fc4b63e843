// LiM2 against plain formulas in double with inverses and eigenvectors: a dense LiM2 of its own
// that takes nothing from the agent but the network's weights, step by step.
#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/agent/lim2.h"
#include "bandolier/belief/normal_inverse_gamma.h"
#include "bandolier/nn/network.h"
#include "testing/dense.h"

namespace bandolier::lim2_reference_test {
namespace {

constexpr Index kFeatures = 3, kActions = 2, kWidth = 4, kDim = kWidth + 1, kRows = 25;
constexpr std::uint64_t kBatch = 4 * kActions;
const ProblemShape kShape{.features = kFeatures, .actions = kActions};

// Few rows per minibatch, so that now and then an action is not in it; a clip that is felt at some
// steps; memory for 6 rows per action, so that rows are forgotten.
const std::string kSpec =
    "lim2:model=mlp:4,lambda=0.5,pgd_rate=0.02,pgd_clip=2,pgd_floor=1e-3,learning_rate=0.3,"
    "batch_per_action=4,memory_per_action=6,reward_unit=1,b0=6";

struct Data {
  Matrix<float> x = Matrix<float>(kRows + 1, kFeatures);
  Data() {
    Random random({.seed = 6});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
  }
  Context context(Index t) const {
    return {Features::dense({x.data() + kFeatures * t, kFeatures}), kActions, {}, {}};
  }
  Index action(Index t) const { return t % 5 == 0 ? 1 : 0; }
  float reward(Index t) const { return x(t, action(t)) - 0.5f; }
};

// (φ(s), 1) at these weights.
Vector<double> features(const Vector<float>& parameters, const Data& data, Index t) {
  const Network network = Network::parse("mlp:4", kFeatures, kActions);
  NetworkScratch<float> pass;
  network.forward<float>(parameters, data.x.row(t), pass);
  Vector<double> x(kDim);
  x << pass.activations[2].row(0).transpose().cast<double>(), 1;
  return x;
}

// What a saved agent holds.
struct State {
  Vector<float> parameters;
  std::vector<Matrix<double>> matched;           // what is matched next
  std::vector<NormalInverseGamma<float>> heads;  // what decides

  explicit State(const Agent& agent) {
    const auto in = ArchiveReader(save_agent(agent), "saved").section("agent").section("state");
    parameters = in.read_vector<float>("parameters");
    for (std::size_t a = 0; a < kActions; ++a) {
      matched.push_back(in.section("covariance", a).read_matrix<double>("values"));
      heads.emplace_back(GaussianFull<float>(kDim, 1.0f), InverseGamma{});
      heads.back().load(in.section("heads", a));
    }
  }
};

struct DenseLim2 {
  bool posterior = true;
  std::vector<Matrix<double>> prior, covariance;  // Σ₀, Σ
  std::vector<Vector<double>> mean;
  std::vector<double> a, b, squares;
  std::vector<Index> memory;  // the rows, where they are stored
  int clipped = 0, absent = 0;

  explicit DenseLim2(bool matches_posterior) : posterior(matches_posterior) {
    prior.assign(kActions, 2 * Matrix<double>::Identity(kDim, kDim));
    covariance = prior;
    mean.assign(kActions, Vector<double>::Zero(kDim));
    a.assign(kActions, 6);
    b.assign(kActions, 6);
    squares.assign(kActions, 0);
  }

  // The last 6 rows of each action, each in the place of the one that it drives out.
  void remember(const Data& data, Index t) {
    Index same = 0, oldest = -1;
    for (std::size_t i = 0; i < memory.size(); ++i) {
      if (data.action(memory[i]) != data.action(t)) continue;
      ++same;
      if (oldest < 0 || memory[i] < memory[static_cast<std::size_t>(oldest)]) {
        oldest = static_cast<Index>(i);
      }
    }
    if (same < 6) {
      memory.push_back(t);
    } else {
      memory[static_cast<std::size_t>(oldest)] = t;
    }
  }

  // One reward, which took the network from `old` to `now`; `random` is the agent's stream.
  void learn(const Data& data, Index t, const Vector<float>& old, const Vector<float>& now,
             Random random) {
    remember(data, t);
    std::vector<Index> batch;
    for (std::uint64_t i = 0; i < kBatch; ++i) batch.push_back(memory[random.below(memory.size())]);
    const Vector<double> last = now.tail(kActions * kDim).cast<double>();
    for (Index action = 0; action < kActions; ++action) {
      const auto k = static_cast<std::size_t>(action);
      Matrix<double> A = posterior ? covariance[k] : prior[k];
      Matrix<double> gradient = Matrix<double>::Zero(kDim, kDim);
      double rows = 0;
      for (const Index row : batch) {
        if (data.action(row) != action) continue;
        const Vector<double> was = features(old, data, row), is = features(now, data, row);
        gradient += 2 * (is.dot(A * is) - was.dot(A * was)) * is * is.transpose();
        ++rows;
      }
      if (rows > 0) {
        gradient /= rows;
        if (gradient.norm() > 2) ++clipped;
        A -= 0.02 / static_cast<double>(t + 1) * std::min(1.0, 2 / gradient.norm()) * gradient;
        const auto eigen = testing::symmetric_eigen(A);
        A = eigen.vectors * eigen.values.cwiseMax(0).asDiagonal() * eigen.vectors.transpose();
        A += 1e-3 * Matrix<double>::Identity(kDim, kDim);
      } else {
        ++absent;
      }
      prior[k] = A;

      Matrix<double> gram = Matrix<double>::Zero(kDim, kDim);
      Vector<double> moment = Vector<double>::Zero(kDim);
      double stored_squares = 0, stored = 0;
      for (const Index row : memory) {
        if (data.action(row) != action) continue;
        const Vector<double> x = features(now, data, row);
        const auto y = static_cast<double>(data.reward(row));
        gram += x * x.transpose();
        moment += y * x;
        stored_squares += y * y;
        ++stored;
      }
      const Matrix<double> prior_precision = testing::inverse(A),
                           precision = prior_precision + gram;
      covariance[k] = testing::inverse(precision);
      if (data.action(t) == action) {
        squares[k] += std::pow(static_cast<double>(data.reward(t)), 2);
      } else if (posterior) {
        continue;
      }
      Vector<double> mu0(kDim);
      mu0 << last.segment(action * kWidth, kWidth), last[kActions * kWidth + action];
      mean[k] = covariance[k] * (prior_precision * mu0 + moment);
      a[k] = posterior ? a[k] + 0.5 : 6 + stored / 2;
      b[k] = 6 + 0.5 * ((posterior ? squares[k] : stored_squares) + mu0.dot(prior_precision * mu0) -
                        mean[k].dot(precision * mean[k]));
    }
  }
};

void compare(const std::string& spec, bool posterior) {
  const Data data;
  DenseLim2 dense(posterior);
  auto agent = make_agent(spec, kShape);
  Random warm_up({.seed = 8});
  agent->warm_up({}, warm_up);
  const auto scratch = agent->make_scratch();
  for (Index t = 0; t < kRows; ++t) {
    const State before(*agent);
    Random observe({.seed = 7, .step = static_cast<std::uint32_t>(t)});
    const Random same = observe;
    agent->observe({data.context(t), data.action(t), data.reward(t)}, observe, *scratch);
    const State after(*agent);
    EXPECT_GT((after.parameters - before.parameters).norm(), 1e-4f);
    dense.learn(data, t, before.parameters, after.parameters, same);
    for (std::size_t k = 0; k < kActions; ++k) {
      const auto& head = after.heads[k];
      const Matrix<double>& matched = posterior ? dense.covariance[k] : dense.prior[k];
      EXPECT_LT((after.matched[k] - matched).cwiseAbs().maxCoeff(), 1e-5) << t << " " << k;
      EXPECT_LT(
          (head.weights().covariance().cast<double>() - dense.covariance[k]).cwiseAbs().maxCoeff(),
          1e-5)
          << t << " " << k;
      EXPECT_LT((head.weights().mean().cast<double>() - dense.mean[k]).cwiseAbs().maxCoeff(), 1e-5)
          << t << " " << k;
      EXPECT_DOUBLE_EQ(head.noise().a, dense.a[k]) << t << " " << k;
      EXPECT_NEAR(head.noise().b, dense.b[k], 1e-4) << t << " " << k;
    }
  }
  // What the settings are there for.
  EXPECT_GT(dense.clipped, 0);
  EXPECT_LT(dense.clipped, kRows);
  EXPECT_GT(dense.absent, 0);
  EXPECT_LT(dense.memory.size(), static_cast<std::size_t>(kRows));
}

TEST(Lim2Reference, CarriesThePosteriorCovarianceOnAsTheAuthorsDo) { compare(kSpec, true); }

TEST(Lim2Reference, MatchesThePriorCovarianceAsAlgorithmsFourAndFiveDo) {
  compare(kSpec + ",matching=prior", false);
}

TEST(Lim2Reference, BeforeAnyRewardTheCovarianceIsTheIdentityOverLambda) {
  auto agent = make_agent(kSpec, kShape);
  Random random({.seed = 8});
  agent->warm_up({}, random);
  for (const auto& covariance : State(*agent).matched) {
    EXPECT_EQ(covariance, (2 * Matrix<double>::Identity(kDim, kDim)).eval());
  }
}

}  // namespace
}  // namespace bandolier::lim2_reference_test
