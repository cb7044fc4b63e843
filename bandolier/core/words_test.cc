#include "bandolier/core/words.h"

#include <gtest/gtest.h>

#include "testing/errors.h"

namespace bandolier::words_test {
namespace {

enum class Colour { kRed, kDarkBlue };
Words words_of(Colour) {
  static constexpr std::string_view kWords[] = {"red", "dark-blue"};
  return kWords;
}

TEST(Words, AreThoseOfTheEnumInOrder) {
  EXPECT_EQ(to_word(Colour::kRed), "red");
  EXPECT_EQ(to_word(Colour::kDarkBlue), "dark-blue");
  EXPECT_EQ(parse_word<Colour>("colour", "dark-blue"), Colour::kDarkBlue);
  EXPECT_EQ(find_word<Colour>("blue"), std::nullopt);
}

TEST(Words, NameTheNearestInErrors) {
  EXPECT_EQ(testing::error_of([] { parse_word<Colour>("colour", "drak-blue"); }),
            "colour=drak-blue: expected red|dark-blue, did you mean 'dark-blue'?");
  EXPECT_EQ(testing::error_of([] { parse_word<Colour>("colour", ""); }),
            "colour=: expected red|dark-blue");
}

}  // namespace
}  // namespace bandolier::words_test
