#include "bandolier/lab/log/dsjson_event.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "bandolier/core/random.h"
#include "bandolier/lab/log/dsjson_writer.h"
#include "testing/errors.h"

namespace bandolier::dsjson_event_test {
namespace {

using Json = nlohmann::json;
using Doubles = std::vector<double>;
using testing::error_of;

std::string_view read_dsjson(std::string_view line, LoggedEvent& out) {
  static JsonParser parser;
  return bandolier::read_dsjson(parser, line, out);
}

// An event of three actions by name, as others write it.
Json example() {
  return Json::parse(R"({"_label_cost":-0.5,"_label_probability":0.25,"_label_Action":2,
      "_labelIndex":1,"o":[{"v":0.5}],"Timestamp":"2021-02-04T16:31:29Z","Version":"1",
      "EventId":"e1","a":[2,3,1],"c":{"FromUrl":[{"time":"noon"}],"_multi":[
      {"_tag":"x","i":{"id":"x","size":2}},{"_tag":"y","i":{"id":"y"}},{}]},
      "p":[0.25,0.7,0.05],"VWState":{"m":"1/2"},"pdrop":0.5})");
}

std::string error_after(const std::function<void(Json&)>& change) {
  Json json = example();
  change(json);
  LoggedEvent event;
  return error_of([&] { read_dsjson(json.dump(), event); });
}

TEST(DsjsonEvent, HasRewardPropensityActionAndProbabilitiesInTheActionsOrder) {
  LoggedEvent event;
  EXPECT_EQ(read_dsjson(example().dump(), event), "");
  EXPECT_EQ(event.id, "e1");
  EXPECT_EQ(event.time, "2021-02-04T16:31:29Z");
  EXPECT_EQ(event.reward, 0.5);
  EXPECT_EQ(event.propensity, 0.25);
  EXPECT_EQ(event.action, 1);
  EXPECT_EQ(event.actions, 3);
  EXPECT_EQ(event.probabilities, (Doubles{0.05, 0.25, 0.7}));
  EXPECT_EQ(event.dropped, 0.5);
  EXPECT_FALSE(event.skip_learn);
  EXPECT_TRUE(event.full_support);
  EXPECT_EQ(event.action_names, (std::vector<std::string>{"x", "y", ""}));
}

TEST(DsjsonEvent, AContextByNameIsWhatIsSharedAndEachActionsOwn) {
  LoggedEvent event;
  read_dsjson(example().dump(), event);
  EXPECT_FALSE(event.dense);
  ASSERT_EQ(event.shared.size(), 1);
  EXPECT_EQ(event.shared[0].feature, "FromUrl.time=noon");
  ASSERT_EQ(event.own.size(), 3u);
  ASSERT_EQ(event.own[0].size(), 2);
  EXPECT_EQ(event.own[0][0].feature, "i.id=x");
  EXPECT_EQ(event.own[0][1].number, 2);
  EXPECT_EQ(event.own[1].size(), 1);
  EXPECT_TRUE(event.own[2].empty());
}

TEST(DsjsonEvent, ThePropensityIsTheLabelsAlsoWhereTheListsSayOtherwise) {
  LoggedEvent event;
  Json json = example();
  json["p"] = {0.7, 0.25, 0.05};  // not aligned with a
  EXPECT_EQ(read_dsjson(json.dump(), event), "");
  EXPECT_EQ(event.propensity, 0.25);
  EXPECT_TRUE(event.probabilities.empty());
  json["p"] = {0.25000000745, 0.75};
  json["a"] = {2, 3};
  EXPECT_EQ(read_dsjson(json.dump(), event), "");
  EXPECT_EQ(event.probabilities, (Doubles{0, 0.25000000745, 0.75}));
  json.erase("p");
  EXPECT_EQ(read_dsjson(json.dump(), event), "");
  EXPECT_TRUE(event.probabilities.empty());
}

TEST(DsjsonEvent, OneOfTheTwoLabelsIsEnoughAndAListOfActionsDoesForAMissingMulti) {
  for (const char* name : {"_labelIndex", "_label_Action"}) {
    Json json = example();
    json.erase(name);
    json["c"].erase("_multi");
    LoggedEvent event;
    EXPECT_EQ(read_dsjson(json.dump(), event), "");
    EXPECT_EQ(event.action, 1);
    EXPECT_EQ(event.actions, 3);
    EXPECT_TRUE(event.own[0].empty());
  }
}

TEST(DsjsonEvent, LinesThatAreNoDecisionsSayWhy) {
  LoggedEvent event;
  EXPECT_EQ(read_dsjson(R"({"RewardValue":1.0,"EventId":"e","DanglingReward":true})", event),
            "lines left out: they have no _label_cost");
  EXPECT_EQ(read_dsjson(R"({"_label_cost":1.0})", event), "lines left out: they have no context c");
  Json json = example();
  json["c"]["_slots"] = {1};
  EXPECT_EQ(read_dsjson(json.dump(), event), "lines left out: they decide several slots");
  json["_outcomes"] = {1};
  EXPECT_EQ(read_dsjson(json.dump(), event), "lines left out: they decide several slots");
}

TEST(DsjsonEvent, EveryFieldIsCheckedAndNamed) {
  EXPECT_EQ(error_after([](Json&) {}), "");
  const auto set = [](const char* name, const Json& value) {
    return error_after([&](Json& json) { json[name] = value; });
  };
  constexpr std::string_view kPropensity =
      "expected a number above 0 and at most 1; --propensity uniform takes 1/actions instead";
  EXPECT_EQ(set("_label_cost", "x"), "_label_cost is \"x\": expected a number");
  EXPECT_EQ(set("_label_cost", 1e39), "_label_cost is 1e+39: expected a float's range");
  for (const auto& [found, text] : {std::pair{0.0, "0"}, {-0.1, "-0.1"}, {1.5, "1.5"}}) {
    EXPECT_EQ(set("_label_probability", found),
              fmt::format("_label_probability is {}: {}", text, kPropensity));
  }
  EXPECT_EQ(set("_label_probability", nullptr),
            fmt::format("_label_probability is missing: {}", kPropensity));
  EXPECT_EQ(set("_label_probability", "NaN"),
            fmt::format("_label_probability is \"NaN\": {}", kPropensity));
  EXPECT_EQ(set("_label_Action", 4),
            "_label_Action is 4: expected 1 to 3, since there are 3 actions");
  EXPECT_EQ(set("_label_Action", 0),
            "_label_Action is 0: expected 1 to 3, since there are 3 actions");
  EXPECT_EQ(set("_label_Action", 1.5), "_label_Action is 1.5: expected an integer");
  EXPECT_EQ(set("_labelIndex", 18446744073709551615ull),
            "_labelIndex is 18446744073709551615: expected 0 to 2, since there are 3 actions");
  EXPECT_EQ(set("_labelIndex", 0), "_label_Action is 2 and _labelIndex is 0: expected one more");
  EXPECT_EQ(error_after([](Json& json) {
              json.erase("_labelIndex");
              json.erase("_label_Action");
            }),
            "_label_Action is missing: expected the action taken, from 1");
  EXPECT_EQ(set("p", {0.25, 0.7, 0.1}), "p sums to 1.05: expected 1 within 0.001");
  EXPECT_EQ(set("p", {0.25, 0.8, -0.05}), "p has -0.05: expected 0 to 1");
  EXPECT_EQ(set("p", {0.25, 0.75}), "p has 2 values: expected 3, one for each of a");
  EXPECT_EQ(set("p", {"0.25"}), "p is a JSON array: expected a list of numbers");
  EXPECT_EQ(set("a", {2, 3, 4}), "a has 4: expected 1 to 3");
  EXPECT_EQ(set("a", {2, 3, 2}), "a has 2 twice: expected each action once");
  EXPECT_EQ(set("pdrop", 1), "pdrop is 1: expected at least 0 and less than 1");
  EXPECT_EQ(set("_skipLearn", 1), "_skipLearn is 1: expected true or false");
  EXPECT_EQ(set("EventId", 7), "EventId is 7: expected a text");
  EXPECT_EQ(set("c", 7), "c is 7: expected an object");
  EXPECT_EQ(error_after([](Json& json) { json["c"]["_multi"] = Json::array(); }),
            "c._multi is a JSON array: expected a list of at least one action");
  EXPECT_EQ(error_after([](Json& json) { json["c"]["_multi"][2] = 3; }),
            "c._multi[2] is 3: expected an object");
  EXPECT_EQ(error_after([](Json& json) { json["c"]["_multi"][2]["n"] = 1e39; }),
            "c._multi[2] cannot be taken: 'n' is 1e+39: expected a finite number within a float's "
            "range");
}

TEST(DsjsonEvent, WhatIsNoJsonOrTooMuchOfItIsRefused) {
  LoggedEvent event;
  const auto error = [&](const std::string& line) {
    return error_of([&] { read_dsjson(line, event); });
  };
  EXPECT_EQ(error("[1]"), "JSON is a JSON array: expected an object");
  EXPECT_EQ(error(std::string(100'000, '[')),
            "JSON cannot be taken: it nests deeper than 64: expected less; expected one object in "
            "a line");
  const std::string whole = example().dump();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(error(whole.substr(0, length)).find("JSON cannot be read: parse error at line 1"),
              std::string::npos);
  }
  EXPECT_NE(error(R"({"_label_cost":1e400})").find("number overflow"), std::string::npos);
  EXPECT_NE(error(R"({"_label_cost":NaN})").find("JSON cannot be read"), std::string::npos);
}

TEST(DsjsonEvent, ADenseNumberBeyondAFloatIsRefused) {
  LoggedEvent event;
  Json json = example();
  json["c"] = Json::parse(R"({"x":[1,1e39],"_multi":[{"id":"0"},{"id":"1"},{"id":"2"}]})");
  EXPECT_EQ(error_of([&] { read_dsjson(json.dump(), event); }),
            "c.x has 1e+39 at 1: expected a float's range");
  // Anything more than x and ids is a context by name.
  json["c"] = Json::parse(R"({"x":[1],"_multi":[{"id":"0"},{"id":"1","x":[2]},{"id":"b"}]})");
  EXPECT_EQ(read_dsjson(json.dump(), event), "");
  EXPECT_FALSE(event.dense);
  EXPECT_EQ(event.own[1].size(), 2);
}

TEST(DsjsonEvent, AFloatIsReadAsItWasWrittenAlsoWhereTheDoubleIsHalfWay) {
  // Of all floats the only one whose shortest text, read as a double, rounds to another float.
  const float written = std::bit_cast<float>(0x15ae43fdu);
  EXPECT_EQ(fmt::format("{}", written), "7.038531e-26");
  EXPECT_NE(static_cast<float>(7.038531e-26), written);
  EXPECT_EQ(float_as_written(7.038531e-26), written);
  EXPECT_EQ(float_as_written(-7.038531e-26), -written);
  EXPECT_EQ(float_as_written(16777217), 16777216.0f);  // half-way, and nobody's shortest text
}

TEST(DsjsonEvent, ReadsBackWhatWasWrittenBitForBit) {
  Random random({11, Purpose::kTest, 0, 0});
  const auto any_float = [&] {  // any finite bits, tiny ones too; −0 is written as 0
    for (;;) {
      const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random.below(1ull << 32)));
      if (std::isfinite(x) && x != 0) return x;
    }
  };
  DsjsonFormat format;
  LoggedEvent event;
  for (int round = 0; round < 500; ++round) {
    const auto actions = static_cast<std::size_t>(2 + random.below(6));
    const std::size_t width = random.below(3), size = 1 + random.below(8);
    std::vector<float> dense(size), values, rows(actions * width);
    std::vector<std::int32_t> indices;
    for (std::size_t i = 0; i < size; ++i) {
      if (random.below(2) == 0) continue;
      indices.push_back(static_cast<std::int32_t>(i));
      values.push_back(dense[i] = any_float());
    }
    for (float& x : rows) x = any_float();
    std::vector<std::int64_t> ids;
    std::vector<std::uint8_t> available(actions, 1);
    Doubles q(actions);
    const Index taken = static_cast<Index>(random.below(actions));
    for (std::size_t a = 0; a < actions; ++a) {
      ids.push_back(static_cast<std::int64_t>(random.below(1000)) - 500 +
                    1000 * static_cast<Index>(a));
      available[a] = static_cast<Index>(a) == taken || random.below(3) > 0;
      q[a] = available[a] ? 1e-9 + static_cast<double>(random.below(1u << 30)) : 0;
    }
    double sum = 0;
    for (const double x : q) sum += x;
    for (double& x : q) x /= sum;
    LoggedDecision decision{.id = "", .context = {}, .probabilities = q};
    const std::string id = fmt::format("{}-\"\\{}\n\xc3\xbc", round, random.below(1000));
    decision.id = id;
    decision.time = round;
    decision.context = {Features::dense(dense), static_cast<Index>(actions), rows, ids};
    if (round % 2 == 0) decision.context.features = {values, indices, static_cast<Index>(size)};
    decision.context.available = available;
    decision.action = taken;
    decision.reward = round % 5 == 0 ? 0 : any_float();
    decision.skip_learn = random.below(2) == 0;
    decision.full_support = random.below(2) == 0;
    std::string line;
    format.append(decision, line);
    ASSERT_EQ(read_dsjson(line, event), "") << line;

    ASSERT_TRUE(event.dense) << line;
    EXPECT_EQ(event.id, id);
    EXPECT_EQ(event.time, fmt::format("{}", round));
    EXPECT_EQ(static_cast<float>(event.reward), decision.reward);
    EXPECT_EQ(event.propensity, q[static_cast<std::size_t>(taken)]);
    EXPECT_EQ(event.skip_learn, decision.skip_learn);
    EXPECT_EQ(event.full_support, decision.full_support);
    EXPECT_EQ(event.features, dense);
    // What was not available is not in the log; the others keep their order.
    std::size_t at = 0;
    for (std::size_t a = 0; a < actions; ++a) {
      if (available[a] == 0) continue;
      ASSERT_LT(at, static_cast<std::size_t>(event.actions));
      EXPECT_EQ(event.action_ids[at], ids[a]);
      EXPECT_EQ(event.action_names[at], fmt::format("{}", ids[a]));
      EXPECT_EQ(event.probabilities[at], q[a]);
      EXPECT_EQ(event.action == static_cast<Index>(at), static_cast<Index>(a) == taken);
      for (std::size_t f = 0; f < width; ++f) {
        EXPECT_EQ(event.action_features[at * width + f], rows[a * width + f]);
      }
      ++at;
    }
    EXPECT_EQ(event.actions, static_cast<Index>(at));
    EXPECT_EQ(event.context().features.size, static_cast<Index>(size));
  }
}

}  // namespace
}  // namespace bandolier::dsjson_event_test
