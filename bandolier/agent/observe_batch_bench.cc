// Rewards learnt one by one and in batches of m, time per reward: a table of 54 features and 7
// actions, and images of ten classes in patch features. Contexts are new, so that what is found of
// them counts; after 1,500 rewards, when members that explain little sleep.
#include <benchmark/benchmark.h>

#include <cmath>

#include "bandolier/agent/registry.h"

namespace bandolier {
namespace {

constexpr std::size_t kContexts = 1024, kBefore = 1536;
const ProblemShape kTable{.features = 54, .actions = 7};
const ProblemShape kDigits{.features = 784, .actions = 10, .image = {28, 28, 1}};

struct Setting {
  Setting(const char* name, const ProblemShape& shape)
      : agent(make_agent(name, shape)), x(static_cast<Index>(kContexts), shape.features) {
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    for (Index t = 0; t < x.rows(); ++t) {
      const Index action = t * 5 % shape.actions;
      const std::span<const float> row(x.row(t).data(), static_cast<std::size_t>(shape.features));
      feedback.push_back({{Features::dense(row), shape.actions, {}, {}},
                          action,
                          std::abs(x(t, action)) + 0.3f * x(t, action + 1)});
    }
    agent->warm_up({}, random);
    scratch = agent->make_scratch();
    for (std::size_t t = 0; t < kBefore; ++t) {
      agent->observe(feedback[t % kContexts], random, *scratch);
    }
  }
  std::unique_ptr<Agent> agent;
  std::unique_ptr<Scratch> scratch;
  Matrix<float> x;
  std::vector<Feedback> feedback;
  Random random{{.seed = 1}};
};

void observe(benchmark::State& state, const char* name, const ProblemShape& shape) {
  Setting setting(name, shape);
  const auto size = static_cast<std::size_t>(state.range(0));
  std::size_t at = 0;
  for (auto _ : state) {
    setting.agent->observe_batch(std::span(setting.feedback).subspan(at, size), setting.random,
                                 *setting.scratch);
    at = (at + size) % kContexts;
  }
  state.counters["rewards_per_second"] =
      benchmark::Counter(static_cast<double>(size), benchmark::Counter::kIsIterationInvariantRate);
}

// A batch of one is one reward by itself.
void sizes(benchmark::internal::Benchmark* bench) {
  for (const int m : {1, 8, 32, 128, 512}) bench->Arg(m);
}
BENCHMARK_CAPTURE(observe, linear, "linear", kTable)->ArgName("m")->Apply(sizes);
BENCHMARK_CAPTURE(observe, auto, "auto", kTable) -> ArgName("m") -> Apply(sizes);
BENCHMARK_CAPTURE(observe, images, "auto", kDigits)->ArgName("m")->Apply(sizes);

}  // namespace
}  // namespace bandolier
