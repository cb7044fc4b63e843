#include "bandolier/lab/log/json_values.h"

#include <gtest/gtest.h>

#include "testing/errors.h"

namespace bandolier::json_values_test {
namespace {

using testing::error_of;

// "name = number" or "name=word" of each value, in order.
std::vector<std::string> flattened(const std::string& text,
                                   Underscored underscored = Underscored::kTake) {
  NamedValues values;
  JsonParser parser;
  append_json(parser.parse(text), underscored, values);
  std::vector<std::string> out;
  for (Index i = 0; i < values.size(); ++i) {
    const auto value = values[i];
    out.push_back(value.kind == NamedValues::Kind::kWord
                      ? std::string(value.feature)
                      : fmt::format("{} = {}", value.name, value.number));
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(JsonValues, ObjectsAreNamespacesAndTheirValuesFeatures) {
  EXPECT_EQ(flattened(R"({"user":{"age":37,"home":{"country":"PE"}},"mobile":true,"seen":null})"),
            (Texts{"mobile=true", "user.age = 37", "user.home.country=PE"}));
  EXPECT_EQ(flattened("{}"), Texts{});
}

TEST(JsonValues, ListsAreNumbersWordsOrObjectsOfOneNamespace) {
  EXPECT_EQ(flattened(R"({"x":[0.5,-2],"genre":["crime","drama"],"none":[]})"),
            (Texts{"genre=crime", "genre=drama", "x[0] = 0.5", "x[1] = -2"}));
  EXPECT_EQ(flattened(R"({"FromUrl":[{"time":"noon"},{"name":"Cathy","visits":3}]})"),
            (Texts{"FromUrl.time=noon", "FromUrl.name=Cathy", "FromUrl.visits = 3"}));
}

TEST(JsonValues, NamesThatStartWithAnUnderscoreAreNoFeaturesOfDsjson) {
  const std::string text = R"({"_tag":"a","i":{"_b":1,"c":2}})";
  EXPECT_EQ(flattened(text, Underscored::kSkip), Texts{"i.c = 2"});
  EXPECT_EQ(flattened(text), (Texts{"_tag=a", "i._b = 1", "i.c = 2"}));
}

TEST(JsonValues, RefuseWhatIsNoFeature) {
  const auto error = [](const std::string& text) { return error_of([&] { flattened(text); }); };
  EXPECT_EQ(error("[1]"), "found array: expected an object");
  EXPECT_EQ(error(R"({"x":[1,"a"]})"),
            "the list 'x' holds lists, or values of several kinds: expected numbers, words or "
            "objects");
  EXPECT_EQ(error(R"({"x":[[1],[2]]})"),
            "the list 'x' holds lists, or values of several kinds: expected numbers, words or "
            "objects");
  EXPECT_EQ(error(R"({"l":[{"a":1},{"a":2}]})"),
            "'l.a' is given twice: expected each name once, and each of its words");
  EXPECT_EQ(error(R"({"l":["a","a"]})"),
            "'l=a' is given twice: expected each name once, and each of its words");
  EXPECT_EQ(error(R"({"a":1e300})"),
            "'a' is 1e+300: expected a finite number within a float's range");
}

TEST(JsonValues, DepthIsLimitedInObjectsAndInLists) {
  for (const auto& [open, close] : {std::pair{R"({"n":)", "}"}, {R"({"n":[)", "]}"}}) {
    std::string text = "{}";
    for (int i = 0; i < 16; ++i) text = open + text + close;
    EXPECT_EQ(error_of([&] { flattened(text); }), "");
    text = open + text + close;
    EXPECT_EQ(error_of([&] { flattened(text); }),
              "'n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n' lies 17 objects deep: expected at most 16; "
              "flatten what is sent");
  }
}

TEST(JsonValues, ATextIsMeasuredBeforeItIsParsed) {
  EXPECT_EQ(error_of([] { check_json_size(std::string(64, '[')); }), "");
  EXPECT_EQ(error_of([] { check_json_size(std::string(65, '[')); }),
            "it nests deeper than 64: expected less");
  EXPECT_EQ(error_of([] {
              check_json_size("\"" + std::string(100, '[') + "\\\"" + std::string(100, '{') + "\"");
            }),
            "");
  EXPECT_EQ(error_of([] { check_json_size(std::string(4'194'303, ',')); }), "");
  EXPECT_EQ(error_of([] { check_json_size(std::string(4'194'304, ',')); }),
            "it has 4194305 values: expected at most 4194304");
}

}  // namespace
}  // namespace bandolier::json_values_test
