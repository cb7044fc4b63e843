#include "bandolier/agent/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "bandolier/core/file.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::registry_test {
namespace {

const ProblemShape kShape{.features = 3, .actions = 2};

TEST(Registry, NamesAreUniqueAndEveryAgentSaysWhatItIs) {
  std::set<std::string> names;
  for (const auto& entry : agents()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    std::set<std::string> options;
    for (const auto& option : entry.options()) {
      EXPECT_TRUE(options.insert(option.name).second) << entry.name << " " << option.name;
      EXPECT_FALSE(option.help.empty()) << entry.name << " " << option.name;
    }
  }
}

TEST(Registry, AnUnknownNameIsAnErrorThatNamesTheNearest) {
  EXPECT_EQ(testing::error_of([] { find_agent("liner"); }),
            "no agent is called 'liner', did you mean 'linear'?");
}

TEST(Registry, BadSpecsAreErrorsThatSayWhatWasExpected) {
  EXPECT_EQ(testing::error_of([] { make_agent("uniform:x=1", kShape); }),
            "agent 'uniform' has no option 'x'; it takes none");
  EXPECT_EQ(testing::error_of([] { make_agent("linear:lamda=1", kShape); }),
            "agent 'linear' has no option 'lamda', did you mean 'lambda'?");
  EXPECT_EQ(testing::error_of([] { make_agent("linear:lambda=-1", kShape); }),
            "agent 'linear': lambda=-1: expected a number from 1e-12 to 1000000000000");
  EXPECT_EQ(testing::error_of([] { make_agent("linear:fast", kShape); }),
            "agent 'linear': 'fast' is not an option: expected key=value");
  EXPECT_NE(testing::error_of([] { make_agent("linear", {.features = 0, .actions = 2}); }), "");
}

TEST(Registry, SizesThatNoMachineHasAreRefusedWithTheirBytes) {
  const auto refused = [](const std::string& spec, const ProblemShape& shape) {
    return testing::error_of([&] { make_agent(spec, shape); });
  };
  const ProblemShape wide{.features = 3'000'000, .actions = 2};
  EXPECT_NE(refused("linear", wide).find("needs 7.2e+04 GB"), std::string::npos);
  for (const std::string spec :
       {"neural-linear:memory=100000000000", "neural-greedy:model=mlp:65536x65536x65536x65536",
        "neural-linear:model=mlp:60000x60000", "neural-ts:memory=999999999999",
        "auto:model=mlp:60000", "subspace-ekf:head=full,model=mlp:60000", "ekf:model=mlp:20000",
        "subspace-ekf:basis=gaussian,model=mlp:60000,dim=1000000"}) {
    EXPECT_NE(refused(spec, {.features = 100, .actions = 50}).find(" GB are available: use"),
              std::string::npos)
        << spec << ": " << refused(spec, {.features = 100, .actions = 50});
  }
  EXPECT_EQ(refused("neural-linear:memory=9000000000000000000", kShape),
            "agent 'neural-linear': memory=9000000000000000000: expected unlimited or a whole "
            "number from 1 to 1e12");
}

TEST(Registry, LinearDocumentsItsOwnDefaults) {
  std::map<std::string, std::string> defaults;
  for (const auto& option : find_agent("linear").options()) defaults[option.name] = option.value;
  EXPECT_EQ(defaults["temperature"], "1");
  EXPECT_EQ(defaults["lambda"], "0.25");
  EXPECT_EQ(defaults["a0"], "6");
  EXPECT_EQ(defaults["b0"], "6");
  EXPECT_EQ(defaults["noise_variance"], "auto");
  EXPECT_EQ(defaults["policy"], "thompson");
}

TEST(Registry, ASavedAgentCarriesItsSpecAllItsOptionsAndItsShape) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "saved";
  const ProblemShape shape{.features = 4, .actions = 3, .image = {2, 2, 1}};
  const std::string spec = "linear:lambda=0.5,policy=ucb";
  save_agent(path, spec, shape, *make_agent(spec, shape));
  const SavedAgent saved = load_agent(path);
  EXPECT_EQ(saved.spec, spec);
  EXPECT_EQ(saved.options.at("lambda"), "0.5");
  EXPECT_EQ(saved.options.at("policy"), "ucb");
  EXPECT_EQ(saved.options.at("a0"), "6");
  EXPECT_EQ(saved.options.size(), find_agent("linear").options().size());
  EXPECT_EQ(saved.shape.features, 4);
  EXPECT_EQ(saved.shape.actions, 3);
  EXPECT_EQ(saved.shape.image, shape.image);
  EXPECT_TRUE(saved.shape.fixed_actions);
}

TEST(Registry, AFileOfAnotherKindOrWithMoreInItIsAnError) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "other";
  ArchiveWriter other;
  other.write("kind", std::string_view("result"));
  write_file_atomically(path, other.finish());
  EXPECT_EQ(testing::error_of([&] { load_agent(path); }),
            path.string() + ": this is a saved result: expected a saved agent");
  ArchiveWriter unknown;
  for (const auto* tag : {"kind", "spec", "name"}) unknown.write(tag, std::string_view("agent"));
  write_file_atomically(path, unknown.finish());
  EXPECT_TRUE(testing::error_of([&] {
                load_agent(path);
              }).starts_with(path.string() + ": no agent is called 'agent'"));
  write_file_atomically(path, "");
  EXPECT_THROW(load_agent(path), Error);
  EXPECT_THROW(load_agent(folder / "missing"), Error);
}

}  // namespace
}  // namespace bandolier::registry_test
