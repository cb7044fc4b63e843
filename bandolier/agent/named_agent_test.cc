#include "bandolier/agent/named_agent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/agent/registry.h"
#include "bandolier/core/file.h"
#include "bandolier/model/schema_encoder.h"
#include "bandolier/model/slot_encoder.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::named_agent_test {
namespace {

using testing::error_of;

// Visitors of two countries at some hour: "tea" is bought by those from GB, "coffee" by those from
// IT, and "juice" is half as good for all.
struct Visitors {
  NamedValues values;
  bool italian = false;

  void at(int t) {
    Random random({.seed = 31, .step = static_cast<std::uint32_t>(t)});
    italian = random.uniform() < 0.5;
    values.clear();
    values.enter("user");
    values.word("country", italian ? "IT" : "GB");
    values.number("age", 20 + 40 * random.uniform());
    values.leave();
    values.number("hour", std::floor(24 * random.uniform()));
  }
  float reward(std::string_view action) const {
    if (action == "juice") return 0.5f;
    return (action == "coffee") == italian ? 1 : 0;
  }
};

Random stream(int t) { return Random({.seed = 32, .step = static_cast<std::uint32_t>(t)}); }

// Mean reward over the last half of `steps` decisions from `begin` on.
double play(NamedAgent& agent, int begin, int steps, std::span<const NamedAction> offered = {}) {
  Visitors visitors;
  NamedScratch scratch = agent.make_scratch();
  double sum = 0;
  for (int t = begin; t < begin + steps; ++t) {
    visitors.at(t);
    Random random = stream(t);
    const std::string action(agent.decide(visitors.values, offered, random, scratch).action);
    const float reward = visitors.reward(action);
    if (t >= begin + steps / 2) sum += static_cast<double>(reward) / (steps / 2);
    agent.observe(visitors.values, offered, action, reward, random, scratch);
  }
  return sum;
}

NamedAgent make(const NamedAgentOptions& options) {
  Random random({.seed = 33});
  return NamedAgent(options, random);
}

TEST(NamedAgent, LearnsFromNamesAloneWhetherActionsStayOrChange) {
  const std::vector<NamedAction> offered = {{"juice"}, {"tea"}, {"coffee"}};
  for (const std::string spec : {"auto", "linear"}) {
    auto fixed = make({.agent = spec, .actions = {"juice", "tea", "coffee"}, .slots = 64});
    EXPECT_GT(play(fixed, 0, 400), 0.85) << spec;
    // One model for all actions tells them apart by what is said of them.
    NamedValues juice, tea, coffee;
    juice.word("kind", "juice");
    tea.word("kind", "tea");
    coffee.word("kind", "coffee");
    const std::vector<NamedAction> described = {
        {"juice", &juice}, {"tea", &tea}, {"coffee", &coffee}};
    auto changing = make({.agent = spec, .slots = 64, .action_slots = 16});
    EXPECT_GT(play(changing, 0, 400, described), 0.85) << spec;
  }
}

TEST(NamedAgent, TheDefaultSlotsServeAFewNamesAsWell) {
  auto agent = make({.actions = {"juice", "tea", "coffee"}});
  EXPECT_GT(play(agent, 0, 300), 0.8);
}

TEST(NamedAgent, ASchemaServesInPlaceOfSlots) {
  FeatureSchema schema;
  schema.columns.push_back({.name = "user.country", .words = {"GB", "IT"}});
  schema.columns.push_back(
      {.name = "hour", .words = {}, .mean = {12}, .inverse_deviation = {0.15}});
  Random random({.seed = 34});
  NamedAgent agent({.agent = "linear", .actions = {"juice", "tea", "coffee"}},
                   std::make_unique<SchemaEncoder>(schema), nullptr, random);
  EXPECT_EQ(agent.agent().shape().features, 3);
  EXPECT_GT(play(agent, 0, 200), 0.85);
}

TEST(NamedAgent, OnlyWhatIsOfferedIsTakenAndSaidByName) {
  auto agent = make({.agent = "linear", .actions = {"juice", "tea", "coffee"}, .slots = 64});
  NamedScratch scratch = agent.make_scratch();
  Visitors visitors;
  const std::vector<NamedAction> two = {{"coffee"}, {"juice"}};
  for (int t = 0; t < 50; ++t) {
    visitors.at(t);
    Random random = stream(t);
    const NamedDecision decision = agent.decide(visitors.values, two, random, scratch);
    EXPECT_TRUE(decision.action == "coffee" || decision.action == "juice");
    EXPECT_EQ(decision.decision.probabilities[1], 0);
  }
}

TEST(NamedAgent, ASnapshotStaysAsItWasWhileTheAgentLearns) {
  auto agent = make({.agent = "linear:policy=greedy", .actions = {"tea", "coffee"}, .slots = 32});
  play(agent, 0, 30);
  const auto snapshot = agent.snapshot();
  NamedScratch scratch = snapshot->make_scratch();
  Visitors visitors;
  visitors.at(99);
  Random random = stream(99);
  const auto scores = [&] {
    const auto all = snapshot->choose(visitors.values, {}, random, scratch).decision.scores;
    return std::vector<float>(all.begin(), all.end());
  };
  const auto before = scores();
  play(agent, 30, 30);
  EXPECT_EQ(scores(), before);
  EXPECT_EQ(snapshot->report().steps, 30);
  EXPECT_EQ(agent.report().steps, 60);
}

TEST(NamedAgent, SavedAndLoadedItGoesOnAsItWas) {
  const testing::TemporaryFolder folder;
  NamedValues cheap, dear;
  cheap.number("price", 3);
  dear.number("price", 4.5);
  const std::vector<NamedAction> described = {{"tea", &cheap}, {"coffee", &dear}};
  for (const bool fixed : {true, false}) {
    NamedAgentOptions options{.agent = "auto", .slots = 32, .action_slots = 16};
    if (fixed) options.actions = {"juice", "tea", "coffee"};
    auto agent = make(options);
    const auto offered = fixed ? std::span<const NamedAction>() : std::span(described);
    play(agent, 0, 60, offered);
    agent.save(folder / "m.bndl");
    auto loaded = NamedAgent::load(folder / "m.bndl");
    EXPECT_EQ(loaded.actions(), agent.actions());
    EXPECT_EQ(play(loaded, 60, 100, offered), play(agent, 60, 100, offered));
    agent.save(folder / "a");
    loaded.save(folder / "b");
    EXPECT_EQ(read_file(folder / "a"), read_file(folder / "b"));
    EXPECT_EQ(load_agent(folder / "m.bndl")->report().steps, 60);
  }
}

TEST(NamedAgent, WhatIsWrongIsNamedAndNothingIsLearnt) {
  auto agent = make({.agent = "linear", .actions = {"tea", "coffee"}, .slots = 64});
  auto changing = make({.agent = "linear", .slots = 64});
  NamedScratch scratch = agent.make_scratch(), other = changing.make_scratch();
  Visitors visitors;
  visitors.at(0);
  Random random = stream(0);
  const std::vector<NamedAction> wine = {{"wine"}}, twice = {{"tea"}, {"tea"}}, tea = {{"tea"}};
  const auto error = [&](NamedAgent& of, std::span<const NamedAction> offered, NamedScratch& in) {
    return error_of([&] { of.decide(visitors.values, offered, random, in); });
  };
  EXPECT_EQ(error(agent, wine, scratch), "no action is called 'wine': expected one of tea, coffee");
  EXPECT_EQ(error(agent, twice, scratch),
            "action 'tea' is offered twice: expected every action once");
  EXPECT_EQ(error(changing, {}, other), "no action is offered: expected at least one");
  EXPECT_EQ(error_of([&] { changing.observe(visitors.values, tea, "wine", 1, random, other); }),
            "action 'wine' was taken, and is none of the 1 that were offered");
  EXPECT_THROW(agent.observe(visitors.values, {}, "tea", NAN, random, scratch), Error);
  EXPECT_EQ(agent.report().steps, 0);
  auto clicks = make({.agent = "subspace-ekf:likelihood=bernoulli,dim=10", .actions = {"a", "b"}});
  NamedScratch third = clicks.make_scratch();
  EXPECT_THROW(clicks.observe(visitors.values, {}, "a", 0.5f, random, third), Error);
  for (const NamedAgent* one : {&agent, &changing, &clicks}) {
    EXPECT_EQ(dynamic_cast<const SlotEncoder&>(one->context_encoder()).names().size(), 0);
  }
  EXPECT_EQ(error_of([&] {
              make({.actions = {"tea", "tea"}});
            }),
            "action 'tea' is named twice: expected every name once");
}

TEST(NamedAgent, AFileWithoutNamesHasNumbersForThem) {
  const testing::TemporaryFolder folder;
  auto agent = make_agent("linear:policy=greedy", {.features = 2, .actions = 2});
  Random random = stream(0);
  const std::vector<float> x = {3, 0};
  const Context context{Features::dense(x), 2, {}, {}};
  agent->warm_up(std::vector<Experience>{{context, 1, 5.0f}, {context, 0, 1.0f}}, random);
  save_agent(folder / "m.bndl", *agent);
  const NamedAgent named = NamedAgent::load(folder / "m.bndl");
  EXPECT_FALSE(named.has_names());
  EXPECT_EQ(named.actions(), (std::vector<std::string>{"0", "1"}));
  NamedValues values;
  values.numbers("x", std::vector<double>{3, 0});
  NamedScratch scratch = named.make_scratch();
  EXPECT_EQ(named.decide(values, {}, random, scratch).action, "1");
}

// Fixed actions with features of their own are saved with them.
TEST(NamedAgent, KeepsTheFeaturesOfActionsThatStay) {
  const testing::TemporaryFolder folder;
  auto agent = make_agent("subspace-ekf:model=linear,encoding=concat,policy=greedy",
                          {.features = 1, .actions = 2, .action_features = 1});
  Random random = stream(0);
  agent->warm_up({}, random);
  FeatureSchema schema;
  schema.columns.resize(1);
  schema.columns[0].name = "age";
  NamedAgent named(std::move(agent), std::make_unique<SchemaEncoder>(schema), {"a", "b"},
                   Matrix<float>{{1}, {-1}});
  NamedScratch scratch = named.make_scratch();
  NamedValues values;
  values.number("age", 0);
  for (int i = 0; i < 20; ++i) {
    named.observe(values, {}, i % 2 == 0 ? "a" : "b", i % 2 == 0 ? 1.0f : -1.0f, random, scratch);
  }
  named.save(folder / "m.bndl");
  const NamedAgent loaded = NamedAgent::load(folder / "m.bndl");
  NamedScratch again = loaded.make_scratch();
  const NamedDecision decision = loaded.decide(values, {}, random, again);
  EXPECT_EQ(decision.action, "a");
  EXPECT_GT(decision.decision.scores[0], decision.decision.scores[1] + 0.5f);
}

}  // namespace
}  // namespace bandolier::named_agent_test
