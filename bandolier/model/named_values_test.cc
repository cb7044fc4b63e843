#include "bandolier/model/named_values.h"

#include <gtest/gtest.h>

#include <limits>

#include "testing/allocations.h"
#include "testing/errors.h"

namespace bandolier::named_values_test {
namespace {

using Kind = NamedValues::Kind;
using testing::error_of;

TEST(NameHash, IsFnv1aWithMurmursFinaliserOnEveryMachine) {
  // Made in Python; FNV-1a of "a" before the finaliser is the published 0xaf63dc4c8601ec8c.
  EXPECT_EQ(hash_name(""), 0xefd01f60ba992926ull);
  EXPECT_EQ(hash_name("a"), 0x82a2a958a9bece5bull);
  EXPECT_EQ(hash_name("user.age"), 0xcd7cd17cf126b51dull);
  EXPECT_EQ(hash_name("colour=red"), 0x3621c1367a965d3bull);
  EXPECT_EQ(hash_name("Gr\xc3\xbc\xc3\x9f"
                      "e"),
            0x18ee3acd8b57a4feull);
}

TEST(NameIndex, FindsEveryNameAtItsPlaceAndForgetsAllAtOnce) {
  NameIndex index;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(index.find("n0", hash_name("n0")), NameIndex::kNone);
    for (int i = 0; i < 1000; ++i) {
      const std::string name = fmt::format("n{}", i);
      EXPECT_EQ(index.add(name, hash_name(name)), i);
    }
    for (int i = 0; i < 1000; ++i) {
      const std::string name = fmt::format("n{}", i);
      EXPECT_EQ(index.find(name, hash_name(name)), i);
      EXPECT_EQ(index.find(name, hash_name(name), 1), NameIndex::kNone);
      EXPECT_EQ(index.name(i), name);
    }
    EXPECT_EQ(index.find("n1000", hash_name("n1000")), NameIndex::kNone);
    index.clear();
    EXPECT_EQ(index.size(), 0);
  }
}

TEST(NameIndex, NamesOfOneHashAreToldApart) {
  NameIndex index;
  index.add("a", 7);
  index.add("b", 7);
  index.add("b", 7, 1);
  EXPECT_EQ(index.find("a", 7), 0);
  EXPECT_EQ(index.find("b", 7), 1);
  EXPECT_EQ(index.find("b", 7, 1), 2);
  EXPECT_EQ(index.find("c", 7), NameIndex::kNone);
}

TEST(NamedValues, AreFlattenedInTheOrderInWhichTheyCome) {
  NamedValues values;
  values.enter("user");
  values.number("age", 37);
  values.enter("home");
  values.word("country", "PE");
  values.leave();
  values.leave();
  values.numbers("x", std::vector<double>{0.5, 0});
  values.boolean("mobile", true);

  struct Expected {
    Kind kind;
    std::string name, word, feature;
    double number;
  };
  const std::vector<Expected> expected = {
      {Kind::kNumber, "user.age", "", "user.age", 37},
      {Kind::kWord, "user.home.country", "PE", "user.home.country=PE", 1},
      {Kind::kElement, "x[0]", "", "x[0]", 0.5},
      {Kind::kElement, "x[1]", "", "x[1]", 0},
      {Kind::kWord, "mobile", "true", "mobile=true", 1}};
  ASSERT_EQ(values.size(), static_cast<Index>(expected.size()));
  for (Index i = 0; i < values.size(); ++i) {
    const auto value = values[i];
    const Expected& e = expected[static_cast<std::size_t>(i)];
    EXPECT_EQ(value.kind, e.kind);
    EXPECT_EQ(value.name, e.name);
    EXPECT_EQ(value.word, e.word);
    EXPECT_EQ(value.feature, e.feature);
    EXPECT_EQ(value.number, e.number);
    EXPECT_EQ(value.name_hash, hash_name(e.name));
    EXPECT_EQ(value.hash, hash_name(e.feature));
  }
  values.clear();
  EXPECT_TRUE(values.empty());
  values.number("age", 1);
  EXPECT_EQ(values[0].name, "age");
}

TEST(NamedValues, ANameMayHaveSeveralWordsAndNothingElseTwice) {
  NamedValues values;
  values.word("genre", "crime");
  values.word("genre", "drama");
  values.number("genre", 2);
  EXPECT_EQ(error_of([&] { values.word("genre", "crime"); }),
            "'genre=crime' is given twice: expected each name once, and each of its words");
  EXPECT_EQ(error_of([&] { values.number("genre", 3); }),
            "'genre' is given twice: expected each name once, and each of its words");
  values.numbers("x", std::vector<double>{1});
  EXPECT_EQ(error_of([&] { values.numbers("x", std::vector<double>{1}); }),
            "'x[0]' is given twice: expected each name once, and each of its words");
  EXPECT_EQ(values.size(), 4);
  values.number("y", 1);
  EXPECT_EQ(values[4].name, "y");
}

TEST(NamedValues, ANumberIsFiniteAndWithinAFloatsRange) {
  NamedValues values;
  values.enter("user");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const auto& [number, text] : {std::pair{std::numeric_limits<double>::quiet_NaN(), "nan"},
                                     {kInfinity, "inf"},
                                     {-kInfinity, "-inf"},
                                     {1e39, "1e+39"}}) {
    EXPECT_EQ(
        error_of([&, number = number] { values.number("age", number); }),
        fmt::format("'user.age' is {}: expected a finite number within a float's range", text));
    EXPECT_EQ(
        error_of([&, number = number] { values.numbers("x", std::vector<double>{number}); }),
        fmt::format("'user.x[0]' is {}: expected a finite number within a float's range", text));
  }
  values.number("age", -3.4e38);
  EXPECT_EQ(values.size(), 1);
}

