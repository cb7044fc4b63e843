// The first pass over a table: which columns its text has, of what kind, and how many rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/column_survey.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/table.h"

namespace bandolier {

struct TableSurvey {
  bool header = false;
  MissingWords missing;
  std::vector<ColumnSurvey> columns;  // all of the file's
  Index rows = 0;
  Index left_out = 0;       // rows without a required value
  std::vector<Note> notes;  // what was left out or read in a special way

  // Whether no required value is missing, and not every outcome.
  bool complete(const std::vector<std::string_view>& fields) const;
};

// Throws Error where read_table() does; see there.
TableSurvey survey_table(Input& input, const TableFormat& format);

// The columns' names, or numbers where they have none; `header` says whether the first line gives
// them. The input is at its beginning again.
struct ColumnNames {
  bool header = false;
  bool index = false;  // the header has no name for the first column
  std::vector<std::string> names;
};
ColumnNames column_names(Input& input, const TableFormat& format);

// The position of the column called `name`, or else of number `name`; throws Error with the nearest
// name.
template <class Column>
std::size_t find_column(const std::vector<Column>& columns, const std::string& name,
                        const std::string& file) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
    known.push_back(shorten(columns[i].name));
  }
  const auto number = parse_integer(name);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (number == columns[i].number) return i;
  }
  fail("{} has no column '{}'{}", file, name, suggestion(name, known));
}

}  // namespace bandolier
