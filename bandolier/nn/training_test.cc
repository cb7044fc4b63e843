#include "bandolier/nn/training.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <tuple>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"
#include "testing/allocations.h"
#include "testing/option_tables.h"

namespace bandolier::training_test {
namespace {

Random stream(std::uint64_t seed) { return Random({seed, Purpose::kTest, 0, 0}); }

// y = 3 x₀ − x₁ for output 0, 2 + x₁ for output 1: rows of either.
struct Linear {
  Matrix<float> x = Matrix<float>(40, 2);
  std::vector<Index> outputs;
  std::vector<float> targets;
  Linear() {
    Random random = stream(1);
    VectorMap<float> values(x.data(), x.size());
    random.fill_normal(values);
    for (Index i = 0; i < 40; ++i) {
      outputs.push_back(i % 2);
      // What no weights explain keeps the loss above 0, at which a training would end.
      const float rest = i % 4 < 2 ? 1e-3f : -1e-3f;
      targets.push_back((i % 2 == 0 ? 3 * x(i, 0) - x(i, 1) : 2 + x(i, 1)) + rest);
    }
  }
  TrainingSet set() const { return {x, outputs, targets}; }
};

TEST(Train, FindsTheWeightsOfALinearModelWithEveryOptimiser) {
  const Linear data;
  const Network network = Network::parse("linear", 2, 2);
  for (const auto& [kind, rate, batch] :
       {std::tuple(OptimiserKind::kSgd, 0.1, 0), std::tuple(OptimiserKind::kSgd, 0.02, 8),
        std::tuple(OptimiserKind::kAdam, 0.05, 0), std::tuple(OptimiserKind::kRmsprop, 0.02, 8)}) {
    TrainingOptions options;
    options.optimiser = kind;
    options.learning_rate = rate;
    options.batch_size = batch;
    options.epochs = 1000;
    if (options.optimiser == OptimiserKind::kRmsprop) options.rate_decay = 0.01;
    Optimiser optimiser(options, network.parameters());
    Vector<float> p = Vector<float>::Zero(6);
    Random random = stream(2);
    const TrainingResult result = train(network, data.set(), options, optimiser, p, random);
    Vector<float> expected(6);
    expected << 3, -1, 0, 1, 0, 2;
    EXPECT_LT((p - expected).cwiseAbs().maxCoeff(), 2e-3) << to_word(kind) << " " << batch;
    EXPECT_FALSE(result.diverged);
    EXPECT_LT(result.loss, 1e-5);
    EXPECT_EQ(result.steps, batch == 0 ? 1000 : 5000);
  }
}

TEST(TrainingOptions, ComeBackAsTheyWereTyped) {
  testing::expect_every_option_comes_back(training_options());
}

TEST(Train, FirstFullBatchStepFollowsTheMeanGradientOfPlayedOutputsOnly) {
  const Linear data;
  const Network network = Network::parse("linear", 2, 2);
  TrainingOptions options;
  options.learning_rate = 1;
  options.momentum = 0;
  options.epochs = 1;
  Optimiser optimiser(options, 6);
  Vector<float> p = Vector<float>::Zero(6);
  Random random = stream(2);
  double seen = 0;
  const auto result = train(network, data.set(), options, optimiser, p, random,
                            [&](std::int64_t step, const ConstVectorRef<float>& iterate) {
                              EXPECT_EQ(step, 1);
                              seen = static_cast<double>(iterate[0]);
                            });
  // At 0 the error is −target: θ₁ = mean of target·x over all rows (other outputs count as 0).
  double w00 = 0, b1 = 0, loss = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const auto target = static_cast<double>(data.targets[i]);
    loss += target * target / 80;
    if (data.outputs[i] == 0) {
      w00 += target * static_cast<double>(data.x(static_cast<Index>(i), 0)) / 40;
    } else {
      b1 += target / 40;
    }
  }
  EXPECT_NEAR(static_cast<double>(p[0]), w00, 1e-5);
  EXPECT_NEAR(static_cast<double>(p[5]), b1, 1e-5);
  EXPECT_EQ(seen, static_cast<double>(p[0]));
  EXPECT_NEAR(result.loss, loss, 1e-4);
}

TEST(Train, MinibatchEpochOfAConstantGradientVisitsEveryRowOnce) {
  // One weight-free prediction (inputs 0): the bias moves by the mean error of each batch.
  const Network network = Network::parse("linear", 1, 1);
  const Matrix<float> x = Matrix<float>::Zero(10, 1);
  const std::vector<Index> outputs(10, 0);
  std::vector<float> targets(10);
  for (std::size_t i = 0; i < 10; ++i) targets[i] = static_cast<float>(i);
  TrainingOptions options;
  options.learning_rate = 1e-4;  // so small that predictions stay 0
  options.momentum = 0;
  options.epochs = 1;
  options.batch_size = 4;  // 4 + 4 + 2
  Optimiser optimiser(options, 2);
  Vector<float> p = Vector<float>::Zero(2);
  Random random = stream(3);
  const auto result = train(network, {x, outputs, targets}, options, optimiser, p, random);
  EXPECT_EQ(result.steps, 3);
  EXPECT_NEAR(result.loss, 285.0 / 20, 1e-2);  // Σ i² / 2 / 10
}

TEST(Train, RestoresTheBestWeightsWhenTheLossStopsBeingFinite) {
  const Linear data;
  const Network network = Network::parse("mlp:5", 2, 2);
  TrainingOptions options;
  options.learning_rate = 1e6;
  Optimiser optimiser(options, network.parameters());
  Random random = stream(4);
  const Vector<float> start = network.initial_parameters<float>(random);
  Vector<float> p = start;
  const TrainingResult result = train(network, data.set(), options, optimiser, p, random);
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(p, start);
  EXPECT_TRUE(std::isfinite(result.loss));
}

// f(x) = w x + b at w = 1e25, x = 1, target 0: loss 5e49, finite; gradient 1e25, whose square is
// not.
TEST(Train, TakesNoStepWhereTheGradientIsTooLargeToSquare) {
  const Network network = Network::parse("linear", 1, 1);
  const Matrix<float> x = Matrix<float>::Ones(1, 1);
  const std::vector<Index> outputs = {0};
  const std::vector<float> targets = {0};
  TrainingOptions options;
  options.optimiser = OptimiserKind::kRmsprop;
  Optimiser optimiser(options, 2);
  Vector<float> p(2);
  p << 1e25f, 0;
  const Vector<float> start = p;
  Random random = stream(4);
  const auto result = train(network, {x, outputs, targets}, options, optimiser, p, random);
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(p, start);
}

TEST(Train, ABatchLargerThanTheDataIsAllTheData) {
  const Linear data;
  const Network network = Network::parse("linear", 2, 2);
  TrainingOptions options;
  options.epochs = 3;
  options.batch_size = 1000;
  Optimiser optimiser(options, 6);
  Vector<float> p = Vector<float>::Zero(6);
  Random random = stream(5);
  EXPECT_EQ(train(network, data.set(), options, optimiser, p, random).steps, 3);
}

// An outer encoding of 3 actions: row i's 2 features in block i % 3 of 6 inputs.
struct Blocks {
  Matrix<float> x = Matrix<float>(30, 2), whole = Matrix<float>::Zero(30, 6);
  std::vector<Index> outputs = std::vector<Index>(30, 0), blocks;
  std::vector<float> targets;
  Blocks() {
    Random random = stream(6);
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    for (Index i = 0; i < 30; ++i) {
      blocks.push_back((i * i) % 3);
      whole.row(i).segment(2 * blocks.back(), 2) = x.row(i);
      targets.push_back(x(i, 0) * static_cast<float>(blocks.back()) - 0.5f);
    }
  }
};

TEST(Train, OfBlocksIsTheTrainingOfTheWholeInputs) {
  const Blocks data;
  for (const char* model : {"linear", "mlp:5", "mlp:4x3:tanh"}) {
    const Network network = Network::parse(model, 6, 1);
    for (const std::int64_t batch : {0, 1, 7}) {
      TrainingOptions options;
      options.learning_rate = 0.01;
      options.weight_decay = 0.1;
      options.epochs = 20;
      options.batch_size = batch;
      Random random = stream(7);
      const Vector<float> start = network.initial_parameters<float>(random);
      Vector<float> by_block = start, by_whole = start;
      Random one = stream(8), two = stream(8);
      Optimiser first(options, start.size()), second(options, start.size());
      const auto blocks = train(network, {data.x, data.outputs, data.targets, data.blocks}, options,
                                first, by_block, one);
      const auto whole =
          train(network, {data.whole, data.outputs, data.targets}, options, second, by_whole, two);
      EXPECT_LT((by_block - by_whole).cwiseAbs().maxCoeff(), 1e-5) << model << " " << batch;
      EXPECT_GT((by_block - start).cwiseAbs().maxCoeff(), 1e-2);
      EXPECT_NEAR(blocks.loss, whole.loss, 1e-5);
      EXPECT_EQ(blocks.steps, whole.steps);
    }
  }
}

TEST(Train, EndsAtTheStepLimitOrAtTheLossAskedFor) {
  const Linear data;
  const Network network = Network::parse("linear", 2, 2);
  TrainingOptions options;
  options.batch_size = 8;
  options.max_steps = 12;
  options.learning_rate = 0.1;
  Optimiser optimiser(options, 6);
  Vector<float> p = Vector<float>::Zero(6);
  Random random = stream(9);
  EXPECT_EQ(train(network, data.set(), options, optimiser, p, random).steps, 12);
  options.max_steps = 0;
  options.stop_loss = 0.01;
  options.epochs = 10'000;
  const auto result = train(network, data.set(), options, optimiser, p, random);
  EXPECT_LE(result.loss, 0.01);
  EXPECT_LT(result.steps, 10'000 * 5);
  EXPECT_EQ(result.steps % 5, 0);
}

TEST(Train, TakesNoFurtherStepOnceItShallStop) {
  const Linear data;
  const Network network = Network::parse("linear", 2, 2);
  std::atomic<bool> stop{false};
  const StopScope scope(&stop);
  for (const std::int64_t batch : {0, 8}) {
    TrainingOptions options;
    options.batch_size = batch;
    options.epochs = 1'000'000'000;
    Optimiser optimiser(options, 6);
    Vector<float> p = Vector<float>::Zero(6);
    Random random = stream(9);
    std::int64_t steps = 0;
    stop = false;
    EXPECT_THROW(train(network, data.set(), options, optimiser, p, random,
                       [&](std::int64_t step, const ConstVectorRef<float>&) {
                         steps = step;
                         stop = step == 12;
                       }),
                 Stopped);
    EXPECT_EQ(steps, 12) << batch;
  }
}

TEST(Train, AllocatesNothingTheSecondTime) {
  const Blocks data;
  const Network network = Network::parse("mlp:5", 6, 1);
  TrainingOptions options;
  options.momentum = 0;
  options.epochs = 3;
  Random random = stream(10);
  Vector<float> p = network.initial_parameters<float>(random);
  TrainingScratch work;
  Optimiser optimiser(options, p.size());
  const TrainingSet blocks{data.x, data.outputs, data.targets, data.blocks};
  train(network, blocks, options, optimiser, p, random, work);
  const std::int64_t before = testing::allocations();
  train(network, blocks, options, optimiser, p, random, work);
  EXPECT_EQ(testing::allocations() - before, 0);
}

TEST(TrainingOptions, RefuseNoEpochsAndNegativeRates) {
  EXPECT_THROW(training_options().parse("agent 'x'", {{"epochs", "0"}}), Error);
  EXPECT_THROW(training_options().parse("agent 'x'", {{"learning_rate", "-1"}}), Error);
  EXPECT_THROW(training_options().parse("agent 'x'", {{"optimiser", "lbfgs"}}), Error);
  EXPECT_EQ(training_options().parse("agent 'x'", {{"epochs", "7"}}).epochs, 7);
}

}  // namespace
}  // namespace bandolier::training_test