TEST(NamedValues, HaveLimitsOfDepthNumberAndLength) {
  NamedValues values;
  for (int i = 0; i < 16; ++i) values.enter("n");
  EXPECT_EQ(
      error_of([&] { values.enter("m"); }),
      "'n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.m' lies 17 objects deep: expected at most 16; flatten "
      "what is sent");
  for (int i = 0; i < 16; ++i) values.leave();
  EXPECT_EQ(error_of([&] { values.leave(); }), "leave() without enter(): expected one for each");

  values.clear();
  const std::string longest(512, 'a');
  values.number(longest, 1);
  values.word("w", longest);
  values.word(longest, longest);
  const std::string start(60, 'a');
  EXPECT_EQ(error_of([&] { values.number(longest + "b", 1); }),
            fmt::format("the name '{}...' has 513 bytes: expected at most 512", start));
  EXPECT_EQ(error_of([&] { values.word("w", longest + "b"); }),
            "the word of 'w' has 513 bytes: expected at most 512");
  EXPECT_EQ(values.size(), 3);

  values.clear();
  values.numbers("x", std::vector<double>(10'000, 1));
  EXPECT_EQ(error_of([&] { values.number("y", 1); }),
            "'y' is value 10001: expected at most 10000 in one object");
}

TEST(NamedValues, AllocateNothingOnceWarm) {
  NamedValues values;
  const std::vector<double> numbers(20, 0.5);
  const auto fill = [&] {
    values.clear();
    values.enter("a-rather-long-namespace");
    for (const char* name : {"first-name-of-many", "second", "third"}) {
      values.number(name, 1);
      values.word(name, "a-word-that-is-longer-than-a-short-string");
    }
    values.leave();
    values.numbers("x", numbers);
  };
  fill();
  const std::int64_t before = testing::allocations();
  for (int i = 0; i < 100; ++i) fill();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(values.size(), 26);
}

}  // namespace
}  // namespace bandolier::named_values_test
