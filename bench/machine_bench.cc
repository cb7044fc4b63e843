// What one core of this machine can do at most: bytes per second through memory and caches, and
// multiply-adds per second. Every other benchmark's figures are read against these, from the same
// run.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <vector>

namespace {

// y ← a·x, as STREAM's scale: reads and writes, 2 bytes move for each byte of x. (A plain copy
// would measure the C library's memcpy.)
void memory_copy(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0)) / sizeof(float);
  std::vector<float> from(count, 1.0f), to(count, 2.0f);
  float a = 0.5f;
  benchmark::DoNotOptimize(a);
  for (auto _ : state) {
    for (std::size_t i = 0; i < count; ++i) to[i] = a * from[i];
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * 2 * state.range(0));
}
BENCHMARK(memory_copy)->Arg(16 << 10)->Arg(256 << 10)->Arg(256 << 20)->ArgName("bytes");

// A sum reads alone: the limit of a matrix-vector product.
void memory_read(benchmark::State& state) {
  constexpr std::size_t kLanes = 64;
  const auto count = static_cast<std::size_t>(state.range(0)) / sizeof(float);
  const std::vector<float> values(count, 1.0f);
  for (auto _ : state) {
    float sums[kLanes] = {};
    for (std::size_t i = 0; i + kLanes <= count; i += kLanes) {
      for (std::size_t j = 0; j < kLanes; ++j) sums[j] += values[i + j];
    }
    benchmark::DoNotOptimize(sums);
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(memory_read)->Arg(16 << 10)->Arg(256 << 10)->Arg(256 << 20)->ArgName("bytes");

// x ← x·a + b in independent chains, enough of them to hide the latency: 2 flops each.
void multiply_add(benchmark::State& state) {
  constexpr int kChains = 80, kSteps = 1000;
  float x[kChains];
  for (int i = 0; i < kChains; ++i) x[i] = static_cast<float>(i);
  float a = 0.999f, b = 0.001f;
  benchmark::DoNotOptimize(a);
  benchmark::DoNotOptimize(b);
  for (auto _ : state) {
    for (int step = 0; step < kSteps; ++step) {
      for (float& value : x) value = value * a + b;
    }
    benchmark::DoNotOptimize(x);
  }
  state.counters["flops"] =
      benchmark::Counter(2.0 * kChains * kSteps, benchmark::Counter::kIsIterationInvariantRate,
                         benchmark::Counter::kIs1000);
}
BENCHMARK(multiply_add);

}  // namespace
