#include "bandolier/agent/subspace_ekf.h"

#include <gtest/gtest.h>

#include <functional>

#include "bandolier/core/error.h"

namespace bandolier::subspace_ekf_test {
namespace {

constexpr Index kFeatures = 6;
constexpr Index kActions = 3;
const ProblemShape kShape{.features = kFeatures, .actions = kActions};

// Rewards that no linear model explains: |x_a| (0/1 where it is above its median).
class Problem {
 public:
  explicit Problem(Index steps, float factor = 1) : x_(steps, kFeatures), factor_(factor) {
    Random random({.seed = 5});
    random.fill_normal(VectorMap<float>(x_.data(), x_.size()));
  }
  Context context(Index t) const {
    return {
        Features::dense({x_.row(t).data(), static_cast<std::size_t>(kFeatures)}), kActions, {}, {}};
  }
  float reward(Index t, Index action) const {
    return std::abs(x_(t, action)) > 0.6745f ? factor_ : 0;
  }
  std::vector<Experience> warm_up(Index pulls) const {
    std::vector<Experience> experience;
    for (Index t = 0; t < pulls * kActions; ++t) {
      experience.push_back({context(t), t % kActions, reward(t, t % kActions)});
    }
    return experience;
  }

 private:
  Matrix<float> x_;
  float factor_;
};

struct Played {
  std::vector<Index> actions;
  double reward = 0;
  std::unique_ptr<Agent> agent;
};

Played run(const std::string& spec, const Problem& problem, Index pulls, Index steps) {
  Played played;
  played.agent = make_agent(spec, kShape);
  Random random({.seed = 8, .purpose = Purpose::kWarmUp});
  const auto experience = problem.warm_up(pulls);
  played.agent->warm_up(experience, random);
  const auto scratch = played.agent->make_scratch();
  for (Index t = pulls * kActions; t < steps; ++t) {
    Random choose({.seed = 8, .purpose = Purpose::kChoose, .step = static_cast<std::uint32_t>(t)});
    const Context context = problem.context(t);
    const Decision decision = played.agent->choose(context, choose, *scratch);
    const float reward = problem.reward(t, decision.action);
    played.agent->observe({context, decision.action, reward, decision.ticket}, choose, *scratch);
    played.actions.push_back(decision.action);
    played.reward += static_cast<double>(reward);
  }
  return played;
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

class EveryCombination : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryCombination, EarnsMoreThanUniformOnARewardThatIsNotLinear) {
  const Index steps = 700;
  const Problem problem(steps);
  const Played result = run(GetParam(), problem, 5, steps);
  // Uniform choices earn 0.5, the best 0.875.
  EXPECT_GT(result.reward / static_cast<double>(result.actions.size()), 0.56) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(
    Options, EveryCombination,
    ::testing::Values(
        "subspace-ekf:dim=150", "subspace-ekf:basis=gaussian,dim=100",
        "subspace-ekf:basis=gaussian,precision=half,dim=100",
        "subspace-ekf:basis=svd,precision=half,dim=60,epochs=100",
        "subspace-ekf:basis=hadamard,dim=100", "subspace-ekf:basis=svd,dim=60,epochs=100",
        "subspace-ekf:covariance=diag,dim=150", "subspace-ekf:offset=sgd,epochs=100,dim=150",
        "subspace-ekf:encoding=concat,dim=150", "subspace-ekf:encoding=outer,dim=150",
        "subspace-ekf:likelihood=bernoulli,dim=150", "subspace-ekf:likelihood=poisson,dim=150",
        "subspace-ekf:policy=ucb,dim=150", "subspace-ekf:policy=epsilon-greedy,dim=150",
        "subspace-ekf:temperature=1,dim=150", "subspace-ekf:noise_variance=0.1,dim=150",
        "subspace-ekf:prior_variance=0.1,noise_variance=0.1,dim=150",
        "subspace-ekf:prior_variance=0.1,dim=150", "subspace-ekf:process_noise=1e-5,dim=150",
        "subspace-ekf:forgetting=0.999,dim=150", "subspace-ekf:filter_warmup=false,dim=150",
        "subspace-ekf:model=mlp:20x20,dim=150", "subspace-ekf:model=mlp:30:tanh,dim=100",
        "ekf:model=mlp:20", "ekf:model=mlp:20,covariance=diag",
        "ekf:model=mlp:20,covariance=block"),
    [](const auto& tested) {
      std::string name = tested.param;
      for (char& letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
      }
      return name;
    });

TEST(SubspaceEkf, WithTheIdentityBasisChoosesAsEkfDoes) {
  const Problem problem(200);
  const Played whole = run("ekf:model=mlp:10", problem, 2, 200);
  const Played identity = run("subspace-ekf:model=mlp:10,basis=identity", problem, 2, 200);
  EXPECT_EQ(whole.actions, identity.actions);
}

TEST(SubspaceEkf, RewardsMultipliedBy1024ChangeNoAction) {
  for (const Index pulls : {0, 2}) {
    const Played one = run("subspace-ekf", Problem(300, 1), pulls, 300);
    const Played many = run("subspace-ekf", Problem(300, 1024), pulls, 300);
    EXPECT_EQ(one.actions, many.actions) << pulls;
  }
}

TEST(SubspaceEkf, WorksWithoutWarmUp) {
  const Problem problem(700);
  const Played result = run("subspace-ekf", problem, 0, 700);
  EXPECT_GT(result.reward / 700, 0.56);
}

TEST(SubspaceEkf, RefusesARewardOf1e30AndSaysSoAndKeepsItsBelief) {
  const Problem problem(100);
  Played result = run("subspace-ekf:dim=50", problem, 2, 60);
  auto& agent = dynamic_cast<SubspaceEkfAgent&>(*result.agent);
  const Vector<float> mean = agent.filter().mean();
  const Matrix<float> covariance = agent.filter().belief().covariance();
  const auto scratch = agent.make_scratch();
  Random random({.seed = 1});
  agent.observe({problem.context(60), 0, 1e30f, 0}, random, *scratch);
  EXPECT_EQ(agent.filter().mean(), mean);
  EXPECT_EQ(agent.filter().belief().covariance(), covariance);
  ASSERT_EQ(agent.report().notes.size(), 1u);
  EXPECT_NE(agent.report().notes[0].find("1 rewards were refused"), std::string::npos);
}

TEST(SubspaceEkf, ReportsDirectionsThatTrainingLacked) {
  const Problem problem(100);
  const Played result = run("subspace-ekf:basis=svd,dim=60,epochs=40,thinning=2", problem, 2, 30);
  const auto report = result.agent->report();
  EXPECT_EQ(report.subspace_dim, 60);
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_NE(report.notes[0].find("Gaussian ones were added"), std::string::npos);
}

TEST(SubspaceEkf, TakesMoreDirectionsForALargerShareOfTheIteratesVariance) {
  const Problem problem(30);
  const auto dim = [&](const std::string& share) {
    return *run("subspace-ekf:basis=svd,epochs=100,dim=" + share, problem, 2, 7)
                .agent->report()
                .subspace_dim;
  };
  EXPECT_LT(dim("0.8"), dim("0.9999"));
  EXPECT_LT(dim("0.9999"), 50);
}

TEST(SubspaceEkf, ChoosesItsDimByValidationWhereWarmUpHas200Rewards) {
  const Problem problem(300);
  const Played result = run("subspace-ekf", problem, 70, 220);
  const auto report = result.agent->report();
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_NE(report.notes[0].find("by validation on 210 warm-up rewards"), std::string::npos);
}

TEST(SubspaceEkf, CapsItsDefaultDimAtTheNumberOfParameters) {
  const Problem problem(30);
  const Played result = run("subspace-ekf:model=mlp:4", problem, 2, 30);
  EXPECT_EQ(result.agent->report().subspace_dim, 4 * 7 + 3 * 5);
}

TEST(SubspaceEkf, RefusesWhatMakesNoSenseAndSaysWhy) {
  const auto made = [](const std::string& spec) {
    return error_of([&] { make_agent(spec, kShape); });
  };
  EXPECT_NE(made("subspace-ekf:dim=1000").find("expected 1 to 503"), std::string::npos);
  EXPECT_NE(made("subspace-ekf:dim=2.5").find("whole number"), std::string::npos);
  EXPECT_NE(made("subspace-ekf:dim=0.5").find("basis=svd"), std::string::npos);
  EXPECT_NE(made("subspace-ekf:prior_variance=0").find("> 0"), std::string::npos);
  EXPECT_NE(made("subspace-ekf:noise_variance=-1").find("> 0"), std::string::npos);
  EXPECT_NE(made("subspace-ekf:covariance=block").find("basis=identity"), std::string::npos);
  EXPECT_NE(made("subspace-ekf:basis=svd,offset=random"), "");
  EXPECT_NE(made("subspace-ekf:precision=half").find("basis=gaussian or svd"), std::string::npos);
  EXPECT_NE(made("subspace-ekf:likelihood=poisson,noise_variance=1"), "");
  EXPECT_NE(made("subspace-ekf:model=lenet5"), "");
  EXPECT_NE(made("ekf:dim=5").find("no option 'dim'"), std::string::npos);
}

TEST(SubspaceEkf, RefusesACovarianceLargerThanTheMemoryAndNamesItsSize) {
  const Problem problem(10);
  // (6·10⁴ + 10⁴ + 3·10⁴ + 3)² floats.
  const std::string message = error_of([&] { run("ekf:model=mlp:20000x3", problem, 1, 3); });
  EXPECT_NE(message.find("GB are available"), std::string::npos) << message;
}

TEST(SubspaceEkf, RefusesRewardsThatItsLikelihoodCannotExplain) {
  const Problem threes(30, 3);
  EXPECT_NE(
      error_of([&] { run("subspace-ekf:likelihood=bernoulli", threes, 3, 30); }).find("bernoulli"),
      std::string::npos);
  const Problem negative(30, -1);
  EXPECT_NE(
      error_of([&] { run("subspace-ekf:likelihood=poisson", negative, 3, 30); }).find("poisson"),
      std::string::npos);
}

TEST(SubspaceEkf, SvdWithoutWarmUpRewardsIsAnError) {
  const Problem problem(10);
  EXPECT_NE(error_of([&] { run("subspace-ekf:basis=svd", problem, 0, 10); }).find("none"),
            std::string::npos);
}

TEST(SubspaceEkf, ALateRewardTeachesTheSameWithAndWithoutTheDecisionsWork) {
  const Problem problem(60);
  const Played fresh = run("subspace-ekf:dim=40,basis=gaussian", problem, 2, 50);
  auto reusing = fresh.agent->clone(), binding = fresh.agent->clone();
  Random random({.seed = 3});
  const auto scratch = reusing->make_scratch(), other = binding->make_scratch();
  const Decision decision = reusing->choose(problem.context(50), random, *scratch);
  reusing->observe({problem.context(50), 1, 1, decision.ticket}, random, *scratch);
  binding->observe({problem.context(50), 1, 1, 0}, random, *other);
  EXPECT_EQ(dynamic_cast<SubspaceEkfAgent&>(*reusing).filter().mean(),
            dynamic_cast<SubspaceEkfAgent&>(*binding).filter().mean());
}

}  // namespace
}  // namespace bandolier::subspace_ekf_test
