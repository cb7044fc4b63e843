// What every registered agent promises: a saved or cloned one goes on as the first would.
#include "bandolier/agent/test_conformance.h"
#include "bandolier/core/file.h"
#include "testing/temporary.h"

namespace bandolier::conformance_test {
namespace {

TEST_P(Conformance, SavedAndLoadedOrClonedItTakesTheSameNext200Actions) {
  const LinearProblem problem(kWarmUp + 230);
  auto agent = trained(problem, 30);
  const testing::TemporaryFolder folder;
  const auto path = folder / "saved";
  save_agent(path, GetParam(), kShape, *agent);
  SavedAgent saved = load_agent(path);
  auto clone = agent->clone();
  EXPECT_EQ(saved.spec, GetParam());
  EXPECT_EQ(saved.agent->report().steps, kWarmUp + 30);
  EXPECT_EQ(saved.agent->report().belief_bytes, agent->report().belief_bytes);
  const auto actions = play(*agent, problem, kWarmUp + 30, problem.steps());
  EXPECT_EQ(play(*saved.agent, problem, kWarmUp + 30, problem.steps()), actions);
  EXPECT_EQ(play(*clone, problem, kWarmUp + 30, problem.steps()), actions);
}

TEST_P(Conformance, ACloneDoesNotLearnWithTheOriginal) {
  const LinearProblem problem(kWarmUp + 120);
  auto agent = trained(problem, 20);
  auto clone = agent->clone(), untouched = agent->clone();
  play(*agent, problem, kWarmUp + 20, kWarmUp + 60);
  EXPECT_EQ(clone->report().steps, kWarmUp + 20);
  EXPECT_EQ(play(*clone, problem, kWarmUp + 60, problem.steps()),
            play(*untouched, problem, kWarmUp + 60, problem.steps()));
}

TEST_P(Conformance, DamagedAndForeignFilesAreErrors) {
  const LinearProblem problem(kWarmUp + 20);
  const auto agent = trained(problem, 20);
  const testing::TemporaryFolder folder;
  const auto path = folder / "damaged";
  save_agent(path, GetParam(), kShape, *agent);
  const std::string bytes = read_file(path);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
    write_file_atomically(path, std::string_view(bytes).substr(0, length));
    EXPECT_THROW(load_agent(path), Error) << length << " of " << bytes.size() << " bytes";
  }
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 4);
  write_file_atomically(path, flipped);
  EXPECT_THROW(load_agent(path), Error);

  // Another agent's state, and that of a larger problem.
  const std::string other_name = entry().name == "linear" ? "uniform" : "linear";
  ArchiveWriter other;
  make_agent(other_name, kShape)->save(other);
  EXPECT_THROW(
      {
        ArchiveReader in(other.finish(), "other");
        make()->load(in);
        in.expect_end();
      },
      Error);
  if (!learns()) return;
  auto larger = make_agent(GetParam(), {.features = kFeatures + 1, .actions = kActions});
  Random random = stream(Purpose::kWarmUp, 0);
  larger->warm_up({}, random);
  ArchiveWriter out;
  larger->save(out);
  EXPECT_THROW(
      {
        ArchiveReader in(out.finish(), "larger");
        make()->load(in);
        in.expect_end();
      },
      Error);
}

}  // namespace
}  // namespace bandolier::conformance_test
