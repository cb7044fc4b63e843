// What a snapshot for readers costs: one after every reward, against the reward alone and against a
// copy of all that learning writes. `auto`, 54 features, 7 actions.
#include <benchmark/benchmark.h>

#include <vector>

#include "bandolier/agent/registry.h"

namespace bandolier {
namespace {

constexpr Index kFeatures = 54, kActions = 7, kContexts = 64;

class Game {
 public:
  explicit Game(const std::string& spec)
      : agent_(make_agent(spec, {.features = kFeatures, .actions = kActions})),
        x_(kContexts, kFeatures) {
    random_.fill_normal(VectorMap<float>(x_.data(), x_.size()));
    agent_->warm_up({}, random_);
    scratch_ = agent_->make_scratch();
    for (int t = 0; t < 1000; ++t) learn();
  }

  void learn() {
    const Index row = t_++ % kContexts;
    const Context context{
        Features::dense({x_.row(row).data(), std::size_t{kFeatures}}), kActions, {}, {}};
    const Decision decision = agent_->choose(context, random_, *scratch_);
    const float reward = x_(row, decision.action) > 0 ? 1.0f : 0.0f;
    agent_->observe({context, decision.action, reward, decision.ticket}, random_, *scratch_);
  }

  const Agent& agent() const { return *agent_; }

 private:
  std::unique_ptr<Agent> agent_;
  Matrix<float> x_;
  Random random_{StreamKey{.seed = 3}};
  std::unique_ptr<Scratch> scratch_;
  Index t_ = 0;
};

void reward(benchmark::State& state, const char* spec) {
  Game game(spec);
  for (auto _ : state) game.learn();
}

void reward_and_snapshot(benchmark::State& state, const char* spec) {
  Game game(spec);
  std::shared_ptr<const Agent> readers;
  for (auto _ : state) {
    game.learn();
    readers = game.agent().snapshot();
  }
}

void reward_and_full_copy(benchmark::State& state, const char* spec) {
  Game game(spec);
  const std::vector<char> all(game.agent().report().belief_bytes, 1);
  for (auto _ : state) {
    game.learn();
    std::vector<char> copy = all;
    benchmark::DoNotOptimize(copy.data());
  }
}

BENCHMARK_CAPTURE(reward, auto, "auto");
BENCHMARK_CAPTURE(reward_and_snapshot, auto, "auto");
BENCHMARK_CAPTURE(reward_and_full_copy, auto, "auto");
BENCHMARK_CAPTURE(reward, linear, "linear");
BENCHMARK_CAPTURE(reward_and_snapshot, linear, "linear");
BENCHMARK_CAPTURE(reward_and_full_copy, linear, "linear");

}  // namespace
}  // namespace bandolier
