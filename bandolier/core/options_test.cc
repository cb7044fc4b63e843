#include "bandolier/core/options.h"

#include <gtest/gtest.h>

#include "testing/errors.h"

namespace bandolier::options_test {
namespace {

using testing::error_of;

enum class Covariance { kFull, kDiag, kBlock };
Words words_of(Covariance) {
  static constexpr std::string_view kWords[] = {"full", "diag", "block"};
  return kWords;
}

struct SharedOptions {
  double epsilon = 0.05;
  bool operator==(const SharedOptions&) const = default;
};

struct SomeOptions : SharedOptions {
  double lambda = 0.25;
  std::int64_t dim = 200;
  bool intercept = true;
  std::optional<double> noise_variance;
  std::optional<std::int64_t> memory = 100;
  std::vector<double> scales = {3, 15, 90};
  Covariance covariance = Covariance::kFull;
  Covariance other = Covariance::kDiag;
  std::string model = "mlp:50";
  bool operator==(const SomeOptions&) const = default;
};

void check_model(const std::string& text) {
  if (text.empty()) fail("a model without a name");
}

const OptionTable<SomeOptions>& table() {
  static const OptionTable<SomeOptions> table = [] {
    OptionTable<SomeOptions> rows = {
        {"lambda", &SomeOptions::lambda, "prior precision", positive()},
        {"dim", &SomeOptions::dim, "size of the subspace", at_least(1)},
        {"intercept", &SomeOptions::intercept, "append a constant"},
        {"noise_variance", &SomeOptions::noise_variance, "of a reward", positive(), "auto"},
        {"memory", &SomeOptions::memory, "rows kept", at_least(1), "unlimited"},
        {"scales", &SomeOptions::scales, "one member each", positive()},
        {"covariance", &SomeOptions::covariance, "its form"},
        {"other", &SomeOptions::other, "another's form", {Covariance::kDiag, Covariance::kBlock}},
        {"model", &SomeOptions::model, "the network", check_model}};
    static const OptionTable<SharedOptions> shared = {
        {"epsilon", &SharedOptions::epsilon, "share of uniform choices", between(0, 1)}};
    return rows.include(shared);
  }();
  return table;
}

std::string refusal(const OptionTexts& texts) {
  return error_of([&] { table().parse("agent 'x'", texts); });
}

TEST(ParseSpec, SeparatesAtTheFirstColonOnly) {
  const Spec spec = parse_spec("ekf:model=mlp:200x200,dim=50");
  EXPECT_EQ(spec.text, "ekf:model=mlp:200x200,dim=50");
  EXPECT_EQ(spec.name, "ekf");
  EXPECT_EQ(spec.options, (OptionTexts{{"model", "mlp:200x200"}, {"dim", "50"}}));
  EXPECT_TRUE(spec.arguments.empty());
}

TEST(ParseSpec, TakesArgumentsAndQuotedCommas) {
  const Spec spec = parse_spec(R"(csv:data/a.csv,label="a,b")");
  EXPECT_EQ(spec.arguments, (std::vector<std::string>{"data/a.csv"}));
  EXPECT_EQ(spec.options, (OptionTexts{{"label", "a,b"}}));
}

TEST(ParseSpec, APathThatHoldsAnEqualsSignIsAnArgumentWhereItsFolderIsTyped) {
  const Spec spec = parse_spec("csv:./a=b.csv,label=y");
  EXPECT_EQ(spec.arguments, std::vector<std::string>{"./a=b.csv"});
  EXPECT_EQ(spec.options.at("label"), "y");
}

TEST(ParseSpec, KeepsEqualsSignsAfterTheFirstInTheValue) {
  EXPECT_EQ(parse_spec("csv:x,label=a=b").options, (OptionTexts{{"label", "a=b"}}));
}

TEST(ParseSpec, RefusesEmptyNamesPartsAndKeysAndRepeatedKeys) {
  for (const auto* text : {"", ":a=1", "x:", "x:a=1,", "x:=1", "x:a=1,a=2", "x:a=\"1"}) {
    EXPECT_NE(error_of([&] { parse_spec(text); }), "") << text;
  }
}

TEST(OptionTable, OverridesDefaultsByName) {
  const auto options = table().parse("agent 'x'", {{"lambda", "2"},
                                                   {"dim", "7"},
                                                   {"intercept", "no"},
                                                   {"noise_variance", "0.5"},
                                                   {"memory", "8"},
                                                   {"scales", "1/2.5"},
                                                   {"covariance", "diag"},
                                                   {"other", "block"},
                                                   {"model", "linear"},
                                                   {"epsilon", "1"}});
  EXPECT_EQ(options.lambda, 2);
  EXPECT_EQ(options.dim, 7);
  EXPECT_FALSE(options.intercept);
  EXPECT_EQ(options.noise_variance, 0.5);
  EXPECT_EQ(options.memory, 8);
  EXPECT_EQ(options.scales, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(options.covariance, Covariance::kDiag);
  EXPECT_EQ(options.other, Covariance::kBlock);
  EXPECT_EQ(options.model, "linear");
  EXPECT_EQ(options.epsilon, 1);
}

TEST(OptionTable, LeavesTheGivenDefaultsWhereNothingIsTyped) {
  SomeOptions defaults;
  defaults.lambda = 9;
  EXPECT_EQ(table().parse("agent 'x'", {{"dim", "3"}}, defaults).lambda, 9);
}

TEST(OptionTable, ReadsTheWordForNothingAsNoValue) {
  SomeOptions defaults;
  defaults.noise_variance = 1;
  const auto options =
      table().parse("agent 'x'", {{"noise_variance", "auto"}, {"memory", "unlimited"}}, defaults);
  EXPECT_FALSE(options.noise_variance);
  EXPECT_FALSE(options.memory);
}

TEST(OptionTable, TypesOptionsAsTheyParseBack) {
  SomeOptions options;
  options.lambda = 1e-5;
  options.dim = 3;
  options.intercept = false;
  options.noise_variance = 0.1;
  options.memory.reset();
  options.scales = {0.5, 1e7};
  options.covariance = Covariance::kBlock;
  options.model = "mlp:200x200";
  options.epsilon = 1.0 / 3;
  EXPECT_EQ(table().texts(options), (OptionTexts{{"lambda", "1e-05"},
                                                 {"dim", "3"},
                                                 {"intercept", "false"},
                                                 {"noise_variance", "0.1"},
                                                 {"memory", "unlimited"},
                                                 {"scales", "0.5/10000000"},
                                                 {"covariance", "block"},
                                                 {"other", "diag"},
                                                 {"model", "mlp:200x200"},
                                                 {"epsilon", "0.3333333333333333"}}));
  EXPECT_EQ(table().parse("agent 'x'", table().texts(options)), options);
}

TEST(OptionTable, SaysWhatWasFoundAndWhatWasExpected) {
  EXPECT_EQ(refusal({{"lambda", "-1"}}), "agent 'x': lambda=-1: expected a number > 0");
  EXPECT_EQ(refusal({{"lambda", "nan"}}), "agent 'x': lambda=nan: expected a number > 0");
  EXPECT_EQ(refusal({{"dim", "0"}}), "agent 'x': dim=0: expected a whole number >= 1");
  EXPECT_EQ(refusal({{"dim", "1.5"}}), "agent 'x': dim=1.5: expected a whole number >= 1");
  EXPECT_EQ(refusal({{"intercept", "maybe"}}), "agent 'x': intercept=maybe: expected true|false");
  EXPECT_EQ(refusal({{"noise_variance", "inf"}}),
            "agent 'x': noise_variance=inf: expected a number > 0 or auto");
  EXPECT_EQ(refusal({{"noise_variance", "atuo"}}),
            "agent 'x': noise_variance=atuo: expected a number > 0 or auto, did you mean 'auto'?");
  EXPECT_EQ(refusal({{"memory", "1.5"}}),
            "agent 'x': memory=1.5: expected a whole number >= 1 or unlimited");
  for (const std::string text : {"", "3/", "3/x", "3/-1", "3,4"}) {
    EXPECT_EQ(refusal({{"scales", text}}),
              "agent 'x': scales=" + text + ": expected numbers > 0 with / between them");
  }
  EXPECT_EQ(refusal({{"epsilon", "2"}}), "agent 'x': epsilon=2: expected a number from 0 to 1");
  EXPECT_EQ(refusal({{"covariance", "dial"}}),
            "agent 'x': covariance=dial: expected full|diag|block, did you mean 'diag'?");
  EXPECT_EQ(refusal({{"covariance", ""}}), "agent 'x': covariance=: expected full|diag|block");
  EXPECT_EQ(refusal({{"other", "full"}}), "agent 'x': other=full: expected diag|block");
  EXPECT_EQ(refusal({{"model", ""}}), "a model without a name");
}

TEST(OptionTable, NamesTheNearestOptionForAnUnknownOne) {
  EXPECT_EQ(refusal({{"lamda", "1"}}), "agent 'x' has no option 'lamda', did you mean 'lambda'?");
  EXPECT_EQ(error_of([] {
              OptionTable<SharedOptions>({}).parse("agent 'y'", {{"a", "1"}});
            }),
            "agent 'y' has no option 'a'; it takes none");
}

TEST(OptionTable, DocumentsEveryRowWithADefaultThatParsesBack) {
  const auto docs = table().docs();
  ASSERT_EQ(docs.size(), 10u);
  EXPECT_EQ(docs[1].name, "dim");
  EXPECT_EQ(docs[1].value, "200");
  EXPECT_EQ(docs[1].expected, "a whole number >= 1");
  EXPECT_EQ(docs[1].help, "size of the subspace");
  EXPECT_EQ(docs[3].value, "auto");
  EXPECT_EQ(docs[5].value, "3/15/90");
  EXPECT_EQ(docs[6].expected, "full|diag|block");
  EXPECT_EQ(docs[9].name, "epsilon");
  for (const auto& doc : docs) EXPECT_EQ(refusal({{doc.name, doc.value}}), "") << doc.name;
}

TEST(Limits, AreShownShortButExactly) {
  EXPECT_EQ(between(0.5, 200).says, "a number from 0.5 to 200");
  EXPECT_EQ(between(1, 1e12).says, "a number from 1 to 1e12");
  EXPECT_EQ(at_least(1e6).says, "a number >= 1e6");
  EXPECT_EQ(at_least(1e-12).says, "a number >= 1e-12");
  EXPECT_EQ(above_up_to(0, 16777217).says, "a number above 0 and at most 16777217");
}

TEST(Limits, HoldAtTheirEdges) {
  EXPECT_FALSE(positive().holds(0));
  EXPECT_TRUE(non_negative().holds(0));
  EXPECT_TRUE(at_least(2).holds(2));
  EXPECT_FALSE(at_least(2).holds(1.999));
  EXPECT_TRUE(between(0, 1).holds(1));
  EXPECT_FALSE(above_up_to(0, 1).holds(0));
  EXPECT_TRUE(above_up_to(0, 1).holds(1));
}

}  // namespace
}  // namespace bandolier::options_test
