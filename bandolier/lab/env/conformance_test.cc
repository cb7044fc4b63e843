// What every registered environment promises, each made from small generated files where it needs
// files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/test_data.h"

namespace bandolier::conformance_test {
namespace {

constexpr Index kSteps = 40;

class EnvironmentConformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "fashion-mnist" &&
        !std::filesystem::exists("/usr/share/datasets/fashion-mnist")) {
      GTEST_SKIP() << "Debian's package dataset-fashion-mnist is not installed";
    }
    testing::write_generated_data(folder_);
    environment_ = make_environment(spec());
  }

  std::string spec() const { return testing::generated_spec(GetParam(), folder_); }
  Index steps() const { return std::min(kSteps, environment_->max_steps().value_or(kSteps)); }
  std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t number) const {
    return environment_->trial(seed, number, steps());
  }

  testing::TemporaryFolder folder_;
  testing::ScopedVariable data_{"BANDOLIER_DATA", folder_.path().string()};
  std::unique_ptr<Environment> environment_;
};

// All that a trial says, as bytes, step by step in the order given.
std::vector<float> step_of(const Trial& trial, const ProblemShape& shape, Index t) {
  ContextBuffer buffer;
  const Context context = trial.context(t, buffer);
  check(context, shape);
  std::vector<float> all(context.features.values.begin(), context.features.values.end());
  all.insert(all.end(), context.action_features.begin(), context.action_features.end());
  std::vector<float> expected(static_cast<std::size_t>(context.actions));
  trial.expected_rewards(t, expected);
  all.insert(all.end(), expected.begin(), expected.end());
  for (Index a = 0; a < context.actions; ++a) {
    all.push_back(trial.reward(t, a));
    all.push_back(trial.observed_reward(t, a));
  }
  return all;
}

std::vector<std::vector<float>> play(const Trial& trial, const ProblemShape& shape) {
  std::vector<std::vector<float>> steps;
  for (Index t = 0; t < trial.steps(); ++t) steps.push_back(step_of(trial, shape, t));
  return steps;
}

TEST_P(EnvironmentConformance, ContextsFitTheShape) {
  const ProblemShape shape = environment_->shape();
  EXPECT_NO_THROW(check(shape));
  EXPECT_NO_THROW(play(*trial(1, 0), shape));
}

TEST_P(EnvironmentConformance, IsPureInT) {
  const ProblemShape shape = environment_->shape();
  const auto first = trial(1, 0);
  const auto forwards = play(*first, shape);
  for (Index t = first->steps(); t-- > 0;) {
    EXPECT_EQ(step_of(*first, shape, t), forwards[static_cast<std::size_t>(t)]) << "step " << t;
  }
}

TEST_P(EnvironmentConformance, OneRewardDoesNotDependOnTheOthersAsked) {
  const auto asked = trial(1, 0), alone = trial(1, 0);
  const Index actions = environment_->shape().actions;
  for (Index t = 0; t < steps(); ++t) {
    std::vector<float> rewards;
    for (Index a = actions; a-- > 0;) rewards.insert(rewards.begin(), asked->reward(t, a));
    const Index one = t % actions;
    EXPECT_EQ(alone->reward(t, one), rewards[static_cast<std::size_t>(one)]);
  }
}

TEST_P(EnvironmentConformance, SameSeedSameBytes) {
  const ProblemShape shape = environment_->shape();
  EXPECT_EQ(play(*trial(5, 2), shape),
            play(*make_environment(spec())->trial(5, 2, steps()), shape));
}

TEST_P(EnvironmentConformance, TrialsAndSeedsDiffer) {
  const ProblemShape shape = environment_->shape();
  const auto one = play(*trial(5, 2), shape);
  EXPECT_NE(one, play(*trial(5, 3), shape));
  EXPECT_NE(one, play(*trial(6, 2), shape));
}

TEST_P(EnvironmentConformance, AShorterTrialIsTheBeginningOfALongerOne) {
  const ProblemShape shape = environment_->shape();
  auto longer = play(*trial(5, 2), shape);
  longer.resize(static_cast<std::size_t>(steps() / 2));
  EXPECT_EQ(play(*environment_->trial(5, 2, steps() / 2), shape), longer);
}

TEST_P(EnvironmentConformance, ExpectedRewardsAreTheMeanOfRewards) {
  // Over steps and trials, with action a's noise: Σ(r − E r) / √Σ(r − E r)² is about N(0, 1).
  const Index actions = environment_->shape().actions;
  for (Index a = 0; a < actions; ++a) {
    double sum = 0, squares = 0;
    for (std::uint32_t number = 0; number < 50; ++number) {
      const auto one = trial(9, number);
      std::vector<float> expected(static_cast<std::size_t>(actions));
      for (Index t = 0; t < steps(); ++t) {
        one->expected_rewards(t, expected);
        const double error = static_cast<double>(one->reward(t, a)) -
                             static_cast<double>(expected[static_cast<std::size_t>(a)]);
        sum += error;
        squares += error * error;
      }
    }
    EXPECT_LE(std::abs(sum), 4.5 * std::sqrt(squares) + 1e-12) << "action " << a;
  }
}

TEST_P(EnvironmentConformance, DefaultStepsAreAllRowsOrFiveThousand) {
  EXPECT_EQ(environment_->default_steps(), environment_->max_steps().value_or(5000));
}

TEST_P(EnvironmentConformance, RefusesAnUnknownOptionByName) {
  const std::string with =
      spec() + (spec().find(':') == std::string::npos ? ":" : ",") + "colour=1";
  try {
    make_environment(with);
    FAIL() << "accepted " << with;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has no option 'colour'"), std::string::npos)
        << error.what();
  }
}

TEST_P(EnvironmentConformance, DocumentsEveryOption) {
  for (const auto& option : find_environment(GetParam()).options()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_FALSE(option.expected.empty()) << option.name;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : environments()) out.push_back(entry.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, EnvironmentConformance, ::testing::ValuesIn(names()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace bandolier::conformance_test
