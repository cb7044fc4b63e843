#include "bandolier/nn/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "bandolier/core/error.h"
#include "testing/allocations.h"
#include "testing/golden.h"

namespace bandolier::network_test {
namespace {

Random stream(std::uint64_t seed) { return Random({seed, Purpose::kTest, 0, 0}); }

template <class T>
Matrix<T> normal_matrix(Index rows, Index columns, Random& random) {
  Vector<T> values(rows * columns);
  random.fill_normal(values);
  return ConstMatrixMap<T>(values.data(), rows, columns);
}

std::string error_of(std::string_view text, Index inputs = 4, Index outputs = 2,
                     ImageShape image = {}) {
  try {
    Network::parse(text, inputs, outputs, image);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NetworkParse, CountsParametersOfThePapersNetworks) {
  EXPECT_EQ(Network::parse("mlp:50", 784, 10).parameters(), 39'760);
  EXPECT_EQ(Network::parse("mlp:200x200", 784, 10).parameters(), 199'210);
  EXPECT_EQ(Network::parse("lenet5", 784, 10, {28, 28, 1}).parameters(), 61'706);
  EXPECT_EQ(Network::parse("mlp:50", 9, 7).parameters(), 857);
  EXPECT_EQ(Network::parse("mlp:50", 54, 7).parameters(), 3'107);
  EXPECT_EQ(Network::parse("mlp:50", 89, 2).parameters(), 4'602);
  EXPECT_EQ(Network::parse("linear", 3, 2).parameters(), 8);
}

TEST(NetworkParse, FindsTheHiddenStages) {
  EXPECT_TRUE(Network::parse("linear", 3, 2).stages().empty());
  EXPECT_EQ(Network::parse("mlp:50", 3, 2).stages(), (std::vector<Index>{2}));
  EXPECT_EQ(Network::parse("mlp:50x20:tanh", 3, 2).stages(), (std::vector<Index>{2, 4}));
  const Network lenet = Network::parse("lenet5", 784, 10, {28, 28, 1});
  EXPECT_TRUE(lenet.has_convolution());
  EXPECT_FALSE(Network::parse("mlp:50", 784, 10).has_convolution());
  EXPECT_EQ(lenet.stages(), (std::vector<Index>{3, 6, 8, 10}));
  EXPECT_EQ(lenet.layers()[5].outputs, 400);
}

TEST(NetworkParse, SaysWhatIsWrongAndWhatWouldBeRight) {
  EXPECT_NE(error_of("mlp").find("expected linear, mlp:50"), std::string::npos);
  EXPECT_NE(error_of("cnn").find("'cnn' is not known"), std::string::npos);
  EXPECT_NE(error_of("mlp:").find("'' is no width of a layer"), std::string::npos);
  EXPECT_NE(error_of("mlp:0").find("'0' is no width of a layer: expected 1 to"), std::string::npos);
  EXPECT_NE(error_of("mlp:-5").find("'-5' is no width"), std::string::npos);
  EXPECT_NE(error_of("mlp:50x").find("'' is no width"), std::string::npos);
  EXPECT_NE(error_of("mlp:50,20").find("'50,20' is no width"), std::string::npos);
  EXPECT_NE(error_of("mlp:99999999").find("'99999999' is no width"), std::string::npos);
  EXPECT_NE(error_of("mlp:50:sigmoid").find("expected relu or tanh"), std::string::npos);
  EXPECT_NE(error_of("mlp:50:tanh:x").find("is not known"), std::string::npos);
  EXPECT_NE(error_of("lenet5").find("needs an image"), std::string::npos);
  EXPECT_NE(error_of("lenet5", 100, 2, {10, 10, 1}).find("at least 12 x 12"), std::string::npos);
  EXPECT_NE(error_of("mlp:5", 0, 2).find("0 inputs"), std::string::npos);
}

TEST(NetworkCheck, TellsANetworkFromATextThatIsNoneBeforeItsSizesAreKnown) {
  for (const auto* text : {"linear", "mlp:50", "mlp:200x200", "mlp:50:tanh", "lenet5"}) {
    EXPECT_NO_THROW(Network::check(text)) << text;
  }
  for (const auto* text : {"", "mlp", "mlp:0", "mlp:50:sigmoid", "lenet"}) {
    EXPECT_THROW(Network::check(text), Error) << text;
  }
}

TEST(Network, RefusesLayersThatDoNotFitTogether) {
  EXPECT_THROW(Network({Dense{3, 4}, Relu{}, Dense{5, 1}}, 3), Error);
  EXPECT_THROW(Network({Dense{3, 4}}, 2), Error);
  EXPECT_THROW(Network({Convolution{{4, 4, 1}, 5, 0, 2}}, 16), Error);
}

TEST(InitialParameters, AreLecunNormalWithZeroBiases) {
  const Network network = Network::parse("mlp:200", 400, 3);
  Random random = stream(1);
  const Vector<float> p = network.initial_parameters<float>(random);
  const auto weights = p.head(200 * 400);
  EXPECT_NEAR(weights.mean(), 0, 4 * 0.05 / std::sqrt(80'000.0));
  // Var of the sample variance of n normals: 2σ⁴/n.
  EXPECT_NEAR(weights.squaredNorm() / 80'000 * 400, 1, 4 * std::sqrt(2.0 / 80'000));
  EXPECT_EQ(p.segment(200 * 400, 200).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(p.tail(3).cwiseAbs().maxCoeff(), 0);
  EXPECT_NEAR(p.segment(200 * 401, 600).squaredNorm() / 600 * 200, 1, 4 * std::sqrt(2.0 / 600));

  Random again = stream(1);
  EXPECT_EQ(network.initial_parameters<double>(again).cast<float>(), p);
}

TEST(InitialParameters, OfAConvolutionHaveThePatchAsFanIn) {
  const Network network({Convolution{{8, 8, 4}, 5, 2, 64}}, 256);
  Random random = stream(2);
  const Vector<double> p = network.initial_parameters<double>(random);
  const auto kernel = p.head(64 * 100);
  EXPECT_NEAR(kernel.squaredNorm() / 6400 * 100, 1, 4 * std::sqrt(2.0 / 6400));
}

// Central differences of every output in every parameter.
template <class Check>
void for_numeric_jacobian(const Network& network, Vector<double> parameters,
                          const Matrix<double>& x, const Check& check) {
  NetworkScratch<double> work;
  for (Index i = 0; i < parameters.size(); ++i) {
    const double step = 1e-6, old = parameters[i];
    parameters[i] = old + step;
    const Matrix<double> above = network.forward<double>(parameters, x, work);
    parameters[i] = old - step;
    const Matrix<double> below = network.forward<double>(parameters, x, work);
    parameters[i] = old;
    check(i, Vector<double>((above - below).row(0).transpose() / (2 * step)));
  }
}

struct Named {
  std::string name;
  Network network;
};

std::vector<Named> networks_of_every_layer() {
  const ImageShape image{6, 7, 2};
  const Convolution padded{image, 3, 1, 3};
  const Convolution bare{image, 3, 0, 3};
  const AveragePool pool{padded.out()};
  const Convolution second{pool.out(), 2, 0, 2};
  return {
      {"dense", Network({Dense{5, 3}}, 5)},
      {"relu", Network({Dense{5, 6}, Relu{}, Dense{6, 3}}, 5)},
      {"tanh", Network({Dense{5, 6}, Tanh{}, Dense{6, 4}, Tanh{}, Dense{4, 3}}, 5)},
      {"tanh last", Network({Dense{5, 3}, Tanh{}}, 5)},
      {"input nonlinearity", Network({Tanh{}, Dense{5, 3}}, 5)},
      {"bare convolution", Network({bare, Tanh{}, Dense{bare.out().size(), 3}}, 84)},
      {"padded convolution", Network({padded, Relu{}, Dense{padded.out().size(), 3}}, 84)},
      {"pool over an odd width",
       Network({padded, Tanh{}, pool, second, Relu{}, Dense{second.out().size(), 3}}, 84)},
      {"pool first", Network({AveragePool{image}, Dense{AveragePool{image}.out().size(), 3}}, 84)}};
}

TEST(NetworkJacobian, OfEveryLayerKindEqualsCentralDifferences) {
  for (const auto& [name, network] : networks_of_every_layer()) {
    SCOPED_TRACE(name);
    Random random = stream(3);
    Vector<double> p = network.initial_parameters<double>(random);
    p.array() += 0.1;  // biases, too
    const Matrix<double> x = normal_matrix<double>(1, network.inputs(), random);
    NetworkScratch<double> work;
    Matrix<double> jacobian(3, network.parameters());
    network.forward<double>(p, x, work);
    network.jacobian<double>(p, work, jacobian);
    for_numeric_jacobian(network, p, x, [&](Index i, const Vector<double>& expected) {
      EXPECT_LT((jacobian.col(i) - expected).cwiseAbs().maxCoeff(), 1e-7) << "parameter " << i;
    });
    Vector<double> gradient(network.parameters());
    for (Index k = 0; k < 3; ++k) {
      network.gradient<double>(p, k, work, gradient);
      EXPECT_LT((jacobian.row(k).transpose() - gradient).cwiseAbs().maxCoeff(), 1e-13);
    }
  }
}

TEST(NetworkBackward, OfABatchIsTheSumOfSingleGradients) {
  for (const auto& [name, network] : networks_of_every_layer()) {
    SCOPED_TRACE(name);
    Random random = stream(4);
    const Vector<double> p = network.initial_parameters<double>(random);
    const Matrix<double> x = normal_matrix<double>(5, network.inputs(), random);
    const Matrix<double> slope = normal_matrix<double>(5, 3, random);
    NetworkScratch<double> work;
    Vector<double> sum = Vector<double>::Zero(network.parameters()), one = sum, batch = sum;
    for (Index i = 0; i < 5; ++i) {
      const Matrix<double> row = x.row(i);
      network.forward<double>(p, row, work);
      for (Index k = 0; k < 3; ++k) {
        network.gradient<double>(p, k, work, one);
        sum += slope(i, k) * one;
      }
    }
    const Matrix<double> y = network.forward<double>(p, x, work);
    network.backward<double>(p, slope, work, batch);
    EXPECT_LT((batch - sum).cwiseAbs().maxCoeff(), 1e-12);
    for (Index i = 0; i < 5; ++i) {
      const Matrix<double> row = x.row(i);
      EXPECT_LT((network.forward<double>(p, row, work) - y.row(i)).cwiseAbs().maxCoeff(), 1e-13);
    }
  }
}

TEST(NetworkForward, FromAFilledLayerContinuesTheSameComputation) {
  const Network network = Network::parse("mlp:8x5", 4, 3);
  Random random = stream(5);
  const Vector<float> p = network.initial_parameters<float>(random);
  NetworkScratch<float> whole, part;
  const Matrix<float> y = network.forward<float>(p, normal_matrix<float>(2, 4, random), whole);
  part.activations.resize(network.layers().size() + 1);
  part.activations[2] = whole.activations[2];
  EXPECT_EQ(network.forward_from<float>(2, p, part), y);
}

TEST(Network, DifferentiatesWithoutAllocatingAfterTheFirstTime) {
  for (const auto& [name, bound] : networks_of_every_layer()) {
    const auto& network = bound;  // clang captures no structured bindings
    Random random = stream(6);
    const Vector<float> p = network.initial_parameters<float>(random);
    const Matrix<float> x = normal_matrix<float>(1, network.inputs(), random);
    NetworkScratch<float> work;
    Vector<float> gradient(p.size());
    Matrix<float> jacobian(network.outputs(), p.size());
    const auto once = [&] {
      network.forward<float>(p, x, work);
      network.gradient<float>(p, 1, work, gradient);
      network.jacobian<float>(p, work, jacobian);
    };
    once();
    const std::int64_t before = testing::allocations();
    once();
    EXPECT_EQ(testing::allocations() - before, 0) << name;
  }
}

void expect_golden_mlp(const nlohmann::json& golden, const std::string& text) {
  const Vector<double> p = testing::to_parameters<double>(golden.at("layers"));
  const Vector<double> x = testing::to_vector<double>(golden.at("input"));
  const Vector<double> y = testing::to_vector<double>(golden.at("output"));
  const Matrix<double> expected = testing::to_matrix<double>(golden.at("jacobian"));
  const Network network = Network::parse(text, x.size(), y.size());
  ASSERT_EQ(network.parameters(), p.size());
  NetworkScratch<double> work;
  const Matrix<double> row = x.transpose();
  EXPECT_LT((network.forward<double>(p, row, work).row(0).transpose() - y).cwiseAbs().maxCoeff(),
            1e-12);
  Matrix<double> jacobian(y.size(), p.size());
  network.jacobian<double>(p, work, jacobian);
  EXPECT_LT((jacobian - expected).cwiseAbs().maxCoeff(), 1e-12);

  NetworkScratch<float> work_float;
  Matrix<float> jacobian_float(y.size(), p.size());
  network.forward<float>(p.cast<float>(), row.cast<float>(), work_float);
  network.jacobian<float>(p.cast<float>(), work_float, jacobian_float);
  EXPECT_LT((jacobian_float.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-5);
}

std::string mlp_text(const nlohmann::json& golden, const std::string& nonlinearity) {
  std::string widths;
  const auto& layers = golden.at("layers");
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
    widths += (l ? "x" : "") + std::to_string(layers[l].at("b").size());
  }
  return "mlp:" + widths + ":" + nonlinearity;
}

TEST(Network, ReluMlpEqualsTheGoldenOutputAndJacobian) {
  const auto golden = testing::golden("mlp-relu");
  expect_golden_mlp(golden, mlp_text(golden, "relu"));
}

TEST(Network, TanhMlpEqualsTheGoldenOutputAndJacobian) {
  const auto golden = testing::golden("mlp-tanh");
  expect_golden_mlp(golden, mlp_text(golden, "tanh"));
}

// LeNet-5's parameters or gradient from {c1, c2: {k, b}, d1, d2, d3: {w, b}}; k is
// height × width × in × out and ours filters × (height, width, in).
Vector<double> lenet_vector(const nlohmann::json& golden) {
  std::vector<double> flat;
  for (const char* name : {"c1", "c2"}) {
    const auto& kernel = golden.at(name).at("k");
    const std::size_t filters = golden.at(name).at("b").size();
    for (std::size_t f = 0; f < filters; ++f) {
      for (const auto& row : kernel) {
        for (const auto& pixel : row) {
          for (const auto& channel : pixel) flat.push_back(channel.at(f).get<double>());
        }
      }
    }
    for (const auto& value : golden.at(name).at("b")) flat.push_back(value.get<double>());
  }
  for (const char* name : {"d1", "d2", "d3"}) {
    for (const auto& row : golden.at(name).at("w")) {
      for (const auto& value : row) flat.push_back(value.get<double>());
    }
    for (const auto& value : golden.at(name).at("b")) flat.push_back(value.get<double>());
  }
  return ConstVectorMap<double>(flat.data(), static_cast<Index>(flat.size()));
}

TEST(Network, Lenet5EqualsTheGoldenOutputsAndGradientOfOutput3) {
  const auto golden = testing::golden("lenet5");
  const Network network = Network::parse("lenet5", 784, 10, {28, 28, 1});
  const Vector<double> p = lenet_vector(golden.at("parameters"));
  ASSERT_EQ(p.size(), network.parameters());
  Matrix<double> x(1, 784);
  Index pixel = 0;
  for (const auto& row : golden.at("input")) {
    for (const auto& value : row) x(0, pixel++) = value.at(0).get<double>();
  }
  const Vector<double> y = testing::to_vector<double>(golden.at("output"));
  NetworkScratch<double> work;
  EXPECT_LT((network.forward<double>(p, x, work).row(0).transpose() - y).cwiseAbs().maxCoeff(),
            1e-10);
  Vector<double> gradient(p.size());
  network.gradient<double>(p, 3, work, gradient);
  const Vector<double> expected = lenet_vector(golden.at("gradient_of_output_3"));
  EXPECT_LT((gradient - expected).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace bandolier::network_test
