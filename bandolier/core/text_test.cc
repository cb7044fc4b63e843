#include "bandolier/core/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testing/errors.h"

namespace bandolier::text_test {
namespace {

using Words = std::vector<std::string>;
using testing::error_of;

TEST(Split, GivesThePartsBetweenSeparatorsAndOnePartForNone) {
  EXPECT_EQ(split("a,b,c", ','), (Words{"a", "b", "c"}));
  EXPECT_EQ(split("", ','), (Words{""}));
  EXPECT_EQ(split(",a,", ','), (Words{"", "a", ""}));
}

TEST(Split, KeepsASeparatorInQuotesAndDropsTheQuotes) {
  EXPECT_EQ(split(R"(x="a,b",c)", ','), (Words{"x=a,b", "c"}));
  EXPECT_EQ(split(R"("")", ','), (Words{""}));
}

TEST(Split, RefusesAnOpenQuote) {
  EXPECT_EQ(error_of([] { split("a,\"b", ','); }),
            "'a,\"b' has an open quote: expected a closing \"");
}

TEST(Trim, RemovesBlanksAtBothEndsOnly) {
  EXPECT_EQ(trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(trim(" \t"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(ParseDouble, ReadsTheWholeTextOrNothing) {
  EXPECT_EQ(parse_double("1e-3"), 1e-3);
  EXPECT_EQ(parse_double("+2.5"), 2.5);
  EXPECT_EQ(parse_double("-.5"), -0.5);
  for (const auto* text : {"", "+", "-", "+-1", "++1", "1.5x", " 1", "1 ", "1,5", "0x10", "e3"}) {
    EXPECT_FALSE(parse_double(text)) << text;
  }
}

TEST(ParseDouble, LeavesNanAndInfinityToTheCaller) {
  EXPECT_TRUE(std::isnan(*parse_double("nan")));
  EXPECT_EQ(parse_double("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_FALSE(parse_double("1e999"));
}

TEST(ParseInteger, RefusesFractionsExponentsAndOverflow) {
  EXPECT_EQ(parse_integer("-42"), -42);
  EXPECT_EQ(parse_integer("+9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const auto* text : {"", "1.0", "1e3", "9223372036854775808", "+-3", "three"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(ParseBool, KnowsFourWordsEach) {
  for (const auto* text : {"true", "yes", "on", "1"}) EXPECT_EQ(parse_bool(text), true) << text;
  for (const auto* text : {"false", "no", "off", "0"}) EXPECT_EQ(parse_bool(text), false) << text;
  for (const auto* text : {"", "True", "2", "y"}) EXPECT_FALSE(parse_bool(text)) << text;
}

TEST(ToText, IsTheShortestThatParsesBack) {
  EXPECT_EQ(to_text(0.25), "0.25");
  EXPECT_EQ(to_text(1e-5), "1e-05");
  EXPECT_EQ(to_text(3), "3");
  for (const double value : {0.1, 1.0 / 3, 1e300, -5e-324, std::nextafter(1.0, 2.0)}) {
    EXPECT_EQ(parse_double(to_text(value)), value);
  }
}

TEST(Suggestion, NamesTheNearestWithinAThirdOfItsLength) {
  const Words known = {"linear", "uniform", "neural-linear", "ekf"};
  EXPECT_EQ(suggestion("linera", known), ", did you mean 'linear'?");
  EXPECT_EQ(suggestion("ekg", known), ", did you mean 'ekf'?");
  EXPECT_EQ(suggestion("neurallinear", known), ", did you mean 'neural-linear'?");
  EXPECT_EQ(suggestion("lin", known), "; known: linear, uniform, neural-linear, ekf");
  EXPECT_EQ(suggestion("", known), "; known: linear, uniform, neural-linear, ekf");
}

TEST(Join, PutsTheSeparatorBetweenWords) {
  EXPECT_EQ(join(Words{"a", "b"}, "|"), "a|b");
  EXPECT_EQ(join(Words{}, "|"), "");
}

TEST(Nearest, SwappedLettersAreOneMistake) {
  const std::vector<std::string> known = {"ucb", "svd", "diag", "csv"};
  EXPECT_EQ(nearest("cub", known), ", did you mean 'ucb'?");
  EXPECT_EQ(nearest("daig", known), ", did you mean 'diag'?");
  EXPECT_EQ(nearest("bcu", known), "");  // three letters, two edits
  EXPECT_EQ(nearest("far away", known), "");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(ValidUtf8, ReplacesWhatIsNoCharacter) {
  const std::string valid = "a\u00e9\u20ac\U0001f600\u007f";
  EXPECT_EQ(valid_utf8(valid), valid);
  EXPECT_EQ(valid_utf8("caf\xe9!"), "caf\ufffd!");              // Latin-1
  EXPECT_EQ(valid_utf8("\xe2\x82"), "\ufffd\ufffd");            // cut
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\ufffd\ufffd");            // overlong
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");  // a surrogate
  EXPECT_EQ(valid_utf8("\xf5\x80\x80\x80").size(), 12u);        // beyond U+10FFFF
}

TEST(WithCommas, StandBetweenThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(2331), "2,331");
  EXPECT_EQ(with_commas(-123456), "-123,456");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
}

}  // namespace
}  // namespace bandolier::text_test
