// What one decision costs in each basis: bind a context, predict all actions at a sample, linearise
// one action at the mean. Sizes of covertype (54 features, dense), MNIST (784 pixels, about 150 of
// them not 0) and LeNet-5.
#include <benchmark/benchmark.h>

#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {
namespace {

struct Problem {
  const char* model;
  Index features, nonzeros, actions;
  ImageShape image;
};

constexpr Problem kCovertype{"mlp:50", 54, 54, 7, {}};
constexpr Problem kMnist{"mlp:50", 784, 150, 10, {}};
constexpr Problem kMnistDeep{"mlp:200x200", 784, 150, 10, {}};
constexpr Problem kLenet{"lenet5", 784, 150, 10, {28, 28, 1}};

using enum BasisKind;

class Bound {
 public:
  Bound(const Problem& problem, BasisKind basis, Index dim)
      : shape_{.features = problem.features, .actions = problem.actions, .image = problem.image},
        random_({1, Purpose::kTest, 0, 0}),
        features_(static_cast<std::size_t>(problem.features), 0.0f) {
    const RewardModel model(problem.model, Encoding::kMultiHead, shape_);
    model_ = make_subspace_model<float>(
        model.encoder(), model.network(), model.network().initial_parameters<float>(random_),
        make_random_basis<float>(basis, model.network(), dim, {2, Purpose::kTest, 0, 0}));
    for (Index i = 0; i < problem.nonzeros; ++i) {
      const Index place = i * problem.features / problem.nonzeros;
      features_[static_cast<std::size_t>(place)] = static_cast<float>(random_.uniform()) + 0.1f;
    }
    context_ = {Features::dense(features_), shape_.actions, {}, {}};
    z_.resize(dim);
    random_.fill_normal(z_);
    z_ *= 0.1f;
    gradient_.resize(dim);
    rewards_.resize(shape_.actions);
    work_ = model_->make_scratch();
  }

  void bind() { model_->bind(context_, *work_); }
  void predict() { model_->predict(z_, *work_, rewards_); }
  void linearise() { benchmark::DoNotOptimize(model_->linearise(z_, 3, *work_, gradient_)); }
  std::size_t bytes() const { return model_->bytes(); }

 private:
  ProblemShape shape_;
  Random random_;
  std::vector<float> features_;
  Context context_;
  std::shared_ptr<const SubspaceModel<float>> model_;
  std::unique_ptr<BoundScratch> work_;
  Vector<float> z_, gradient_, rewards_;
};

void decision(benchmark::State& state, const Problem& problem, BasisKind basis) {
  Bound bound(problem, basis, state.range(0));
  for (auto _ : state) {
    bound.bind();
    bound.predict();
    bound.linearise();
  }
  state.counters["model_bytes"] = static_cast<double>(bound.bytes());
}

void part(benchmark::State& state, const Problem& problem, BasisKind basis,
          void (Bound::*operation)()) {
  Bound bound(problem, basis, state.range(0));
  bound.bind();
  for (auto _ : state) (bound.*operation)();
}

BENCHMARK_CAPTURE(decision, covertype_gaussian, kCovertype, kGaussian)->Arg(200)->Arg(470);
BENCHMARK_CAPTURE(decision, covertype_rank_one, kCovertype, kRankOne)->Arg(200)->Arg(470);
BENCHMARK_CAPTURE(decision, covertype_hadamard, kCovertype, kHadamard)->Arg(200);
BENCHMARK_CAPTURE(decision, mnist_gaussian, kMnist, kGaussian)->Arg(470);
BENCHMARK_CAPTURE(decision, mnist_rank_one, kMnist, kRankOne)->Arg(470);
BENCHMARK_CAPTURE(decision, mnist_hadamard, kMnist, kHadamard)->Arg(470);
BENCHMARK_CAPTURE(decision, mnist_deep_rank_one, kMnistDeep, kRankOne)->Arg(470);
BENCHMARK_CAPTURE(decision, lenet_rank_one, kLenet, kRankOne)->Arg(470);
BENCHMARK_CAPTURE(decision, lenet_hadamard, kLenet, kHadamard)->Arg(470);
BENCHMARK_CAPTURE(decision, lenet_gaussian, kLenet, kGaussian)->Arg(100);

BENCHMARK_CAPTURE(part, mnist_gaussian_bind, kMnist, kGaussian, &Bound::bind)->Arg(470);
BENCHMARK_CAPTURE(part, mnist_gaussian_predict, kMnist, kGaussian, &Bound::predict)->Arg(470);
BENCHMARK_CAPTURE(part, mnist_gaussian_linearise, kMnist, kGaussian, &Bound::linearise)->Arg(470);
BENCHMARK_CAPTURE(part, mnist_rank_one_bind, kMnist, kRankOne, &Bound::bind)->Arg(470);
BENCHMARK_CAPTURE(part, mnist_rank_one_predict, kMnist, kRankOne, &Bound::predict)->Arg(470);
BENCHMARK_CAPTURE(part, mnist_rank_one_linearise, kMnist, kRankOne, &Bound::linearise)->Arg(470);
BENCHMARK_CAPTURE(part, lenet_rank_one_predict, kLenet, kRankOne, &Bound::predict)->Arg(470);
BENCHMARK_CAPTURE(part, lenet_rank_one_linearise, kLenet, kRankOne, &Bound::linearise)->Arg(470);

}  // namespace
}  // namespace bandolier
