// One decision and one reward of `linear`, with the bytes of belief that each must move: a decision
// reads S and μ of every action, a reward reads S of one action twice and writes it once.
#include <benchmark/benchmark.h>

#include "bandolier/agent/registry.h"

namespace bandolier {
namespace {

constexpr Index kContexts = 256;

struct Setting {
  Index features, actions;
  std::unique_ptr<Agent> agent;
  std::unique_ptr<Scratch> scratch;
  Matrix<float> x;
  Random random{{.seed = 1}};

  Setting(Index features_, Index actions_)
      : features(features_),
        actions(actions_),
        agent(make_agent("linear", {.features = features_, .actions = actions_})),
        x(kContexts, features_) {
    agent->warm_up({}, random);
    scratch = agent->make_scratch();
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    for (Index t = 0; t < 4 * kContexts; ++t) observe(t);
  }

  Context context(Index t) const {
    const float* row = x.data() + (t % kContexts) * features;
    return {Features::dense({row, static_cast<std::size_t>(features)}), actions, {}, {}};
  }
  void observe(Index t) {
    agent->observe({context(t), t % actions, static_cast<float>(t % 3)}, random, *scratch);
  }
  // Bytes of one action's S, intercept included.
  std::int64_t square_root_bytes() const { return (features + 1) * (features + 1) * 4; }
};

void choose(benchmark::State& state) {
  Setting setting(state.range(0), state.range(1));
  Index t = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        setting.agent->choose(setting.context(t++), setting.random, *setting.scratch).action);
  }
  const std::int64_t bytes =
      setting.actions * (setting.square_root_bytes() + (setting.features + 1) * 4);
  state.SetBytesProcessed(bytes * state.iterations());
}

void observe(benchmark::State& state) {
  Setting setting(state.range(0), state.range(1));
  Index t = 0;
  for (auto _ : state) setting.observe(t++);
  state.SetBytesProcessed(3 * setting.square_root_bytes() * state.iterations());
}

BENCHMARK(choose)->Name("linear/choose")->ArgNames({"d", "K"})->Args({50, 7})->Args({200, 7});
BENCHMARK(observe)->Name("linear/observe")->ArgNames({"d", "K"})->Args({50, 7})->Args({200, 7});

}  // namespace
}  // namespace bandolier
