#include "bandolier/nn/lane_stages.h"

#include <gtest/gtest.h>

#include <string>

#include "bandolier/nn/network.h"
#include "testing/allocations.h"

namespace bandolier::lane_stages_test {
namespace {

Random stream(std::uint64_t seed) { return Random({seed, Purpose::kTest, 0, 0}); }

template <class T>
Matrix<T> normal_matrix(Index rows, Index columns, Random& random) {
  Vector<T> values(rows * columns);
  random.fill_normal(values);
  return ConstMatrixMap<T>(values.data(), rows, columns);
}

struct Named {
  std::string name;
  Network network;
};

// Odd sizes, colours, every padding below the kernel, stages with and without their parts.
std::vector<Named> networks() {
  std::vector<Named> all;
  for (const Index padding : {0, 1, 2}) {
    const Convolution c{{7, 9, 3}, 3, padding, 7};
    all.push_back({"padding " + std::to_string(padding),
                   Network({c, Relu{}, Dense{c.out().size(), 3}}, c.in.size())});
  }
  const Convolution first{{9, 11, 2}, 4, 2, 5};
  const AveragePool pool{first.out()};
  const Convolution second{pool.out(), 3, 1, 13};
  const Convolution third{second.out(), 2, 0, 1};
  all.push_back({"tanh, pool, bare, bare",
                 Network({first, Tanh{}, pool, second, third, Relu{}, Dense{third.out().size(), 3}},
                         first.in.size())});
  const AveragePool last{second.out()};
  all.push_back(
      {"nothing after the stages", Network({first, pool, second, Tanh{}, last}, first.in.size())});
  const Convolution point{{3, 4, 2}, 1, 0, 3};
  all.push_back({"pixel by pixel, then what is no stage",
                 Network({point, Relu{}, Tanh{}, Dense{36, 3}}, 24)});
  all.push_back({"lenet5", Network::parse("lenet5", 13 * 14 * 3, 4, {13, 14, 3})});
  return all;
}

// Outputs and gradient of all rows from those of one row at a time, which take another way.
template <class T>
void expect_rows(const Network& network, Index rows, double tolerance) {
  Random random = stream(7);
  Vector<double> p = network.initial_parameters<double>(random);
  p.array() += 0.05;  // biases, too
  const Matrix<double> x = normal_matrix<float>(rows, network.inputs(), random).cast<double>();
  const Matrix<double> slope = normal_matrix<float>(rows, network.outputs(), random).cast<double>();
  NetworkScratch<double> single;
  Matrix<double> outputs(rows, network.outputs());
  Vector<double> gradient = Vector<double>::Zero(p.size()), one = gradient;
  for (Index i = 0; i < rows; ++i) {
    outputs.row(i) = network.forward<double>(p, x.row(i), single);
    network.backward<double>(p, slope.row(i), single, one);
    gradient += one;
  }
  NetworkScratch<T> work;
  const Vector<T> q = p.cast<T>();
  const Matrix<T> y = network.forward<T>(q, x.cast<T>(), work);
  EXPECT_LT((y.template cast<double>() - outputs).cwiseAbs().maxCoeff(), tolerance);
  Vector<T> batch(p.size());
  network.backward<T>(q, slope.cast<T>(), work, batch);
  EXPECT_LT((batch.template cast<double>() - gradient).cwiseAbs().maxCoeff(),
            tolerance * gradient.cwiseAbs().maxCoeff());
}

TEST(LaneStages, GiveTheOutputsAndGradientsOfOneRowAtATime) {
  for (const auto& [name, network] : networks()) {
    for (const Index rows : {2, 4, 5, 15, 16, 17, 40}) {
      SCOPED_TRACE(name + ", " + std::to_string(rows) + " rows");
      expect_rows<double>(network, rows, 1e-11);
      // A unit of a deep network whose input rounds to another side of 0 moves the gradient.
      expect_rows<float>(network, rows, name == "lenet5" ? 1e-3 : 2e-5);
    }
  }
}

TEST(LaneStages, OfLenet5CoverAllUpToTheFirstDenseLayer) {
  const Network lenet = Network::parse("lenet5", 784, 10, {28, 28, 1});
  EXPECT_EQ(LaneStages(lenet.layers()).layers(), 6u);
  EXPECT_EQ(LaneStages(Network::parse("mlp:50", 784, 10).layers()).layers(), 0u);
}

TEST(LaneStages, DoNotAllocateAfterTheFirstBatchAndForgetIt) {
  const Network network = Network::parse("lenet5", 13 * 14 * 3, 4, {13, 14, 3});
  Random random = stream(8);
  const Vector<float> p = network.initial_parameters<float>(random);
  const Matrix<float> x = normal_matrix<float>(37, network.inputs(), random);
  const Matrix<float> slope = normal_matrix<float>(37, 4, random);
  NetworkScratch<float> work;
  Vector<float> first(p.size()), second(p.size()), third(p.size());
  network.forward<float>(p, x, work);
  network.backward<float>(p, slope, work, first);
  const std::int64_t before = testing::allocations();
  network.forward<float>(p, x, work);
  network.backward<float>(p, slope, work, second);
  EXPECT_EQ(testing::allocations() - before, 0);
  EXPECT_EQ(first, second);
  network.forward<float>(p, x.topRows(1), work);
  network.backward<float>(p, slope.topRows(1), work, third);
  network.forward<float>(p, x, work);
  network.backward<float>(p, slope, work, third);
  EXPECT_EQ(first, third);
}

}  // namespace
}  // namespace bandolier::lane_stages_test
