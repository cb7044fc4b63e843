#include "bandolier/lab/env/csv.h"

#include <gtest/gtest.h>

#include "bandolier/lab/env/records.h"

namespace bandolier::csv_test {
namespace {

using Fields = std::vector<std::string>;

TEST(CsvLine, QuotesOnlyWhatMustBeQuoted) {
  EXPECT_EQ(csv_line({"a b", "", "1.5", "x,y", "say \"z\"", "two\nlines", " c"}),
            "a b,,1.5,\"x,y\",\"say \"\"z\"\"\",\"two\nlines\",\" c\"\n");
}

TEST(CsvLine, ComesBackFromTheReader) {
  const std::vector<Fields> lines = {{"plain", "", "with, comma"},
                                     {"\"", "\"quoted\"", "a\r\nb"},
                                     {" blanks ", "\ttab", "end\r"},
                                     {"", "", ""}};
  std::string text;
  for (const Fields& fields : lines) text += csv_line(fields);
  const auto input = text_input(text, "a.csv");
  RecordReader records(*input, ',', Unfinished::kLeave);
  std::vector<std::string_view> fields;
  for (const Fields& expected : lines) {
    ASSERT_TRUE(records.next(fields));
    EXPECT_EQ(Fields(fields.begin(), fields.end()), expected);
  }
  EXPECT_FALSE(records.next(fields));
  EXPECT_FALSE(records.left_unfinished());
}

}  // namespace
}  // namespace bandolier::csv_test
