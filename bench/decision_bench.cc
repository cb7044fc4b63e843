// Whole decisions, choose + observe, of subspace-ekf and linear on problems of the sizes of shuttle
// (9 features, 7 actions), covertype (54, 7) and MNIST (784 pixels, about 150 of them not 0; 10),
// with bytes and flops of a step (decision_cost.h); a batch of decisions beside single ones; and
// decisions with the probabilities of all actions beside those without.
#include <benchmark/benchmark.h>

#include "bandolier/agent/registry.h"
#include "bench/decision_cost.h"

namespace bandolier {
namespace {

struct Problem {
  Index features, nonzeros, actions;
  ImageShape image;
};
constexpr Problem kShuttle{9, 9, 7, {}};
constexpr Problem kCovertype{54, 54, 7, {}};
constexpr Problem kMnist{784, 150, 10, {28, 28, 1}};

constexpr Index kContexts = 64;
constexpr Index kWarmUp = 200;  // steps before the clock starts

class Game {
 public:
  Game(const Problem& problem, const std::string& agent)
      : problem_(problem),
        x_(Matrix<float>::Zero(kContexts, problem.features)),
        random_({.seed = 1}),
        agent_(make_agent(
            agent,
            {.features = problem.features, .actions = problem.actions, .image = problem.image})) {
    for (Index i = 0; i < kContexts; ++i) {
      for (Index k = 0; k < problem.nonzeros; ++k) {
        const auto place = static_cast<Index>(
            random_.below(static_cast<std::uint64_t>(problem.features / problem.nonzeros)));
        x_(i, k * (problem.features / problem.nonzeros) + place) =
            static_cast<float>(random_.uniform()) + 0.1f;
      }
      contexts_.push_back({Features::dense({x_.row(i).data(), static_cast<std::size_t>(x_.cols())}),
                           problem.actions,
                           {},
                           {}});
    }
    std::vector<Experience> pulls;
    for (Index t = 0; t < 2 * problem.actions; ++t) {
      pulls.push_back({context(t), t % problem.actions, static_cast<float>(t % 2)});
    }
    agent_->warm_up(pulls, random_);
    scratch_ = agent_->make_scratch();
    for (Index t = 0; t < kWarmUp; ++t) step();
  }

  void step() {
    const Context& now = context(t_++);
    const Decision decision = agent_->choose(now, random_, *scratch_);
    const bool first = now.features.values[0] > 0.5f;
    const float reward = first == (decision.action == 0) ? 1 : 0;
    agent_->observe({now, decision.action, reward, decision.ticket}, random_, *scratch_);
  }
  void choose() {
    benchmark::DoNotOptimize(agent_->choose(context(t_++), random_, *scratch_).action);
  }
  void decide() {
    benchmark::DoNotOptimize(agent_->decide(context(t_++), random_, *scratch_).action);
  }
  void choose_batch() {
    Index actions[kContexts];
    agent_->choose_batch(contexts_, random_, *scratch_, actions);
    benchmark::DoNotOptimize(actions);
  }

 private:
  const Context& context(Index t) const {
    return contexts_[static_cast<std::size_t>(t % kContexts)];
  }

