// The low-rank belief at the sizes of networks: an update and a sample each go twice over W, which
// has 1.5 L columns on average; every L-th update rotates it besides.
#include "bandolier/belief/low_rank.h"

#include <benchmark/benchmark.h>

namespace bandolier {
namespace {

std::int64_t bytes_of_w(const benchmark::State& state) {
  return state.range(0) * state.range(1) * static_cast<std::int64_t>(sizeof(float));
}

void update(benchmark::State& state) {
  LowRank<float> belief(state.range(0), 1, state.range(1));
  Random random({.seed = 1});
  Vector<float> g(belief.dim());
  random.fill_normal(g);
  BeliefScratch<float> scratch;
  for (auto _ : state) benchmark::DoNotOptimize(belief.update(g, {0.1f, 1}, scratch).variance);
  state.SetBytesProcessed(3 * bytes_of_w(state) * state.iterations());
}

void sample(benchmark::State& state) {
  LowRank<float> belief(state.range(0), 1, state.range(1));
  Random random({.seed = 1});
  Vector<float> noise, out(belief.dim());
  for (Index t = 0; t < 3 * belief.rank() / 2; ++t) {
    random.fill_normal(out);
    belief.update(out, {0.1f, 1});
  }
  for (auto _ : state) {
    belief.sample(random, 1, noise, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(3 * bytes_of_w(state) * state.iterations());
}

// MLP 50 on covertype and on MNIST.
BENCHMARK(update)
    ->Name("low-rank/update")
    ->ArgNames({"D", "L"})
    ->Args({3107, 10})
    ->Args({39760, 10})
    ->Args({39760, 50});
BENCHMARK(sample)
    ->Name("low-rank/sample")
    ->ArgNames({"D", "L"})
    ->Args({3107, 10})
    ->Args({39760, 10});

}  // namespace
}  // namespace bandolier
