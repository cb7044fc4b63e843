#include "bandolier/lab/env/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/lab/env/test_data.h"
#include "testing/errors.h"

namespace bandolier::table_test {
namespace {

using testing::error_of;
using Words = std::vector<std::string>;

Table read(const std::string& text, const TableFormat& format = {}) {
  return read_table(*text_input(text, "a.csv"), format);
}
std::string refusal(const std::string& text, const TableFormat& format = {}) {
  return error_of([&] { read(text, format); });
}

TEST(Table, TellsNumbersFromWords) {
  const Table table = read("age,colour\n1.5,red\n-2e1,blue\n+3,red\n");
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].name, "age");
  EXPECT_FALSE(table.columns[0].categorical);
  EXPECT_TRUE(table.columns[1].categorical);
  EXPECT_EQ(table.columns[1].words, (Words{"blue", "red"}));
  EXPECT_EQ(table.numbers, (Matrix<float>(3, 1) << 1.5f, -20, 3).finished());
  EXPECT_EQ(table.codes, (Matrix<std::uint16_t>(3, 1) << 1, 0, 1).finished());
}

TEST(Table, OrdersWordsThatAreNumbersAsNumbers) {
  const Table table = read("y\n10\n9\n-1\n", {.categorical = {"y"}});
  EXPECT_EQ(table.columns[0].words, (Words{"-1", "9", "10"}));
}

TEST(Table, KeepsAMissingNumberAsNanBesideTheMeanAndCodesAMissingWordLast) {
  const Table table = read("x,w\n1,a\n?,b\n5,NA\n,\n");
  EXPECT_EQ(table.numbers(0, 0), 1);
  EXPECT_TRUE(std::isnan(table.numbers(1, 0)));
  EXPECT_EQ(table.numbers(2, 0), 5);
  EXPECT_TRUE(std::isnan(table.numbers(3, 0)));
  EXPECT_EQ(table.columns[0].mean, 3);
  EXPECT_EQ(table.codes, (Matrix<std::uint16_t>(4, 1) << 0, 1, 2, 2).finished());
  EXPECT_EQ(table.columns[0].missing, 2);
  EXPECT_EQ(table.columns[1].missing, 2);
}

TEST(Table, CountsRowsLeftOutForARequiredValue) {
  const Table table = read("x,y\n1,a\n2,?\n3,b\n4,\n", {.required = {"y"}});
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(to_texts(table.notes),
            Words{"2 of 4 rows left out: no label or reward (found '?' in 1)"});
  EXPECT_EQ(table.numbers, (Matrix<float>(2, 1) << 1, 3).finished());
}

TEST(Table, CountsRowsLeftOutForWantOfAnyOutcome) {
  const Table table = read("x,r1,r2\n1,0,2\n2,,\n3,?,4\n", {.outcome_prefix = "r"});
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(to_texts(table.notes), Words{"1 of 3 rows left out: no label or reward"});
  EXPECT_EQ(table.columns[1].missing, 1);
}

TEST(Table, FindsWhetherThereIsAHeader) {
  EXPECT_EQ(read("x,y\n1,2\n").rows, 1);
  EXPECT_EQ(read("1,2\n3,4\n").rows, 2);
  EXPECT_EQ(read("a,a\nb,c\n").rows, 2) << "names differ; these do not";
  EXPECT_EQ(read("a,?\nb,c\n").rows, 2) << "a missing field is no name";
  EXPECT_EQ(read("a,b\nb,c\n", {.header = Header::kNo}).rows, 2);
  EXPECT_EQ(read("1,2\n3,4\n", {.header = Header::kYes}).rows, 1);
  EXPECT_EQ(read("1,2\n3,4\n").columns[1].name, "2");
}

TEST(Table, DropsColumns) {
  const Table table = read("id,x\nk1,1\nk2,2\n", {.drop = {"id"}});
  ASSERT_EQ(table.columns.size(), 1u);
  EXPECT_EQ(table.columns[0].name, "x");
  EXPECT_EQ(table.codes.size(), 0);
}

