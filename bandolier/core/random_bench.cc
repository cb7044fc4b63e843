// Draws per second: what a decision spends on randomness.
#include "bandolier/core/random.h"

#include <benchmark/benchmark.h>

namespace bandolier {
namespace {

template <class T>
void fill_normal(benchmark::State& state) {
  Random random({.seed = 1});
  Vector<T> out(state.range(0));
  for (auto _ : state) {
    random.fill_normal(out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(fill_normal<float>)->Arg(16)->Arg(51)->Arg(470);
BENCHMARK(fill_normal<double>)->Arg(16)->Arg(51)->Arg(470);

void normal(benchmark::State& state) {
  Random random({.seed = 1});
  for (auto _ : state) benchmark::DoNotOptimize(random.normal());
}
BENCHMARK(normal);

void gamma(benchmark::State& state) {
  Random random({.seed = 1});
  for (auto _ : state) benchmark::DoNotOptimize(random.gamma(6.5));
}
BENCHMARK(gamma);

// A stream of its own for every step: made, and one number drawn.
void fresh_stream(benchmark::State& state) {
  std::uint32_t step = 0;
  for (auto _ : state) benchmark::DoNotOptimize(Random({.seed = 1, .step = step++})());
}
BENCHMARK(fresh_stream);

}  // namespace
}  // namespace bandolier
