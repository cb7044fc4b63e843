#include "bandolier/agent/subspace_head.h"

#include <gtest/gtest.h>

#include "bandolier/agent/registry.h"
#include "testing/errors.h"

namespace bandolier::subspace_head_test {
namespace {

const ProblemShape kShape{.features = 4, .actions = 3};

TEST(SubspaceHead, IsABankOfOneFilterWithTheOptionsAsked) {
  SubspaceEkfOptions options;
  options.head = "full";
  options.model = "mlp:7";
  options.skip = options.joint = true;
  options.prior_predictive = 9;
  options.forgetting = 0.5;
  const BankOptions bank = subspace_head_bank(options);
  ASSERT_EQ(bank.members.size(), 1u);
  EXPECT_EQ(bank.members[0].prior_predictive, 9);
  EXPECT_EQ(bank.members[0].filter.forgetting, 0.5);
  EXPECT_TRUE(bank.members[0].filter.joint);
  ASSERT_EQ(bank.models.size(), 1u);
  EXPECT_EQ(bank.models[0].text, "mlp:7");
  EXPECT_TRUE(bank.models[0].options.skip);
  EXPECT_EQ(bank.models[0].options.dim, 200);
}

// h = 7 + 1 without skip, 7 + 4 + 1 with; blocks of z and of three heads, or all in one.
TEST(SubspaceHead, BeliefHoldsTheBlocksOrTheWholeCovariance) {
  const auto bytes = [](const std::string& spec) {
    const auto agent = make_agent("subspace-ekf:model=mlp:7,dim=5,head=full" + spec, kShape);
    Random random({.seed = 1});
    agent->warm_up({}, random);
    return static_cast<std::int64_t>(agent->report().belief_bytes);
  };
  const auto squares = [](int n) { return 4 * n * n + 4 * n; };
  const std::int64_t rest = bytes("") - squares(5) - 3 * squares(8);
  EXPECT_EQ(bytes(",skip=true"), rest + squares(5) + 3 * squares(12));
  EXPECT_EQ(bytes(",joint=true"), rest + squares(5 + 3 * 8));
}

TEST(SubspaceHead, RefusesWhatHasNoMeaningForAFullHead) {
  for (const std::string option :
       {"basis=svd", "offset=sgd", "centre=true", "covariance=diag", "likelihood=bernoulli",
        "noise_variance=1", "process_noise=1", "filter_warmup=false"}) {
    const std::string said =
        testing::error_of([&] { make_agent("subspace-ekf:head=full," + option, kShape); });
    EXPECT_NE(said.find("does not go with head=full: expected"), std::string::npos) << said;
  }
}

TEST(SubspaceHead, SkipAndJointAreForAFullHead) {
  EXPECT_NE(
      testing::error_of([] { make_agent("subspace-ekf:skip=true", kShape); }).find("head=full"),
      std::string::npos);
}

}  // namespace
}  // namespace bandolier::subspace_head_test