TEST(Table, ReadsAGzippedFileAsItReadsAPlainOne) {
  const testing::TemporaryFolder folder;
  const std::string text = "x,w\n1,a\n2,b\n";
  const auto plain = testing::write_file(folder, "a.csv", text);
  const auto gzipped = testing::write_file(folder, "a.csv.gz", testing::gzip(text));
  const Table a = read_table(*open_input(plain), {}), b = read_table(*open_input(gzipped), {});
  EXPECT_EQ(a.numbers, b.numbers);
  EXPECT_EQ(a.codes, b.codes);
}

TEST(Table, RefusesARaggedRow) {
  EXPECT_EQ(refusal("x,y\n1,2\n3,4,5\n"),
            "a.csv line 3: found 3 columns, expected 2 as in the first line");
}

TEST(Table, RefusesInfinityInANumericColumn) {
  EXPECT_EQ(refusal("x,y\n1,2\n3,inf\n"),
            "a.csv line 3, column 2 ('y'): found 'inf': expected a finite number, or nothing, ? or "
            "NA where it is missing");
  EXPECT_NE(refusal("x,y\n-inf,2\n3,4\n").find("line 2, column 1 ('x'): found '-inf'"),
            std::string::npos);
  EXPECT_NE(refusal("x,y\n1e39,2\n3,4\n").find("found '1e39'"), std::string::npos)
      << "more than a float holds";
}

TEST(Table, RefusesAWordAmongNumbers) {
  EXPECT_EQ(refusal("x,y\n1,2\n3,4\n5,6o\n"),
            "a.csv line 4, column 2 ('y'): found '6o' in a column with 2 numbers and 1 words: "
            "expected one kind; correct it, name its missing=WORD, or read all as words with "
            "categorical=y");
  EXPECT_EQ(read("x,y\n1,2\n5,6o\n", {.categorical = {"y"}}).columns[1].words, (Words{"2", "6o"}));
}

TEST(Table, RefusesAFileWithoutRows) {
  EXPECT_EQ(refusal(""), "a.csv has no rows: expected lines of separated values");
  EXPECT_EQ(refusal("\n\n"), "a.csv has no rows: expected lines of separated values");
  EXPECT_EQ(refusal("x,y\n"), "a.csv has no rows below its header: expected at least one");
  EXPECT_EQ(refusal("x,y\n1,?\n", {.required = {"y"}}),
            "a.csv has no rows below its header (1 left out for a missing value): expected at "
            "least one");
}

TEST(Table, RefusesAnUnknownColumnWithTheNearestName) {
  EXPECT_EQ(refusal("age,label\n1,a\n", {.drop = {"labl"}}),
            "a.csv has no column 'labl', did you mean 'label'?");
}

TEST(Table, RefusesTwoColumnsOfOneName) {
  const std::string refused =
      "a.csv: two columns are called 'x': expected names that differ, or header=false if the first "
      "line is data";
  EXPECT_EQ(refusal("x,x\n1,2\n", {.header = Header::kYes}), refused);
  // Found without being told: words above numbers are a header, whatever they say.
  EXPECT_EQ(refusal("x,x,y\n1,2,a\n"), refused);
  EXPECT_EQ(read("p,p,e\nx,s,n\n").rows, 2);
}

TEST(Table, ANumberBeyondTheRangeOfDoublesIsANumber) {
  EXPECT_EQ(refusal("x,y\n1,2\n3,-1e999\n"),
            "a.csv line 3, column 2 ('y'): found '-1e999': expected a finite number, or nothing, ? "
            "or NA where it is missing");
  EXPECT_EQ(read("x\n1e-999\n2\n").numbers(0, 0), 0);
}

TEST(Table, AWordInARewardColumnBringsNoAdviceToMakeItACategory) {
  EXPECT_EQ(refusal("x,r1\n1,2\n3,4\n5,6o\n", {.outcome_prefix = "r"}),
            "a.csv line 4, column 2 ('r1'): found '6o' in a column with 2 numbers and 1 words: "
            "expected numbers, or nothing, ? or NA where one is missing");
}

