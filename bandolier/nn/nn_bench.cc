// Forward, gradient, Jacobian of one input; epochs of training on MNIST-sized rows.
#include <benchmark/benchmark.h>

#include <string>

#include "bandolier/nn/network.h"
#include "bandolier/nn/training.h"

namespace bandolier {
namespace {

const char* const kModels[] = {"mlp:50", "mlp:200x200", "lenet5"};

struct One {
  Network network;
  Vector<float> parameters;
  Matrix<float> x;
  NetworkScratch<float> work;

  explicit One(benchmark::State& state)
      : network(Network::parse(kModels[state.range(0)], 784, 10, {28, 28, 1})), x(1, 784) {
    Random random({1, Purpose::kTest, 0, 0});
    parameters = network.initial_parameters<float>(random);
    random.fill_normal(VectorMap<float>(x.data(), 784));
    network.forward<float>(parameters, x, work);
    state.SetLabel(kModels[state.range(0)]);
  }
};

void forward(benchmark::State& state) {
  One one(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(one.network.forward<float>(one.parameters, one.x, one.work).data());
  }
  state.SetBytesProcessed(state.iterations() * one.parameters.size() * 4);
}
BENCHMARK(forward)->DenseRange(0, 2);

void gradient(benchmark::State& state) {
  One one(state);
  Vector<float> out(one.parameters.size());
  for (auto _ : state) {
    one.network.gradient<float>(one.parameters, 3, one.work, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * one.parameters.size() * 4);
}
BENCHMARK(gradient)->DenseRange(0, 2);

void jacobian(benchmark::State& state) {
  One one(state);
  Matrix<float> out(10, one.parameters.size());
  for (auto _ : state) {
    one.network.jacobian<float>(one.parameters, one.work, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(state.iterations() * out.size() * 4);
}
BENCHMARK(jacobian)->DenseRange(0, 2);

// 1,000 full-batch epochs on 200 rows: a warm-up of 20 pulls per action on MNIST.
void train_1000_epochs_of_200_rows(benchmark::State& state) {
  One one(state);
  Random random({2, Purpose::kTest, 0, 0});
  Matrix<float> x(200, 784);
  random.fill_normal(VectorMap<float>(x.data(), x.size()));
  std::vector<Index> outputs(200);
  std::vector<float> targets(200);
  for (std::size_t i = 0; i < 200; ++i) {
    outputs[i] = static_cast<Index>(i % 10);
    targets[i] = static_cast<float>(random.uniform());
  }
  TrainingOptions options;
  options.learning_rate = 0.01;
  for (auto _ : state) {
    Optimiser optimiser(options, one.parameters.size());
    Vector<float> parameters = one.parameters;
    train(one.network, {x, outputs, targets}, options, optimiser, parameters, random);
  }
}
BENCHMARK(train_1000_epochs_of_200_rows)->Arg(0)->Unit(benchmark::kMillisecond);

// Flops of a step that a row needs: 2 per multiply-add of forward, weight gradient and, but for the
// first layer, input gradient.
double training_flops(const Network& network) {
  double flops = 0;
  for (const Layer& layer : network.layers()) {
    double products = 0;
    if (const auto* c = std::get_if<Convolution>(&layer.kind)) {
      products = static_cast<double>(layer.outputs * c->patch());
    } else if (std::holds_alternative<Dense>(layer.kind)) {
      products = static_cast<double>(layer.inputs * layer.outputs);
    }
    flops += (layer.offset == 0 ? 4 : 6) * products;
  }
  return flops;
}

// Shuffled batches of range(1) rows out of four times as many.
void train_batches(benchmark::State& state) {
  One one(state);
  const Index batch = state.range(1), rows = 4 * batch;
  Random random({2, Purpose::kTest, 0, 0});
  Matrix<float> x(rows, 784);
  random.fill_normal(VectorMap<float>(x.data(), x.size()));
  std::vector<Index> outputs(static_cast<std::size_t>(rows));
  std::vector<float> targets(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = static_cast<Index>(i % 10);
    targets[i] = static_cast<float>(random.uniform());
  }
  TrainingOptions options;
  options.learning_rate = 1e-4;
  options.epochs = 1;
  options.batch_size = batch;
  Optimiser optimiser(options, one.parameters.size());
  TrainingScratch work;
  for (auto _ : state) {
    train(one.network, {x, outputs, targets}, options, optimiser, one.parameters, random, work);
  }
  const double passes = static_cast<double>(state.iterations()) * static_cast<double>(rows);
  state.counters["Gflop/s"] =
      benchmark::Counter(passes * training_flops(one.network) * 1e-9, benchmark::Counter::kIsRate);
  state.counters["rows/s"] = benchmark::Counter(passes, benchmark::Counter::kIsRate);
}
BENCHMARK(train_batches)->ArgsProduct({{0, 1, 2}, {200, 512}})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bandolier
