// What every registered agent promises: a saved or cloned one goes on as the first would.
#include "bandolier/agent/test_conformance.h"
#include "testing/temporary.h"

namespace bandolier::conformance_test {
namespace {

TEST_P(Conformance, SavedAndLoadedOrClonedItTakesTheSameNext100Actions) {
  const LinearProblem problem(kWarmUp + 130);
  auto agent = trained(problem, 30);
  const testing::TemporaryFolder folder;
  const auto path = folder / "saved";
  save_agent(path, *agent);
  const auto saved = load_agent(path);
  auto clone = agent->clone();
  EXPECT_EQ(saved->spec().text, GetParam());
  EXPECT_EQ(saved->report().steps, kWarmUp + 30);
  EXPECT_EQ(saved->report().belief_bytes, agent->report().belief_bytes);
  const auto actions = play(*agent, problem, kWarmUp + 30, problem.steps());
  EXPECT_EQ(play(*saved, problem, kWarmUp + 30, problem.steps()), actions);
  EXPECT_EQ(play(*clone, problem, kWarmUp + 30, problem.steps()), actions);
}

TEST_P(Conformance, ACloneDoesNotLearnWithTheOriginal) {
  const LinearProblem problem(kWarmUp + 90);
  auto agent = trained(problem, 20);
  auto clone = agent->clone(), untouched = agent->clone();
  play(*agent, problem, kWarmUp + 20, kWarmUp + 50);
  EXPECT_EQ(clone->report().steps, kWarmUp + 20);
  EXPECT_EQ(play(*clone, problem, kWarmUp + 50, problem.steps()),
            play(*untouched, problem, kWarmUp + 50, problem.steps()));
}

TEST_P(Conformance, DamagedAndForeignFilesAreErrors) {
  const LinearProblem problem(kWarmUp + 20);
  const auto agent = trained(problem, 20);
  const std::string bytes = save_agent(*agent);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_THROW(load_agent(bytes.substr(0, length), "cut"), Error)
        << length << " of " << bytes.size() << " bytes";
  }
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 4);
  EXPECT_THROW(load_agent(flipped, "flipped"), Error);
  if (!learns()) return;

  // Another agent's state, and that of a larger problem.
  const auto state_of = [](const std::string& spec, const ProblemShape& shape) {
    auto other = make_agent(spec, shape);
    Random random = stream(Purpose::kWarmUp, 0);
    other->warm_up({}, random);
    ArchiveWriter out;
    other->save(out);
    return ArchiveReader(out.finish(), "other");
  };
  EXPECT_THROW(make()->load(state_of("uniform", kShape)), Error);
  EXPECT_THROW(make()->load(state_of(GetParam(), {.features = kFeatures + 1, .actions = kActions})),
               Error);
}

TEST_P(Conformance, ASavedAgentSavesTheSameBytesAgain) {
  const LinearProblem problem(kWarmUp + 20);
  const std::string bytes = save_agent(*trained(problem, 20));
  EXPECT_EQ(save_agent(*load_agent(bytes, "saved")), bytes);
}

// Without a warm-up: what it is after its first rewards is what a warm-up of them makes, for
// agents that are set up anew by them; and it can be saved on the way there.
TEST_P(Conformance, FirstRewardsSetAFilterUpAsAWarmUpOfThemDoes) {
  if (!has_filters()) GTEST_SKIP() << GetParam() << " finds what it needs as rewards come";
  const LinearProblem problem(140);
  auto agent = make(), warmed_up = make();
  Random random = stream(Purpose::kWarmUp, 0), same = random;
  agent->warm_up({}, random);
  const auto actions = play(*agent, problem, 0, 20);
  agent = load_agent(save_agent(*agent), "saved");
  auto later = play(*agent, problem, 20, 32);
  later.insert(later.begin(), actions.begin(), actions.end());
  std::vector<Experience> list;
  for (Index t = 0; t < 32; ++t) {
    const Index action = later[static_cast<std::size_t>(t)];
    list.push_back({problem.context(t), action, problem.reward(t, action)});
  }
  warmed_up->warm_up(list, same);
  EXPECT_EQ(agent->report().steps, 32);
  EXPECT_EQ(play(*agent, problem, 32, 140), play(*warmed_up, problem, 32, 140));
}

}  // namespace
}  // namespace bandolier::conformance_test
