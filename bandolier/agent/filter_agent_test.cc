// The one agent with Kalman filters, whatever the name that configures it: that every combination
// of options works or is refused with a reason, and what they make of its belief.
#include "bandolier/agent/filter_agent.h"

#include <gtest/gtest.h>

#include <cctype>

#include "bandolier/agent/test_played.h"
#include "testing/errors.h"

namespace bandolier::filter_agent_test {
namespace {

using played_test::belief;
using played_test::kShape;
using played_test::Played;
using played_test::Problem;
using played_test::run;
using testing::error_of;

class EveryCombination : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryCombination, EarnsMoreThanUniformOnARewardThatIsNotLinear) {
  const Index steps = 700;
  const Problem problem(steps);
  const Played result = run(GetParam(), problem, 5, steps);
  // Uniform choices earn 0.5, the best 0.875.
  EXPECT_GT(result.mean_reward(), 0.56) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    Options, EveryCombination,
    ::testing::Values(
        "subspace-ekf:dim=150", "subspace-ekf:basis=gaussian,dim=100",
        "subspace-ekf:basis=gaussian,precision=half,dim=100",
        "subspace-ekf:basis=svd,precision=half,dim=60,epochs=100",
        "subspace-ekf:basis=hadamard,dim=100", "subspace-ekf:basis=svd,dim=60,epochs=100",
        "subspace-ekf:covariance=diag,dim=150", "subspace-ekf:covariance=low-rank,rank=30,dim=150",
        "subspace-ekf:offset=sgd,epochs=100,dim=150", "subspace-ekf:encoding=concat,dim=150",
        "subspace-ekf:encoding=outer,dim=150", "subspace-ekf:likelihood=bernoulli,dim=150",
        "subspace-ekf:likelihood=poisson,dim=150", "subspace-ekf:policy=ucb,dim=150",
        "subspace-ekf:policy=epsilon-greedy,dim=150", "subspace-ekf:temperature=1,dim=150",
        "subspace-ekf:noise_variance=0.1,dim=150",
        "subspace-ekf:prior_variance=0.1,noise_variance=0.1,dim=150",
        "subspace-ekf:prior_variance=0.1,dim=150", "subspace-ekf:process_noise=1e-5,dim=150",
        "subspace-ekf:forgetting=0.999,dim=150", "subspace-ekf:robust=true,dim=150",
        "subspace-ekf:filter_warmup=false,dim=150", "subspace-ekf:model=mlp:20x20,dim=150",
        "subspace-ekf:model=mlp:30:tanh,dim=100", "ekf:model=mlp:20",
        "ekf:model=mlp:20,covariance=diag", "ekf:model=mlp:20,covariance=block",
        "subspace-ekf:head=full", "subspace-ekf:head=full,likelihood=bernoulli",
        "subspace-ekf:head=full,noise_variance=0.1",
        "subspace-ekf:head=full,covariance=diag,head_covariance=diag",
        "subspace-ekf:head=full,filter_warmup=false"),
    [](const auto& tested) {
      std::string name = tested.param;
      for (char& letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
      }
      return name;
    });

TEST(FilterAgent, RefusesARewardOf1e30AndSaysSoAndKeepsItsBelief) {
  const Problem problem(100);
  const Played result = run("subspace-ekf:dim=50", problem, 2, 60);
  Agent& agent = *result.agent;
  const Vector<float> mean = belief(agent).body_mean();
  const Matrix<float> covariance = belief(agent).covariance();
  const auto scratch = agent.make_scratch();
  Random random({.seed = 1});
  EXPECT_FALSE(agent.observe({problem.context(60), 0, 1e30f, 0}, random, *scratch));
  EXPECT_EQ(belief(agent).body_mean(), mean);
  EXPECT_EQ(belief(agent).covariance(), covariance);
  ASSERT_EQ(agent.report().notes.size(), 1u);
  EXPECT_NE(agent.report().notes[0].to_text().find("1 rewards were refused"), std::string::npos);
}

TEST(FilterAgent, ALateRewardTeachesTheSameWithAndWithoutTheDecisionsWork) {
  const Problem problem(60);
  const Played fresh = run("subspace-ekf:dim=40,basis=gaussian", problem, 2, 50);
  auto reusing = fresh.agent->clone(), binding = fresh.agent->clone();
  Random random({.seed = 3});
  const auto scratch = reusing->make_scratch(), other = binding->make_scratch();
  const Decision decision = reusing->choose(problem.context(50), random, *scratch);
  reusing->observe({problem.context(50), 1, 1, decision.ticket}, random, *scratch);
  binding->observe({problem.context(50), 1, 1, 0}, random, *other);
  EXPECT_EQ(belief(*reusing).body_mean(), belief(*binding).body_mean());
}

// One per prior scale, one that forgets faster than the others, the linear model and one near it.
TEST(FilterAgent, HasTheMembersThatItsOptionsAskFor) {
  const auto members = [](const std::string& options) {
    const Played played = run("subspace-ekf:model=mlp:4" + options, Problem(10), 1, 3);
    std::vector<std::string> names;
    for (const auto& member : dynamic_cast<FilterAgent&>(*played.agent).mixture().members()) {
      names.push_back(member.name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(members(""), Names{"filter"});
  EXPECT_EQ(members(",prior_predictive=1/10"), (Names{"prior_1", "prior_10"}));
  EXPECT_EQ(members(",tracker=0.99,linear=true"), (Names{"filter", "tracker", "linear"}));
  EXPECT_EQ(members(",head=full,skip=true,near_linear=true"), (Names{"filter", "near_linear"}));
  EXPECT_EQ(members(",prior_variance=0.1,prior_predictive=1/10"), Names{"filter"});
}

TEST(FilterAgent, ReportsTheWeightsOfSeveralMembersWhichSumToOneAndNoneOfOne) {
  const auto weights = [](const std::string& spec) {
    std::map<std::string, double> found;
    for (const auto& [name, value] : run(spec, Problem(60), 1, 60).agent->report().signals) {
      if (name.starts_with("weight_")) found[name] = value;
    }
    return found;
  };
  EXPECT_TRUE(weights("subspace-ekf:model=mlp:4").empty());
  const auto several = weights("subspace-ekf:model=mlp:4,tracker=0.9,linear=true");
  ASSERT_EQ(several.size(), 3u);
  EXPECT_NEAR(
      several.at("weight_filter") + several.at("weight_tracker") + several.at("weight_linear"), 1,
      1e-12);
}

// The gradient of a linear model with multi-head encoding is (x, 1) in its action's block. Before
// any reward is believed, P = c/mean‖g‖² in every direction.
TEST(FilterAgent, PriorIsSuchThatARewardsPredictiveVarianceIsSoManyTimesTheNoise) {
  const Problem problem(30);
  double squares = 0;
  for (Index t = 0; t < 12; ++t) {
    const auto x = problem.context(t).features.values;
    squares += 1;
    for (const float value : x) squares += static_cast<double>(value) * static_cast<double>(value);
  }
  const auto agent = [&](const std::string& options) {
    return run("ekf:model=linear,filter_warmup=false,prior_predictive=7" + options, problem, 4, 12)
        .agent;
  };
  const Matrix<float> inferred = belief(*agent("")).covariance();
  const double expected = 7 / (squares / 12);
  EXPECT_LT(
      (inferred.cast<double>() - expected * Matrix<double>::Identity(21, 21)).cwiseAbs().maxCoeff(),
      1e-5);
  const Matrix<float> known = belief(*agent(",noise_variance=0.2")).covariance();
  EXPECT_NEAR(static_cast<double>(known(0, 0)), 0.2 * expected, 1e-5);
  EXPECT_NEAR(agent("")->report().signals.at("prior_variance"), expected, 1e-5);
}

// h = 7 + 1 without skip, 7 + 6 + 1 with; blocks of z and of three heads, or all in one.
TEST(FilterAgent, BeliefHoldsTheBlocksOrTheWholeCovariance) {
  const auto bytes = [](const std::string& options) {
    const std::string spec = "subspace-ekf:model=mlp:7,dim=5,head=full" + options;
    return static_cast<std::int64_t>(run(spec, Problem(1), 0, 0).agent->report().belief_bytes);
  };
  const auto squares = [](int n) { return 4 * n * n + 4 * n; };
  const std::int64_t rest = bytes("") - squares(5) - 3 * squares(8);
  EXPECT_GT(rest, 0);
  EXPECT_EQ(bytes(",skip=true"), rest + squares(5) + 3 * squares(14));
  EXPECT_EQ(bytes(",joint=true"), rest + squares(5 + 3 * 8));
}

TEST(FilterAgent, RefusesOptionsThatDoNotGoTogetherAndSaysWhatToDo) {
  const auto expect_refused = [](const std::string& options, const std::string& saying) {
    const std::string said = error_of([&] { make_agent("subspace-ekf:" + options, kShape); });
    EXPECT_NE(said.find(saying), std::string::npos) << options << ": " << said;
  };
  expect_refused("dim=1000", "expected 1 to 503");
  expect_refused("dim=2.5", "whole number");
  expect_refused("dim=0.5", "basis=svd");
  expect_refused("dim=50,covariance=low-rank,rank=51", "expected at most 50");
  expect_refused("prior_variance=0", "> 0");
  expect_refused("noise_variance=-1", "> 0");
  expect_refused("prior_predictive=1/x", "expected numbers > 0 with / between them");
  expect_refused("covariance=block", "basis=identity");
  expect_refused("basis=identity,dim=5", "leave dim out");
  expect_refused("precision=half", "basis=gaussian or svd");
  expect_refused("likelihood=poisson,noise_variance=1", "leave noise_variance out");
  expect_refused("likelihood=poisson,reward_unit=1", "leave reward_unit out");
  expect_refused("model=lenet5", "");
  for (const std::string option : {"skip=true", "joint=true", "head_covariance=diag"}) {
    expect_refused(option, "add head=full");
  }
  for (const std::string option : {"basis=svd", "basis=identity", "basis=gaussian,precision=half",
                                   "offset=sgd", "centre=true"}) {
    expect_refused("head=full," + option, "does not go with head=full: expected");
  }
  expect_refused("head=full,covariance=block", "covariance=full or diag");
  EXPECT_NE(error_of([] { make_agent("ekf:dim=5", kShape); }).find("no option 'dim'"),
            std::string::npos);
}

TEST(FilterAgent, RefusesACovarianceLargerThanTheMemoryAndNamesItsSize) {
  // (6·2·10⁴ + 2·10⁴ + 3·2·10⁴ + 3 + 3·3 + 3)² floats.
  const std::string message = error_of([] { make_agent("ekf:model=mlp:20000x3", kShape); });
  EXPECT_NE(message.find("GB are available"), std::string::npos) << message;
}

TEST(FilterAgent, RefusesRewardsThatItsLikelihoodCannotExplain) {
  const Problem threes(30, {.factor = 3}), negative(30, {.factor = -1});
  for (const std::string head : {"", ",head=full"}) {
    EXPECT_NE(error_of([&] {
                run("subspace-ekf:likelihood=bernoulli" + head, threes, 3, 30);
              }).find("bernoulli"),
              std::string::npos);
    EXPECT_NE(error_of([&] {
                run("subspace-ekf:likelihood=poisson" + head, negative, 3, 30);
              }).find("poisson"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace bandolier::filter_agent_test
