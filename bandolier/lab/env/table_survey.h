// The first pass over a table: which columns its text has, of what kind, and how many rows.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/table.h"

namespace bandolier {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

using WordCodes = std::unordered_map<std::string, std::uint16_t, TextHash, std::equal_to<>>;

struct ColumnSurvey {
  std::string name;
  Index number = 0;  // in the file, from 1
  bool dropped = false, required = false;
  bool outcome = false;  // one of these is required
  bool categorical = false;
  Index missing = 0;
  std::vector<std::string> words;  // ascending
  WordCodes codes;                 // a word's position in `words`
};

struct TableSurvey {
  bool header = false;
  std::vector<ColumnSurvey> columns;  // all of the file's
  Index rows = 0;
  Index left_out = 0;  // rows without a required value

  // Whether no required value is missing, and not every outcome.
  bool complete(const std::vector<std::string_view>& fields) const;
};

// Throws Error where read_table() does; see there.
TableSurvey survey_table(Input& input, const TableFormat& format);

// The position of the column called `name`, or else of number `name`; throws Error with the nearest
// name.
template <class Column>
std::size_t find_column(const std::vector<Column>& columns, const std::string& name,
                        const std::string& file) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
    known.push_back(columns[i].name);
  }
  const auto number = parse_integer(name);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (number == columns[i].number) return i;
  }
  fail("{} has no column '{}'{}", file, name, suggestion(name, known));
}

}  // namespace bandolier
