#include "bandolier/subspace/warm_up_training.h"

#include <gtest/gtest.h>

#include "bandolier/subspace/offset.h"

namespace bandolier::warm_up_training_test {
namespace {

// Rewards of action a are 3·x_a.
struct WarmUp {
  WarmUp() {
    features.reserve(30);
    Random random({41, Purpose::kTest, 0, 0});
    for (int i = 0; i < 30; ++i) {
      auto& x = features.emplace_back(2);
      for (float& value : x) value = static_cast<float>(random.normal());
      const Index action = i % 2;
      experience.push_back(
          {{Features::dense(x), 2, {}, {}}, action, 3 * x[static_cast<std::size_t>(action)]});
    }
  }
  std::vector<std::vector<float>> features;
  std::vector<Experience> experience;
};

TEST(TrainOnWarmUp, FitsTheObservedRewardsAndKeepsEveryThirdIterate) {
  const WarmUp warm_up;
  ProblemShape shape;
  shape.features = 2;
  shape.actions = 2;
  const Encoder encoder(Encoding::kMultiHead, shape);
  const Network network = Network::parse("linear", 2, 2);
  TrainingOptions options;
  options.epochs = 300;
  Random random({42, Purpose::kTest, 0, 0});
  const WarmUpTraining training =
      train_on_warm_up(encoder, network, warm_up.experience, options, 3,
                       Vector<float>::Zero(network.parameters()), random);
  EXPECT_EQ(training.iterates.rows(), 100);
  EXPECT_EQ(training.iterates.row(99).transpose(), training.parameters);
  // W = 3I, b = 0.
  Vector<float> expected(6);
  expected << 3, 0, 0, 3, 0, 0;
  EXPECT_LT((training.parameters - expected).cwiseAbs().maxCoeff(), 3e-3);
}

TEST(Offset, RandomIsSavedAsItsKeyAndTrainedInFull) {
  const Network network = Network::parse("mlp:30", 20, 3);
  const Offset random = random_offset(network, {43, Purpose::kTest, 0, 0});
  for (const bool as_key : {true, false}) {
    ArchiveWriter out;
    save_offset(random.parameters, as_key ? random.key : std::nullopt, out);
    const std::string bytes = out.finish();
    EXPECT_EQ(bytes.size() < 500, as_key);
    ArchiveReader in(bytes, "test");
    EXPECT_EQ(load_offset(network, in).parameters, random.parameters);
  }
}

}  // namespace
}  // namespace bandolier::warm_up_training_test
