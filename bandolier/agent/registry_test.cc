#include "bandolier/agent/registry.h"

#include <gtest/gtest.h>

#include <cmath>
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
            "agent 'uniform' has no option 'x'; known: exploration_floor");
  EXPECT_EQ(testing::error_of([] { make_agent("linear:lamda=1", kShape); }),
            "agent 'linear' has no option 'lamda', did you mean 'lambda'?");
  EXPECT_EQ(testing::error_of([] { make_agent("linear:lambda=-1", kShape); }),
            "agent 'linear': lambda=-1: expected a number from 1e-12 to 1e12");
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
        "auto:model=mlp:60000,head_covariance=full",
        "subspace-ekf:head=full,model=mlp:60000,head_covariance=full", "ekf:model=mlp:20000",
        "subspace-ekf:basis=gaussian,model=mlp:60000,dim=1000000"}) {
    EXPECT_NE(refused(spec, {.features = 100, .actions = 50}).find(" GB are available: use"),
              std::string::npos)
        << spec << ": " << refused(spec, {.features = 100, .actions = 50});
  }
  EXPECT_EQ(refused("neural-linear:memory=9000000000000000000", kShape),
            "agent 'neural-linear': memory=9000000000000000000: expected a whole number "
            "from 1 to 1e12 or unlimited");
}

TEST(Registry, LinearDocumentsItsOwnDefaults) {
  std::map<std::string, std::string> defaults;
  for (const auto& option : find_agent("linear").options()) defaults[option.name] = option.value;
  EXPECT_EQ(defaults["temperature"], "1");
  EXPECT_EQ(defaults["lambda"], "0.25");
  EXPECT_EQ(defaults["a0"], "6");
  EXPECT_EQ(defaults["b0"], "auto");
  EXPECT_EQ(defaults["noise_variance"], "auto");
  EXPECT_EQ(defaults["policy"], "thompson");
}

std::unique_ptr<Agent> started(const std::string& spec, const ProblemShape& shape) {
  auto agent = make_agent(spec, shape);
  Random random({.seed = 1});
  agent->warm_up({}, random);
  return agent;
}

TEST(Registry, ASpecIsTheTextAndEveryOptionsValueDefaultsIncluded) {
  const auto agent = make_agent("linear:policy=greedy,lambda=100", kShape);
  EXPECT_EQ(agent->spec().text, "linear:policy=greedy,lambda=100");
  EXPECT_EQ(agent->spec().name, "linear");
  OptionTexts expected;
  for (const auto& option : find_agent("linear").options()) expected[option.name] = option.value;
  expected["policy"] = "greedy";
  expected["lambda"] = "100";
  EXPECT_EQ(agent->spec().options, expected);
}

TEST(Registry, ASavedAgentCarriesItsOwnSpecAndItsShape) {
  const ProblemShape shape{.features = 4, .actions = 3, .image = {2, 2, 1}};
  for (const std::string spec : {"linear:policy=greedy,lambda=100", "linear"}) {
    const auto agent = started(spec, shape);
    const auto saved = load_agent(save_agent(*agent), "saved");
    EXPECT_EQ(saved->spec().text, spec);
    EXPECT_EQ(saved->spec().name, agent->spec().name);
    EXPECT_EQ(saved->spec().options, agent->spec().options);
    EXPECT_EQ(saved->shape().features, 4);
    EXPECT_EQ(saved->shape().actions, 3);
    EXPECT_EQ(saved->shape().image, shape.image);
    EXPECT_TRUE(saved->shape().fixed_actions);
    EXPECT_EQ(saved->clone()->spec().options, agent->spec().options);
  }
}

// x = (2, 0, 0, 1): a prior deviation of √(Eσ²·5/λ), of which λ = 100 was typed and nothing else.
TEST(Registry, ALoadedAgentActsByTheOptionsThatItWasMadeWith) {
  const auto saved = load_agent(save_agent(*started("linear:policy=ucb,lambda=100", kShape)), "s");
  const std::vector<float> x = {2, 0, 0};
  Random random({.seed = 1});
  const auto scratch = saved->make_scratch();
  const Decision decision = saved->choose({Features::dense(x), 2, {}, {}}, random, *scratch);
  EXPECT_NEAR(decision.scores[0], std::sqrt(6.0 / 5 * 5 / 100), 1e-6);
}

// What opens a saved agent's file.
std::string without_state(const std::string& name, std::int64_t features, std::int64_t actions) {
  ArchiveWriter out;
  out.write("kind", std::string_view("agent"));
  {
    const auto section = out.section("spec");
    for (const auto* tag : {"text", "name"}) out.write(tag, name);
    for (const auto* tag : {"options", "values"}) out.write(tag, std::vector<std::string>{});
  }
  {
    const auto section = out.section("shape");
    out.write("features", features);
    out.write("actions", actions);
    out.write("fixed_actions", true);
    for (const auto* tag : {"action_features", "image_height", "image_width", "image_channels"}) {
      out.write(tag, 0);
    }
  }
  return out.finish();
}

TEST(Registry, ASmallFileThatAsksForALargeAgentIsRefusedBeforeThatIsMade) {
  for (const auto& entry : agents()) {
    const auto refusal = [&](std::int64_t features, std::int64_t actions) {
      return testing::error_of(
          [&] { load_agent(without_state(entry.name, features, actions), "m.bndl"); });
    };
    const std::string many = refusal(3, 1'000'000'000);
    EXPECT_TRUE(many.starts_with("m.bndl: an agent of 1000000000 actions is 8000000000 bytes"))
        << many;
    EXPECT_NE(refusal(3, std::int64_t{1} << 62).find("expected 2 to 2147483647"),
              std::string::npos);
    // Beliefs and weights that a file would hold; those of a random subspace are made in load.
    const std::string wide = refusal(100'000, 2);
    if (entry.name == "uniform" || entry.name == "subspace-ekf") continue;
    EXPECT_NE(wide.find("no agent saved it so"), std::string::npos) << entry.name << ": " << wide;
  }
}

TEST(Registry, AFileOfAnotherKindOrOfAnUnknownAgentIsAnError) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "other";
  ArchiveWriter other;
  other.write("kind", std::string_view("result"));
  write_file_atomically(path, other.finish());
  EXPECT_EQ(testing::error_of([&] { load_agent(path); }),
            path.string() + ": this is a saved result: expected a saved agent");
  write_file_atomically(path, without_state("agent", 2, 2));
  EXPECT_TRUE(testing::error_of([&] {
                load_agent(path);
              }).starts_with(path.string() + ": no agent is called 'agent'"));
  write_file_atomically(path, "");
  EXPECT_THROW(load_agent(path), Error);
  EXPECT_THROW(load_agent(folder / "missing"), Error);
}

}  // namespace
}  // namespace bandolier::registry_test
