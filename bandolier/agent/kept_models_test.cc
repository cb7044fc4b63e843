// Models that an earlier build saved, kept in testing/data/models, must load for ever and go on as
// they did: AGENT.bndl with its next actions in AGENT.actions. A new agent's are made by
//   BANDOLIER_KEEP_MODELS=1 build/release/bin/agent_test --gtest_filter='KeptModels.*'
// which writes what is missing and leaves alone what is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "bandolier/agent/named_agent.h"
#include "bandolier/agent/registry.h"
#include "bandolier/core/file.h"

namespace bandolier::kept_models_test {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(BANDOLIER_SOURCE_DIR) / "testing/data/models";
const ProblemShape kShape{.features = 3, .actions = 3};
// Few enough next steps that another compiler's rounding does not come to matter.
constexpr Index kLearnt = 40, kNext = 20;

// Plays steps [begin, end): action a pays x_a. The actions, one digit each.
std::string play(Agent& agent, Index begin, Index end) {
  std::string actions;
  auto scratch = agent.make_scratch();
  for (Index t = begin; t < end; ++t) {
    const auto stream = [t](Purpose purpose) {
      return Random({.seed = 11, .purpose = purpose, .step = static_cast<std::uint32_t>(t)});
    };
    Random world = stream(Purpose::kContext), choose = stream(Purpose::kChoose),
           observe = stream(Purpose::kObserve);
    Vector<float> x(kShape.features);
    world.fill_normal(x);
    const Context context{Features::dense({x.data(), 3}), kShape.actions, {}, {}};
    const Index action = agent.choose(context, choose, *scratch).action;
    agent.observe({context, action, x[action]}, observe, *scratch);
    actions += static_cast<char>('0' + action);
  }
  return actions;
}

// Small: the smallest of every size that the agent lets one choose.
std::string small_spec(const AgentEntry& entry) {
  std::string options;
  for (const auto& option : entry.options()) {
    if (option.name == "model") options += ",model=mlp:3";
    if (option.name == "memory") options += ",memory=8";
    if (option.name == "memory_per_action") options += ",memory_per_action=4";
    if (option.name == "rank") options += ",rank=2";
  }
  return options.empty() ? entry.name : entry.name + ":" + options.substr(1);
}

void keep(const std::string& name, const std::string& spec) {
  const fs::path path = kFolder / (name + ".bndl");
  if (fs::exists(path)) return;
  auto agent = make_agent(spec, kShape);
  Random random({.seed = 11, .purpose = Purpose::kWarmUp});
  agent->warm_up({}, random);
  play(*agent, 0, kLearnt);
  save_agent(path, *agent);
  write_file_atomically(kFolder / (name + ".actions"),
                        play(*agent, kLearnt, kLearnt + kNext) + "\n");
}

TEST(KeptModels, LoadAndTakeTheActionsThatTheyTookWhenTheyWereSaved) {
  if (std::getenv("BANDOLIER_KEEP_MODELS") != nullptr) {
    for (const auto& entry : agents()) keep(entry.name, small_spec(entry));
    // As they have been since: auto over fixed units with a challenger and a nearly linear member,
    // lofi with twice the columns.
    keep("auto-near-linear", "auto:model=mlp:3,units=sparse");
    keep("lofi-columns", "lofi:model=mlp:3,rank=2");
  }
  int models = 0;
  for (const auto& file : fs::directory_iterator(kFolder)) {
    if (file.path().extension() != ".bndl") continue;
    ++models;
    const auto saved = load_agent(file.path());
    EXPECT_EQ(saved->report().steps, kLearnt) << file.path();
    EXPECT_NO_THROW(load_agent(save_agent(*saved), "again")) << file.path();
    EXPECT_EQ(play(*saved, kLearnt, kLearnt + kNext) + "\n",
              read_file(fs::path(file.path()).replace_extension(".actions")))
        << file.path();
  }
  EXPECT_GE(models, static_cast<int>(agents().size()));
}

// Visitors by country, for an agent that goes by names.
NamedValues visitor(int t) {
  NamedValues values;
  values.word("country", t % 2 == 0 ? "IT" : "GB");
  values.number("age", 20 + t % 7);
  return values;
}

TEST(KeptModels, AnAgentThatGoesByNamesKnowsThem) {
  const fs::path path = fs::path(BANDOLIER_SOURCE_DIR) / "testing/data/named.bndl";
  Random random({.seed = 11});
  if (std::getenv("BANDOLIER_KEEP_MODELS") != nullptr && !fs::exists(path)) {
    NamedAgent agent({.agent = "linear", .actions = {"tea", "coffee"}, .slots = 16}, random);
    NamedScratch scratch = agent.make_scratch();
    for (int t = 0; t < 40; ++t) {
      const auto* action = t / 2 % 2 == 0 ? "tea" : "coffee";
      const float reward = (t % 2 == 0) == (t / 2 % 2 == 1) ? 1 : 0;  // coffee in IT, tea in GB
      agent.observe(visitor(t), {}, action, reward, random, scratch);
    }
    agent.save(path);
  }
  const NamedAgent agent = NamedAgent::load(path);
  EXPECT_EQ(agent.actions(), (std::vector<std::string>{"tea", "coffee"}));
  EXPECT_EQ(agent.report().steps, 40);
  NamedScratch scratch = agent.make_scratch();
  EXPECT_EQ(agent.choose(visitor(0), {}, random, scratch).action, "coffee");
  EXPECT_EQ(agent.choose(visitor(1), {}, random, scratch).action, "tea");
}

}  // namespace
}  // namespace bandolier::kept_models_test
