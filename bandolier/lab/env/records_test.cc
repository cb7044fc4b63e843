#include "bandolier/lab/env/records.h"

#include <gtest/gtest.h>

#include "testing/errors.h"

namespace bandolier::records_test {
namespace {

using testing::error_of;
using Record = std::vector<std::string>;

std::vector<Record> read(const std::string& text, char separator = 0,
                         Unfinished unfinished = Unfinished::kRead) {
  const auto input = text_input(text, "a.csv");
  RecordReader records(*input, separator, unfinished);
  std::vector<Record> all;
  std::vector<std::string_view> fields;
  while (records.next(fields)) all.emplace_back(fields.begin(), fields.end());
  return all;
}

TEST(RecordReader, FindsTheSeparatorInTheFirstLine) {
  EXPECT_EQ(read("a,b c\n"), (std::vector<Record>{{"a", "b c"}}));
  EXPECT_EQ(read("a;b,c\n"), (std::vector<Record>{{"a", "b,c"}}));
  EXPECT_EQ(read("a\tb;c\n"), (std::vector<Record>{{"a", "b;c"}}));
  EXPECT_EQ(read("  1  2 \n3 4"), (std::vector<Record>{{"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(read("alone\n"), (std::vector<Record>{{"alone"}}));
}

TEST(RecordReader, DropsBlanksAroundFieldsCarriageReturnsAndEmptyLines) {
  EXPECT_EQ(read("\r\n a , b \r\n\n\r\nc,d\r\n\n"), (std::vector<Record>{{"a", "b"}, {"c", "d"}}));
}

TEST(RecordReader, KeepsEmptyFields) {
  EXPECT_EQ(read("a,,\n,b,"), (std::vector<Record>{{"a", "", ""}, {"", "b", ""}}));
  EXPECT_EQ(read("a\t\tb\n"), (std::vector<Record>{{"a", "", "b"}}));
}

TEST(RecordReader, ReadsQuotedSeparatorsLineEndsAndQuotes) {
  EXPECT_EQ(read("\"a,1\" ,\"b\nc\",\"say \"\"x\"\"\"\nd,e,f"),
            (std::vector<Record>{{"a,1", "b\nc", "say \"x\""}, {"d", "e", "f"}}));
}

TEST(RecordReader, IgnoresAByteOrderMark) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a,b\n"),
            (std::vector<Record>{{"a", "b"}}));
}

TEST(RecordReader, GivesTheLineOnWhichARecordStarts) {
  const auto input = text_input("a,b\n\n\"x\ny\",c\nd,e\n", "a.csv");
  RecordReader records(*input, ',');
  std::vector<std::string_view> fields;
  std::vector<Index> lines;
  while (records.next(fields)) lines.push_back(records.line());
  EXPECT_EQ(lines, (std::vector<Index>{1, 3, 5}));
}

TEST(RecordReader, ReadsTheSameWhereverItsBufferEnds) {
  // Records of 7 to 30 bytes over a dozen buffers of 64 KiB, some quoted.
  std::string text;
  std::vector<Record> expected;
  for (int i = 0; text.size() < 800'000; ++i) {
    const std::string tail(static_cast<std::size_t>(i % 23), 'x');
    text += std::to_string(i) + ",\"" + tail + "\"\"\n\",z\n";
    expected.push_back({std::to_string(i), tail + "\"\n", "z"});
  }
  EXPECT_EQ(read(text), expected);
}

TEST(RecordReader, ReadsARecordLongerThanItsBuffer) {
  const std::string field(1'000'000, 'x');
  EXPECT_EQ(read("a,b\n" + field + ",c\n"), (std::vector<Record>{{"a", "b"}, {field, "c"}}));
}

TEST(RecordReader, LeavesARecordWithoutALineEndWhereverItWasCut) {
  const std::string whole = "a,b\n", cut = "c,\"d\n\"\"e\"\"\" ,f";
  for (std::size_t length = 0; length <= cut.size(); ++length) {
    const auto input = text_input(whole + cut.substr(0, length), "a.csv");
    RecordReader records(*input, ',', Unfinished::kLeave);
    std::vector<std::string_view> fields;
    EXPECT_TRUE(records.next(fields));
    EXPECT_FALSE(records.next(fields)) << length;
    EXPECT_EQ(records.left_unfinished(), length > 0) << length;
  }
  EXPECT_EQ(read(whole + cut + "\n", ',', Unfinished::kLeave),
            (std::vector<Record>{{"a", "b"}, {"c", "d\n\"e\"", "f"}}));
}

TEST(RecordReader, RefusesAnOpenQuoteWithItsLineAndColumn) {
  EXPECT_EQ(error_of([] { read("a,b\nc,\"d\ne,f\n"); }),
            "a.csv line 2, column 2: the quote opened here has no end: expected a closing \"");
}

TEST(RecordReader, RefusesTextAfterAClosingQuote) {
  EXPECT_EQ(error_of([] { read("a,b\n\"c\"d,e\n"); }),
            "a.csv line 2, column 1: found 'd' after a closing quote: expected a separator or the "
            "line's end");
}

TEST(RecordReader, RefusesABinaryFileWithTheLineOfTheZeroByte) {
  EXPECT_EQ(error_of([] { read(std::string("a,b\nc,\0d", 8)); }),
            "a.csv line 2: found a zero byte: expected text, plain or gzipped; this is a binary "
            "file");
}

TEST(RecordReader, RefusesLinesThatEndInACarriageReturnAlone) {
  EXPECT_EQ(error_of([] { read("a,b\rc,d\r"); }),
            "a.csv line 1, column 2: found a carriage return within a line: expected lines that "
            "end in LF or CR LF; convert the file");
}

TEST(RecordReader, RefusesARecordThatNeverEnds) {
  EXPECT_NE(error_of([] {
              read("a,\"" + std::string((std::size_t{1} << 24) + 1, 'x'));
            }).find("longer than 16 MiB"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::records_test
