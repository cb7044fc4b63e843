// A table of numbers and words read from separated text: CSV files and their relatives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bandolier/core/types.h"
#include "bandolier/core/words.h"
#include "bandolier/lab/env/input.h"

namespace bandolier {

enum class Header { kAuto, kYes, kNo };
inline Words words_of(Header) {
  static constexpr std::string_view kWords[] = {"auto", "true", "false"};
  return kWords;
}

struct TableFormat {
  char separator = 0;  // 0: found from the first line
  // kAuto: the first record is a header if none of its fields is a number or missing and they all
  // differ, or the second record has numbers.
  Header header = Header::kAuto;
  std::vector<std::string> names =
      {};  // of the columns where there is no header; empty: "1", "2", ...
  // Columns, by name or by number from 1:
  std::vector<std::string> drop = {};         // not read
  std::vector<std::string> categorical = {};  // read as words even if all are numbers
  std::vector<std::string> required = {};     // a row where one is missing is left out and counted
  // A row where all columns whose name starts so are missing is left out too; empty: none.
  std::string outcome_prefix = {};
};

struct TableColumn {
  std::string name;
  Index number = 0;  // in the file, from 1
  bool categorical = false;
  Index store = 0;                 // its column in `numbers` or `codes`
  std::vector<std::string> words;  // ascending: as numbers if all are, else byte by byte
  Index missing = 0;
  float mean = 0;  // of the numbers of a numeric column that lacks some
};

// Numbers are stored once, as floats; words as 16-bit codes: 4 or 2 bytes per field.
struct Table {
  std::string file;
  std::vector<TableColumn> columns;  // those not dropped, in the file's order
  Index rows = 0;
  Index left_out = 0;           // rows without a required value
  Matrix<float> numbers;        // rows × numeric columns; NaN where missing
  Matrix<std::uint16_t> codes;  // rows × categorical columns; words.size() where missing

  // The position in `columns` of the column called `name`, or of the file's column of that number
  // where none is called so; throws Error with the nearest name.
  Index find(const std::string& name) const;
};

inline constexpr Index kMostWords = 10'000;  // of a categorical column

// Reads the input twice: first to learn its columns, words and number of rows, then to store them.
// A field that is empty, `?` or `NA` is missing; a column is numeric if all its other fields are
// numbers. Throws Error, with file, line and column, on a ragged row, nan or inf or an odd word in
// a numeric column, more than kMostWords words, no rows, and what RecordReader refuses.
Table read_table(Input& input, const TableFormat& format);

}  // namespace bandolier