  Problem problem_;
  Matrix<float> x_;
  Random random_;
  std::unique_ptr<Agent> agent_;
  std::unique_ptr<Scratch> scratch_;
  std::vector<Context> contexts_;
  Index t_ = 0;
};

void count(benchmark::State& state, const Cost& cost) {
  using benchmark::Counter;
  state.counters["step_bytes"] = cost.bytes;
  state.counters["step_flops"] = cost.flops;
  state.counters["bytes_per_second"] =
      Counter(cost.bytes, Counter::kIsIterationInvariantRate, Counter::kIs1024);
  state.counters["flops"] =
      Counter(cost.flops, Counter::kIsIterationInvariantRate, Counter::kIs1000);
}

void subspace_ekf(benchmark::State& state, const Problem& problem, const char* model,
                  const char* basis, const char* precision) {
  const Index dim = state.range(0);
  Game game(problem, fmt::format("subspace-ekf:model={},basis={},precision={},dim={}", model, basis,
                                 precision, dim));
  for (auto _ : state) game.step();
  const Network network = Network::parse(model, problem.features, problem.actions, problem.image);
  const DecisionCost cost(network, basis, dim, problem.nonzeros, precision[0] == 'h' ? 2 : 4);
  Cost step = cost.choose();
  step += cost.observe();
  count(state, step);
}

// Linear: S of every action is read to choose, that of one action updated.
void linear(benchmark::State& state, const Problem& problem) {
  Game game(problem, "linear");
  for (auto _ : state) game.step();
  const auto d = static_cast<double>(problem.features + 1);
  Cost step = static_cast<double>(problem.actions) * belief_choose_cost(d);
  step += belief_observe_cost(d);
  count(state, step);
}

void choose(benchmark::State& state, const Problem& problem, const char* agent) {
  Game game(problem, agent);
  for (auto _ : state) game.choose();
  state.SetItemsProcessed(state.iterations());
}
void choose_batch(benchmark::State& state, const Problem& problem, const char* agent) {
  Game game(problem, agent);
  for (auto _ : state) game.choose_batch();
  state.SetItemsProcessed(state.iterations() * kContexts);
}

// Without and with the probabilities of all actions; covertype's features, so many actions.
void without(benchmark::State& state, const char* agent) {
  Game game({kCovertype.features, kCovertype.nonzeros, state.range(0), {}}, agent);
  for (auto _ : state) game.choose();
}
void with_probabilities(benchmark::State& state, const char* agent) {
  Game game({kCovertype.features, kCovertype.nonzeros, state.range(0), {}}, agent);
  for (auto _ : state) game.decide();
}

#define STEP(name, ...) BENCHMARK_CAPTURE(subspace_ekf, name, __VA_ARGS__)
STEP(shuttle_mlp50_rank_one, kShuttle, "mlp:50", "rank-one", "float")->Arg(200);
STEP(shuttle_mlp50_gaussian, kShuttle, "mlp:50", "gaussian", "float")->Arg(200);
STEP(shuttle_mlp50_hadamard, kShuttle, "mlp:50", "hadamard", "float")->Arg(200);
STEP(covertype_mlp50_rank_one, kCovertype, "mlp:50", "rank-one", "float")->Arg(200)->Arg(470);
STEP(covertype_mlp50_gaussian, kCovertype, "mlp:50", "gaussian", "float")->Arg(200)->Arg(470);
STEP(covertype_mlp50_gaussian_half, kCovertype, "mlp:50", "gaussian", "half")->Arg(200);
STEP(covertype_mlp50_hadamard, kCovertype, "mlp:50", "hadamard", "float")->Arg(200);
STEP(covertype_mlp200x200_rank_one, kCovertype, "mlp:200x200", "rank-one", "float")->Arg(470);
STEP(mnist_mlp50_rank_one, kMnist, "mlp:50", "rank-one", "float")->Arg(470);
STEP(mnist_mlp50_gaussian, kMnist, "mlp:50", "gaussian", "float")->Arg(470);
STEP(mnist_mlp50_gaussian_half, kMnist, "mlp:50", "gaussian", "half")->Arg(470);
STEP(mnist_mlp50_hadamard, kMnist, "mlp:50", "hadamard", "float")->Arg(470);
STEP(mnist_mlp200x200_rank_one, kMnist, "mlp:200x200", "rank-one", "float")->Arg(470);
STEP(mnist_mlp200x200_gaussian_half, kMnist, "mlp:200x200", "gaussian", "half")->Arg(100);
STEP(mnist_lenet5_rank_one, kMnist, "lenet5", "rank-one", "float")->Arg(470);
STEP(mnist_lenet5_gaussian_half, kMnist, "lenet5", "gaussian", "half")->Arg(100);
STEP(mnist_lenet5_hadamard, kMnist, "lenet5", "hadamard", "float")->Arg(470);
BENCHMARK_CAPTURE(linear, shuttle, kShuttle);
BENCHMARK_CAPTURE(linear, covertype, kCovertype);

constexpr const char* kEkf = "subspace-ekf:dim=470";
BENCHMARK_CAPTURE(choose, linear_covertype, kCovertype, "linear");
BENCHMARK_CAPTURE(choose_batch, linear_covertype, kCovertype, "linear");
BENCHMARK_CAPTURE(choose, subspace_ekf_covertype, kCovertype, kEkf);
BENCHMARK_CAPTURE(choose_batch, subspace_ekf_covertype, kCovertype, kEkf);
BENCHMARK_CAPTURE(choose, subspace_ekf_mnist, kMnist, kEkf);
BENCHMARK_CAPTURE(choose_batch, subspace_ekf_mnist, kMnist, kEkf);

void actions(benchmark::internal::Benchmark* bench) {
  for (const int count : {2, 7, 10, 100}) bench->Arg(count);
}
BENCHMARK_CAPTURE(without, linear, "linear")->Apply(actions);
BENCHMARK_CAPTURE(with_probabilities, linear, "linear")->Apply(actions);
BENCHMARK_CAPTURE(without, auto, "auto") -> Apply(actions);
BENCHMARK_CAPTURE(with_probabilities, auto, "auto") -> Apply(actions);
BENCHMARK_CAPTURE(without, subspace_ekf, "subspace-ekf:dim=200")->Arg(7);
BENCHMARK_CAPTURE(with_probabilities, subspace_ekf, "subspace-ekf:dim=200")->Arg(7);

}  // namespace
}  // namespace bandolier
