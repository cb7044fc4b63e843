#include "bandolier/lab/env/table_survey.h"

#include <algorithm>
#include <map>
#include <set>

#include "bandolier/core/date.h"
#include "bandolier/lab/env/records.h"

namespace bandolier {
namespace {

bool is_value(std::string_view field) {
  return parse_number(field).has_value() || parse_date(field).has_value();
}

// Whether the first record reads as column names: no number, date or word for what is missing, and
// either all differ and none is empty, or the second record has numbers (names given twice are then
// an error of their own, and those left empty are numbers).
bool finds_header(Input& input, const TableFormat& format) {
  const MissingWords missing(format.missing);
  RecordReader records(input, format.separator);
  std::vector<std::string_view> fields;
  bool names = records.next(fields) && std::none_of(fields.begin(), fields.end(), [&](auto field) {
                 return (!field.empty() && missing(field)) || is_value(field);
               });
  const std::set<std::string_view> different(fields.begin(), fields.end());
  if (names && (different.size() < fields.size() || different.contains(""))) {
    names = records.next(fields) && std::any_of(fields.begin(), fields.end(), is_value);
  }
  input.rewind();
  return names;
}

class Surveyor {
 public:
  Surveyor(Input& input, const TableFormat& format) : input_(input), format_(format) {}

  TableSurvey survey() {
    survey_.missing = MissingWords(format_.missing);
    name_columns();
    mark_columns();
    RecordReader records(input_, format_.separator);
    std::vector<std::string_view> fields;
    if (survey_.header) records.next(fields);
    while (records.next(fields)) look_at(fields, records.line());
    note_left_out();
    if (survey_.rows == 0) {
      fail("{} has no rows{}{}: expected at least one", input_.name(),
           survey_.header ? " below its header" : "",
           survey_.left_out > 0
               ? fmt::format(" ({} left out for a missing value)", survey_.left_out)
               : std::string());
    }
    for (std::size_t i = 0; i < columns().size(); ++i) {
      if (columns()[i].dropped) continue;
      if (auto note = surveyors_[i].decide(survey_.rows)) survey_.notes.push_back(*note);
    }
    return std::move(survey_);
  }

 private:
  std::vector<ColumnSurvey>& columns() { return survey_.columns; }

  void name_columns() {
    ColumnNames found = column_names(input_, format_);
    survey_.header = found.header;
    has_index_ = found.index;
    for (std::string& name : found.names) {
      columns().push_back(
          {.name = std::move(name), .number = static_cast<Index>(columns().size()) + 1});
    }
  }

  // Which columns the format drops, keeps, requires and reads as words.
  void mark_columns() {
    for (const auto& name : format_.drop) find(name).dropped = true;
    for (const auto& name : format_.categorical) find(name).categorical = true;
    for (const auto& name : format_.keep) find(name).kept = true;
    for (const auto& name : format_.required) find(name).required = true;
    for (ColumnSurvey& column : columns()) {
      const std::string& prefix = format_.outcome_prefix;
      column.outcome = !prefix.empty() && column.name.starts_with(prefix);
      if (column.dropped && (column.required || column.outcome)) {
        fail("{}: column '{}' is both dropped and needed: expected one of them", input_.name(),
             column.name);
      }
    }
    leave_out_index();
    for (ColumnSurvey& column : columns()) surveyors_.emplace_back(column, input_.name());
  }

  // A first column without a name is the index that pandas and R write.
  void leave_out_index() {
    ColumnSurvey& first = columns().front();
    if (!has_index_ || first.dropped || !first.free()) return;
    first.dropped = true;
    survey_.notes.push_back(
        {"column-left-out",
         "column 1 left out: it has no name, as the index that pandas and R write; keep=1 keeps "
         "it, drop=1 leaves it out without this note"});
  }

  ColumnSurvey& find(const std::string& name) {
    return columns()[find_column(columns(), name, input_.name())];
  }

  void look_at(const std::vector<std::string_view>& fields, Index line) {
    if (fields.size() != columns().size()) {
      fail("{} line {}: found {} columns, expected {} as in the first line", input_.name(), line,
           fields.size(), columns().size());
    }
    if (!survey_.complete(fields)) {
      ++survey_.left_out;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (columns()[i].required && survey_.missing(fields[i]))
          ++left_out_for_[std::string(fields[i])];
      }
      return;
    }
    ++survey_.rows;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (columns()[i].dropped) continue;
      if (survey_.missing(fields[i])) {
        ++columns()[i].missing;
      } else {
        surveyors_[i].look_at(fields[i], line);
      }
    }
  }

  // Names the words that counted as a missing label: None may have been meant as a class.
  void note_left_out() {
    if (survey_.left_out == 0) return;
    std::vector<std::string> words;
    for (const auto& [word, count] : left_out_for_) {
      if (!word.empty()) words.push_back(fmt::format("'{}' in {}", shorten(word), count));
    }
    survey_.notes.insert(
        survey_.notes.begin(),
        {"rows-left-out",
         fmt::format("of {} rows left out: no label or reward{}", survey_.left_out + survey_.rows,
                     words.empty() ? std::string() : fmt::format(" (found {})", join(words, ", "))),
         survey_.left_out});
  }

  Input& input_;
  const TableFormat& format_;
  std::vector<ColumnSurveyor> surveyors_;      // by column
  std::map<std::string, Index> left_out_for_;  // rows by the word that was there
  bool has_index_ = false;
  TableSurvey survey_;
};

}  // namespace

bool TableSurvey::complete(const std::vector<std::string_view>& fields) const {
  bool has_outcomes = false, has_one = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].required && missing(fields[i])) return false;
    has_outcomes = has_outcomes || columns[i].outcome;
    has_one = has_one || (columns[i].outcome && !missing(fields[i]));
  }
  return has_one || !has_outcomes;
}

ColumnNames column_names(Input& input, const TableFormat& format) {
  ColumnNames found;
  found.header = format.header == Header::kYes ||
                 (format.header == Header::kAuto && finds_header(input, format));
  RecordReader records(input, format.separator);
  std::vector<std::string_view> fields;
  if (!records.next(fields)) {
    fail("{} has no rows: expected lines of separated values", input.name());
  }
  if (!found.header && !format.names.empty() && format.names.size() != fields.size()) {
    fail("{} line 1: found {} columns, expected {}", input.name(), fields.size(),
         format.names.size());
  }
  found.index = found.header && fields.front().empty();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string name(found.header ? fields[i] : "");
    if (!found.header && !format.names.empty()) name = format.names[i];
    found.names.push_back(name.empty() ? std::to_string(i + 1) : std::move(name));
  }
  auto sorted = found.names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    fail("{}: two columns are called '{}': expected names that differ{}", input.name(),
         shorten(*twice), found.header ? ", or header=false if the first line is data" : "");
  }
  input.rewind();
  return found;
}

TableSurvey survey_table(Input& input, const TableFormat& format) {
  return Surveyor(input, format).survey();
}

}  // namespace bandolier