TEST(Table, LeavesOutOrRefusesAColumnOfTooManyWords) {
  std::string text = "name,x\n";
  for (int i = 0; i < 5 * kMostWords; ++i) text += fmt::format("w{},1\n", i % (kMostWords + 1));
  const Table table = read(text);
  EXPECT_EQ(table.columns.size(), 1u);
  EXPECT_EQ(to_texts(table.notes),
            Words{"column 'name' left out: more than 10,000 different words in 50,000 rows, too "
                  "many for categories; drop=name leaves it out without this note"});
  EXPECT_EQ(read(text, {.keep = {"name"}}).notes, table.notes);
  EXPECT_EQ(
      refusal(text, {.categorical = {"name"}}),
      "a.csv line 10002, column 1 ('name'): found the 10001th different word 'w10000': expected "
      "numbers or at most 10000 categories; leave the column out with drop=name");
  EXPECT_EQ(refusal(text, {.categorical = {"name"}, .required = {"name"}}),
            "a.csv line 10002, column 1 ('name'): found the 10001th different word 'w10000': "
            "expected at most 10000 classes");
}

TEST(Table, KeepsNumbersThatFloatsCannotTellApartLessTheFirst) {
  const Table table = read("t,u\n1700000000,0.1\n1700000001,0.2\n1700000003,?\n");
  EXPECT_EQ(table.columns[0].origin, 1.7e9);
  EXPECT_EQ(table.numbers.col(0), (Vector<float>(3) << 0, 1, 3).finished());
  EXPECT_EQ(table.columns[1].origin, 0);
  EXPECT_EQ(table.numbers(0, 1), 0.1f);
  EXPECT_EQ(read("t\n1700000000\n1700000000\n").columns[0].origin, 0) << "a constant";
  EXPECT_EQ(
      read("t,r1,r2\n1,1700000000,2\n2,1700000001,2\n", {.outcome_prefix = "r"}).columns[1].origin,
      0)
      << "rewards are as they stand";
}

TEST(Table, DatesMayDifferInEveryRow) {
  std::string text = "at,x\n";
  for (int i = 0; i < 2 * kMostWords; ++i) {
    text += fmt::format("2024-01-{:02}T{:02}:{:02}:{:02},1\n", 1 + i / 3600 / 24, i / 3600 % 24,
                        i / 60 % 60, i % 60);
  }
  const Table table = read(text, {.keep = {"at"}});
  EXPECT_TRUE(table.columns[0].date);
  EXPECT_NE(table.columns[0].origin, 0) << "seconds of one day";
}

TEST(Table, ReadsAColumnOfDatesAsDays) {
  const Table table = read("d,x\n1970-01-03,1\n?,2\n1970-01-02T12:00,3\n");
  EXPECT_TRUE(table.columns[0].date);
  EXPECT_FALSE(table.columns[0].categorical);
  EXPECT_EQ(table.numbers(0, 0), 2);
  EXPECT_TRUE(std::isnan(table.numbers(1, 0)));
  EXPECT_EQ(table.numbers(2, 0), 1.5f);
  EXPECT_EQ(to_texts(table.notes), Words{"column 'd' read as dates: days since 1970"});
  const Table words = read("d,x\n1970-01-03,1\nlater,2\n", {.header = Header::kYes});
  EXPECT_EQ(words.columns[0].words, (Words{"1970-01-03", "later"})) << "one is no date";
  EXPECT_EQ(read("1970-01-03,a\n1970-01-04,b\n").rows, 2) << "a date is no column's name";
}

TEST(Table, RefusesAGzippedFileCutInTheMiddle) {
  const testing::TemporaryFolder folder;
  std::string text = "x,y\n";
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i * 7919 % 50'021) + ",1\n";
  const std::string whole = testing::gzip(text);
  const auto path = testing::write_file(folder, "a.csv.gz", whole.substr(0, whole.size() / 2));
  const auto message = error_of([&] { read_table(*open_input(path), {}); });
  EXPECT_NE(message.find("a.csv.gz is cut: its gzip stream ends at byte"), std::string::npos)
      << message;
}

TEST(Table, RefusesADamagedGzippedFile) {
  const testing::TemporaryFolder folder;
  std::string bytes = testing::gzip("x,y\n1,2\n3,4\n");
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // in the checksum
  const auto path = testing::write_file(folder, "a.csv.gz", bytes);
  const auto message = error_of([&] { read_table(*open_input(path), {}); });
  EXPECT_NE(message.find("a.csv.gz is damaged"), std::string::npos) << message;
}

TEST(Table, RefusesAMissingFileAndAFolder) {
  const testing::TemporaryFolder folder;
  EXPECT_NE(error_of([&] { open_input(folder / "none.csv"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(error_of([&] { open_input(folder.path()); }).find("is a folder: expected a file"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::table_test
