// A table of numbers and words read from separated text: CSV files and their relatives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bandolier/core/note.h"
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
  std::vector<std::string> categorical = {};  // read as words even if all are numbers or dates
  std::vector<std::string> keep = {};         // never left out for what they hold
  std::vector<std::string> required = {};     // a row where one is missing is left out and counted
  // A row where all columns whose name starts so are missing is left out too; empty: none.
  std::string outcome_prefix = {};
  std::vector<std::string> missing = {};  // words for what is missing, beside those of MissingWords
};

struct TableColumn {
  std::string name;
  Index number = 0;  // in the file, from 1
  bool categorical = false;
  Index store = 0;                 // its column in `numbers` or `codes`
  std::vector<std::string> words;  // ascending: as numbers if all are, else byte by byte
  Index missing = 0;
  bool date = false;  // a number of days since 1970
  double mean = 0;    // of a numeric column
  // Numbers are stored less this: 0, or the first number of a column whose numbers differ by little
  // against their size, as Unix seconds do.
  double origin = 0;
};

// Numbers are stored once, as floats; words as 16-bit codes: 4 or 2 bytes per field.
struct Table {
  std::string file;
  std::vector<TableColumn> columns;  // those not dropped or left out, in the file's order
  std::vector<std::string> missing_words = {};  // TableFormat::missing
  Index rows = 0;
  std::vector<Note> notes;      // rows and columns left out and why, columns read as dates
  Matrix<float> numbers;        // rows × numeric columns, less their origin; NaN where missing
  Matrix<std::uint16_t> codes;  // rows × categorical columns; words.size() where missing

  // The position in `columns` of the column called `name`, or of the file's column of that number
  // where none is called so; throws Error with the nearest name.
  Index find(const std::string& name) const;
};

inline constexpr Index kMostWords = 10'000;  // of a categorical column

// Reads the input twice: first to learn its columns, words and number of rows, then to store them.
// What MissingWords says is missing; a column is numeric if all its other fields are numbers, or
// all are dates, and else categorical. Ids, free text, columns without a value and a first column
// without a name are left out, with a note. Throws Error, with file, line and column, on a ragged
// row, inf or an odd word in a numeric column, more than kMostWords words that are wanted, no rows,
// and what RecordReader refuses.
Table read_table(Input& input, const TableFormat& format);

}  // namespace bandolier
