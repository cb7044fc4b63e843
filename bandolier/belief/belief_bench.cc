// Beliefs: one update and one sample at the dimensions of the methods, with the bytes and flops
// that they need, beside a copy of as many bytes. An update of the full belief reads S twice and
// writes it once, a sample reads it once.
#include <benchmark/benchmark.h>

#include <vector>

#include "bandolier/belief/gaussian_diagonal.h"
#include "bandolier/belief/gaussian_full.h"

namespace bandolier {
namespace {

void count(benchmark::State& state, double bytes, double flops) {
  using benchmark::Counter;
  state.counters["bytes_per_second"] =
      Counter(bytes, Counter::kIsIterationInvariantRate, Counter::kIs1024);
  if (flops > 0) {
    state.counters["flops"] = Counter(flops, Counter::kIsIterationInvariantRate, Counter::kIs1000);
  }
}

double square(Index d) { return static_cast<double>(d) * static_cast<double>(d); }

// What memory gives: reads and writes of a copy of as many bytes as S of that dimension has.
void machine_copy(benchmark::State& state) {
  const Index d = state.range(0);
  Matrix<float> from = Matrix<float>::Ones(d, d), to = from;
  for (auto _ : state) {
    to = from;
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  count(state, 8 * square(d), 0);
}

template <class Belief>
void update(benchmark::State& state, Belief& belief, double bytes, double flops) {
  Random random({.seed = 1});
  Vector<float> g(belief.dim());
  random.fill_normal(g);
  g /= g.norm();
  BeliefScratch<float> scratch;
  for (auto _ : state) benchmark::DoNotOptimize(belief.update(g, {0.01f, 1e-3f}, scratch));
  count(state, bytes, flops);
}

template <class Belief>
void sample(benchmark::State& state, const Belief& belief, double bytes, double flops) {
  Random random({.seed = 1});
  Vector<float> noise, out(belief.dim());
  for (auto _ : state) {
    belief.sample(random, 1, noise, out);
    benchmark::DoNotOptimize(out.data());
  }
  count(state, bytes, flops);
}

void full_update(benchmark::State& state) {
  GaussianFull<float> belief(state.range(0), 1);
  update(state, belief, 12 * square(belief.dim()), 6 * square(belief.dim()));
}

void full_sample(benchmark::State& state) {
  const GaussianFull<float> belief(state.range(0), 1);
  sample(state, belief, 4 * square(belief.dim()), 2 * square(belief.dim()));
}

void full_forgetting_fold(benchmark::State& state) {
  GaussianFull<float> belief(state.range(0), 1);
  BeliefScratch<float> scratch;
  for (auto _ : state) {
    belief.forget(0.999f, scratch);
    belief.fold(scratch);
  }
}

void full_process_noise_fold(benchmark::State& state) {
  GaussianFull<float> belief(state.range(0), 1);
  BeliefScratch<float> scratch;
  for (auto _ : state) {
    belief.add_process_noise(1e-6f);
    belief.fold(scratch);
  }
}

void diagonal_update(benchmark::State& state) {
  GaussianDiagonal<float> belief(state.range(0), 1);
  const auto d = static_cast<double>(belief.dim());
  update(state, belief, 32 * d, 12 * d);  // v and g twice read, μ and v read and written
}

void diagonal_sample(benchmark::State& state) {
  const GaussianDiagonal<float> belief(state.range(0), 1);
  const auto d = static_cast<double>(belief.dim());
  sample(state, belief, 20 * d, 4 * d);
}

// A body of `range` dimensions and one of ten heads of 100: the two phases of each.
void head_over_body_update(benchmark::State& state) {
  constexpr Index kHead = 100, kHeads = 10;
  GaussianFull<float> body(state.range(0), 1);
  std::vector<GaussianFull<float>> heads(kHeads, GaussianFull<float>(kHead, 1));
  const Vector<float> g = Vector<float>::Constant(body.dim(), 0.01f);
  const Vector<float> phi = Vector<float>::Constant(kHead, 0.01f);
  const Observation<float> observation{0.01f, 1e-3f};
  BeliefScratch<float> of_body, of_head;
  std::size_t action = 0;
  for (auto _ : state) {
    const float q_body = body.project(g, of_body);
    const float q_head = heads[action].project(phi, of_head);
    heads[action].correct(phi, observation, q_body, of_head);
    body.correct(g, observation, q_head, of_body);
    action = (action + 1) % kHeads;
  }
  const double elements = square(body.dim()) + square(kHead);
  count(state, 12 * elements, 6 * elements);
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int d : {50, 100, 200, 470, 1000, 2000}) bench->Arg(d);
}

BENCHMARK(machine_copy)->Apply(sizes);
BENCHMARK(full_update)->Apply(sizes);
BENCHMARK(full_sample)->Apply(sizes);
BENCHMARK(full_forgetting_fold)->Arg(50)->Arg(200)->Arg(470);
BENCHMARK(full_process_noise_fold)->Arg(50)->Arg(200)->Arg(470);
BENCHMARK(diagonal_update)->Arg(470)->Arg(10000)->Arg(1000000);
BENCHMARK(diagonal_sample)->Arg(470)->Arg(10000)->Arg(1000000);
BENCHMARK(head_over_body_update)->Arg(50)->Arg(200);

}  // namespace
}  // namespace bandolier
