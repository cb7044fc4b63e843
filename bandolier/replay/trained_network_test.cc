#include "bandolier/replay/trained_network.h"

#include <gtest/gtest.h>

#include "testing/option_tables.h"

namespace bandolier::trained_network_test {
namespace {

const ProblemShape kShape{.features = 2, .actions = 3};

// Rows (i, −i)/10 of action i mod 3, whose reward is i/10.
void remember(TrainedNetwork& network, Index rows) {
  for (Index i = 0; i < rows; ++i) {
    const float x[] = {static_cast<float>(i) / 10, static_cast<float>(-i) / 10};
    network.remember({{Features::dense(x), 3, {}, {}}, i % 3, x[0]});
  }
}

TrainingOptions of_rate(double rate) {
  TrainingOptions options;
  options.optimiser = OptimiserKind::kSgd;
  options.learning_rate = rate;
  options.gradient_clip = 0;
  options.epochs = 20;
  return options;
}

TEST(TrainedNetwork, RemembersAnExperienceAsARowAndCountsThoseItHasForgotten) {
  TrainedNetwork network("mlp:4", Encoding::kMultiHead, kShape, 5, 1);
  remember(network, 8);
  EXPECT_EQ(network.steps(), 8);
  const TrainingSet rows = network.memory().rows();
  ASSERT_EQ(rows.size(), 5);
  float sum = 0;
  for (Index i = 0; i < 5; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(rows.inputs(i, 0), rows.targets[at]);
    EXPECT_EQ(rows.inputs(i, 1), -rows.targets[at]);
    sum += rows.targets[at];
  }
  EXPECT_FLOAT_EQ(sum, 2.5f);  // of the last five: 0.3 … 0.7
}

TEST(TrainedNetwork, AfterATrainingThatDivergesHasTheBestWeightsOfTheLastThatDidNot) {
  TrainedNetwork network("mlp:4", Encoding::kMultiHead, kShape, std::nullopt, 1);
  Random random({.seed = 1});
  network.start({}, random);
  remember(network, 12);
  TrainingScratch work;
  // Half the squared error of each row at its output, from the formula.
  const auto loss = [&] {
    const TrainingSet rows = network.memory().rows();
    NetworkScratch<float> pass;
    const Matrix<float>& out =
        network.network().forward<float>(network.parameters(), rows.inputs, pass);
    double sum = 0;
    for (Index i = 0; i < rows.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double error = static_cast<double>(out(i, rows.outputs[at]) - rows.targets[at]);
      sum += error * error / 2;
    }
    return sum;
  };
  const double untrained = loss();
  EXPECT_FALSE(network.fit(of_rate(0.01), random, work).diverged);
  const double trained = loss();
  EXPECT_LT(trained, untrained);
  EXPECT_TRUE(network.fit(of_rate(1e30), random, work).diverged);
  EXPECT_LE(loss(), 1.1 * trained);
  std::vector<Note> notes;
  network.add_notes(notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].count, 1);
}

TEST(ReplayOptions, ComeBackAsTheyWereTyped) {
  testing::expect_every_option_comes_back(replay_options());
}

}  // namespace
}  // namespace bandolier::trained_network_test
