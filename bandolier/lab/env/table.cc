#include "bandolier/lab/env/table.h"

#include <limits>

#include "bandolier/core/date.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/records.h"
#include "bandolier/lab/env/table_survey.h"

namespace bandolier {
namespace {

// The second pass: the fields of the columns that are kept.
class TableStore {
 public:
  TableStore(Input& input, const TableFormat& format, TableSurvey survey)
      : input_(input), format_(format), survey_(std::move(survey)) {
    Index numeric = 0, categorical = 0;
    for (const ColumnSurvey& column : survey_.columns) {
      if (column.dropped) continue;
      table_.columns.push_back({.name = column.name,
                                .number = column.number,
                                .categorical = column.categorical,
                                .store = column.categorical ? categorical++ : numeric++,
                                .words = column.words,
                                .missing = column.missing,
                                .date = column.date,
                                .mean = column.mean,
                                .origin = column.origin});
    }
    table_.file = input.name();
    table_.rows = survey_.rows;
    table_.notes = survey_.notes;
    table_.missing_words = format_.missing;
    table_.numbers.resize(table_.rows, numeric);
    table_.codes.resize(table_.rows, categorical);
  }

  Table store() {
    input_.rewind();
    RecordReader records(input_, format_.separator);
    std::vector<std::string_view> fields;
    if (survey_.header) records.next(fields);
    Index row = 0;
    while (records.next(fields)) {
      if (fields.size() != survey_.columns.size()) changed();
      if (!survey_.complete(fields)) continue;
      if (row == table_.rows) changed();
      store_row(row++, fields);
    }
    if (row != table_.rows) changed();
    return std::move(table_);
  }

 private:
  void store_row(Index row, const std::vector<std::string_view>& fields) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (survey_.columns[i].dropped) continue;
      const TableColumn& column = table_.columns[kept++];
      if (column.categorical) {
        table_.codes(row, column.store) = code(survey_.columns[i], fields[i]);
      } else {
        table_.numbers(row, column.store) = number(column, fields[i]);
      }
    }
  }

  std::uint16_t code(const ColumnSurvey& column, std::string_view field) const {
    if (survey_.missing(field)) return static_cast<std::uint16_t>(column.words.size());
    const auto found = column.codes.find(field);
    if (found == column.codes.end()) changed();
    return found->second;
  }

  float number(const TableColumn& column, std::string_view field) const {
    if (survey_.missing(field)) return std::numeric_limits<float>::quiet_NaN();
    const auto value = column.date ? parse_date(field) : parse_number(field);
    if (!value || !fits_float(*value)) changed();
    return static_cast<float>(*value - column.origin);
  }

  [[noreturn]] void changed() const {
    fail("{} changed while it was read: expected a file that nothing writes to", input_.name());
  }

  Input& input_;
  const TableFormat& format_;
  TableSurvey survey_;
  Table table_;
};

}  // namespace

Index Table::find(const std::string& name) const {
  return static_cast<Index>(find_column(columns, name, file));
}

Table read_table(Input& input, const TableFormat& format) {
  return TableStore(input, format, survey_table(input, format)).store();
}

}  // namespace bandolier
