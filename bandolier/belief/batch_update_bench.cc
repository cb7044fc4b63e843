// Rewards of one head of h weights, learnt one by one and in batches of m: time per reward.
#include "bandolier/belief/batch_update.h"

#include <benchmark/benchmark.h>

#include "bandolier/belief/normal_inverse_gamma.h"

namespace bandolier {
namespace {

struct Rewards {
  Rewards(Index rows, Index dim)
      : x(rows, dim), y(rows), belief(GaussianFull<float>(dim, 1), InverseGamma{.a = 6, .b = 6}) {
    Random random({.seed = 1});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    x /= std::sqrt(static_cast<float>(dim));
    random.fill_normal(y);
  }
  void count(benchmark::State& state) const {
    state.counters["per_reward"] = benchmark::Counter(
        static_cast<double>(x.rows()),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  }
  Matrix<float> x;
  Vector<float> y;
  NormalInverseGamma<float> belief;
};

void single(benchmark::State& state) {
  Rewards rewards(128, state.range(0));
  BeliefScratch<float> scratch;
  for (auto _ : state) {
    for (Index i = 0; i < rewards.x.rows(); ++i) {
      benchmark::DoNotOptimize(
          rewards.belief.update(rewards.x.row(i).transpose(), rewards.y[i], scratch).accepted);
    }
  }
  rewards.count(state);
}

void batch(benchmark::State& state) {
  Rewards rewards(state.range(1), state.range(0));
  BatchUpdate<float> batch;
  BatchScratch<float> scratch;
  for (auto _ : state) {
    batch.start(rewards.x.data(), rewards.x.rows(), rewards.x.cols());
    for (Index begin = 0; begin < rewards.x.rows(); begin += kMostBatchRows) {
      const BatchRows rows{begin, std::min(begin + kMostBatchRows, rewards.x.rows())};
      for (Index row = rows.begin; row < rows.end; ++row) batch.want(row);
      rewards.belief.project(batch, rows);
      for (Index row = rows.begin; row < rows.end; ++row) {
        rewards.belief.update(batch, row, rows.end, rewards.y[row]);
      }
      rewards.belief.correct(batch, rows, scratch);
    }
  }
  rewards.count(state);
}

BENCHMARK(single)->ArgName("h")->Arg(60)->Arg(200)->Arg(470);
BENCHMARK(batch)->ArgNames({"h", "m"})->ArgsProduct({{60, 200, 470}, {8, 32, 128}});

}  // namespace
}  // namespace bandolier
