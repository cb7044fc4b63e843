#include "bandolier/replay/network_regressions.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"
#include "testing/dense.h"

namespace bandolier::network_regressions_test {
namespace {

// 150 rows of 3 features; the rewards of 2 actions, played in turn but for action 0's last rows.
struct Data {
  Matrix<float> x = Matrix<float>(150, 3);
  std::vector<Index> outputs;
  std::vector<float> targets;
  Data() {
    Random random({.seed = 1});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    for (Index i = 0; i < 150; ++i) {
      outputs.push_back(i < 100 ? i % 2 : 0);
      targets.push_back(x(i, 0) - 0.5f * x(i, 1) * x(i, 2) + 1);
    }
  }
  TrainingSet set() const { return {x, outputs, targets}; }
};

struct Fixture {
  Network network = Network::parse("mlp:6", 3, 2);
  Vector<float> parameters;
  NetworkRegressions regressions{network, 0.25, {6, 6}};
  Fixture() {
    Random random({.seed = 2});
    parameters = network.initial_parameters<float>(random);
  }
};

TEST(NetworkRegressions, RefittedEqualTheBatchFormulas) {
  const Data data;
  Fixture f;
  NetworkRegressions::Scratch work;
  f.regressions.refit(f.network, f.parameters, data.set(), work);
  NetworkScratch<float> pass;
  f.network.forward<float>(f.parameters, data.x, pass);
  for (Index action = 0; action < 2; ++action) {
    // X: the action's rows of (φ, 1); plain normal equations with inverses.
    Matrix<double> X(0, 7);
    Vector<double> y(0);
    for (Index i = 0; i < 150; ++i) {
      if (data.outputs[static_cast<std::size_t>(i)] != action) continue;
      X.conservativeResize(X.rows() + 1, 7);
      y.conservativeResize(X.rows());
      X.row(X.rows() - 1) << pass.activations[2].row(i).cast<double>(), 1;
      y[X.rows() - 1] = static_cast<double>(data.targets[static_cast<std::size_t>(i)]);
    }
    const Matrix<double> precision = 0.25 * Matrix<double>::Identity(7, 7) + X.transpose() * X;
    const Matrix<double> covariance = testing::inverse(precision);
    const Vector<double> mean = covariance * X.transpose() * y;
    const double b = 6 + 0.5 * (y.squaredNorm() - mean.dot(precision * mean));
    const auto& head = f.regressions.all()[static_cast<std::size_t>(action)];
    EXPECT_LT((head.weights().mean().cast<double>() - mean).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((head.weights().covariance().cast<double>() - covariance).cwiseAbs().maxCoeff(),
              1e-5);
    EXPECT_DOUBLE_EQ(head.noise().a, 6 + static_cast<double>(y.size()) / 2);
    EXPECT_NEAR(head.noise().b, b, 1e-5);
  }
}

TEST(NetworkRegressions, UpdatedOneByOneEqualTheRefitOnTheSameRows) {
  const Data data;
  Fixture one, all;
  NetworkRegressions::Scratch work;
  all.regressions.refit(all.network, all.parameters, data.set(), work);
  NetworkScratch<float> pass;
  one.network.forward<float>(one.parameters, data.x, pass);
  Vector<float> x;
  for (Index i = 0; i < 150; ++i) {
    one.regressions.features(pass, i, x);
    one.regressions.update(data.outputs[static_cast<std::size_t>(i)], x,
                           data.targets[static_cast<std::size_t>(i)], work);
  }
  for (std::size_t action = 0; action < 2; ++action) {
    const auto &single = one.regressions.all()[action], &batch = all.regressions.all()[action];
    EXPECT_LT((single.weights().mean() - batch.weights().mean()).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_LT((single.weights().covariance() - batch.weights().covariance()).cwiseAbs().maxCoeff(),
              1e-4);
    EXPECT_NEAR(single.noise().b, batch.noise().b, 1e-3);
  }
}

TEST(NetworkRegressions, WithoutRowsAreThePrior) {
  Fixture f;
  NetworkRegressions::Scratch work;
  const Matrix<float> none(0, 3);
  f.regressions.refit(f.network, f.parameters, {none, {}, {}}, work);
  const auto& head = f.regressions.all()[1];
  EXPECT_LT(head.weights().mean().cwiseAbs().maxCoeff(), 1e-6f);
  EXPECT_LT((head.weights().covariance() - 4 * Matrix<float>::Identity(7, 7)).cwiseAbs().maxCoeff(),
            1e-5f);
  EXPECT_EQ(head.noise().a, 6);
  EXPECT_NEAR(head.noise().b, 6, 1e-12);
}

// Φ, ψ, R² and N of each action's rows, summed one by one; actions of more than one chunk of rows
// and of none.
TEST(NetworkRegressions, GatherWhatTheRowsSayOfEachAction) {
  const Data data;
  const Network network = Network::parse("mlp:6", 3, 3);
  NetworkRegressions regressions(network, 0.25, {6, 6});
  Random random({.seed = 2});
  const Vector<float> parameters = network.initial_parameters<float>(random);
  NetworkScratch<float> pass;
  network.forward<float>(parameters, data.x, pass);
  NetworkRegressions::Scratch work;
  regressions.begin(network, data.set(), work);
  for (Index action = 0; action < 3; ++action) {
    Matrix<double> gram = Matrix<double>::Zero(7, 7);
    Vector<double> moment = Vector<double>::Zero(7), x(7);
    double squares = 0, count = 0;
    for (Index i = 0; i < 150; ++i) {
      if (data.outputs[static_cast<std::size_t>(i)] != action) continue;
      const auto y = static_cast<double>(data.targets[static_cast<std::size_t>(i)]);
      x << pass.activations[2].row(i).transpose().cast<double>(), 1;
      gram += x * x.transpose();
      moment += y * x;
      squares += y * y;
      ++count;
    }
    regressions.gather(network, parameters, data.set(), action, work);
    const Matrix<double> lower = gram.triangularView<Eigen::Lower>();
    EXPECT_LT((work.statistics.gram - lower).cwiseAbs().maxCoeff(), 1e-4) << action;
    EXPECT_LT((work.statistics.moment - moment).cwiseAbs().maxCoeff(), 1e-4) << action;
    EXPECT_NEAR(work.statistics.squares, squares, 1e-9) << action;
    EXPECT_EQ(work.statistics.count, count) << action;
  }
}

TEST(NetworkRegressions, ARootThatIsAssignedLeavesMeanAndNoise) {
  const Data data;
  Fixture f;
  NetworkRegressions::Scratch work;
  f.regressions.refit(f.network, f.parameters, data.set(), work);
  const auto before = f.regressions.all()[0];
  f.regressions.assign_root(0, 3 * Matrix<double>::Identity(7, 7), work);
  const auto& head = f.regressions.all()[0];
  EXPECT_EQ(head.weights().mean(), before.weights().mean());
  EXPECT_EQ(head.noise().b, before.noise().b);
  EXPECT_EQ(head.weights().covariance(), (9 * Matrix<float>::Identity(7, 7)).eval());
}

TEST(NetworkRegressions, ComeBackEqualAfterSaveAndLoadEachHeadInItsPlace) {
  const Data data;
  Fixture f, loaded;
  NetworkRegressions::Scratch work;
  f.regressions.refit(f.network, f.parameters, data.set(), work);
  ArchiveWriter out;
  f.regressions.save(out);
  loaded.regressions.load(ArchiveReader(out.finish(), "test"), {6, 6});
  for (std::size_t action = 0; action < 2; ++action) {
    const auto &saved = f.regressions.all()[action], &read = loaded.regressions.all()[action];
    EXPECT_EQ(read.weights().mean(), saved.weights().mean());
    EXPECT_EQ(read.weights().covariance(), saved.weights().covariance());
    EXPECT_EQ(read.noise().b, saved.noise().b);
  }
}

TEST(NetworkRegressions, NeedAHiddenLayer) {
  EXPECT_THROW(NetworkRegressions(Network::parse("linear", 3, 2), 0.25, {6, 6}), Error);
}

}  // namespace
}  // namespace bandolier::network_regressions_test
