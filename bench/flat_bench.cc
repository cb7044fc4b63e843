// 10⁶ steps of a small model: that a step takes as long at the end as at the beginning, and that
// the resident memory does not grow. One iteration; `last_over_first` is the time of the last tenth
// over that of the first, `slowest_over_median` the same for the worst tenth, `grown_bytes` the
// resident memory gained after the first tenth.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "bandolier/agent/registry.h"

namespace bandolier {
namespace {

constexpr Index kFeatures = 10, kActions = 5, kSteps = 1'000'000, kTenths = 10;

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void million_steps(benchmark::State& state, const char* spec) {
  const auto agent = make_agent(spec, {.features = kFeatures, .actions = kActions});
  Random random({.seed = 1});
  agent->warm_up({}, random);
  const auto scratch = agent->make_scratch();
  Vector<float> x(kFeatures);
  std::vector<double> seconds;
  double before = 0;
  const auto play = [&](Index steps) {
    for (Index t = 0; t < steps; ++t) {
      random.fill_normal(x);
      const Context context{Features::dense({x.data(), kFeatures}), kActions, {}, {}};
      const Decision decision = agent->choose(context, random, *scratch);
      agent->observe({context, decision.action, x[decision.action], decision.ticket}, random,
                     *scratch);
    }
  };
  for (auto _ : state) {
    for (Index tenth = 0; tenth < kTenths; ++tenth) {
      const auto start = std::chrono::steady_clock::now();
      play(kSteps / kTenths);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      seconds.push_back(took.count());
      if (tenth == 0) before = resident_bytes();
    }
  }
  state.counters["grown_bytes"] = resident_bytes() - before;
  state.counters["last_over_first"] = seconds.back() / seconds.front();
  std::sort(seconds.begin(), seconds.end());
  state.counters["slowest_over_median"] = seconds.back() / seconds[kTenths / 2];
  state.SetItemsProcessed(kSteps);
}
BENCHMARK_CAPTURE(million_steps, subspace_ekf, "subspace-ekf:model=mlp:20,dim=50")
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(million_steps, linear, "linear")->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace bandolier
