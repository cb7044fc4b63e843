#include "bandolier/lab/env/table_survey.h"

#include <algorithm>
#include <set>

#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/records.h"

namespace bandolier {
namespace {

// What a column's fields were, and the first odd ones, for errors.
struct Kinds {
  Index numbers = 0, words = 0;
  Index first_word_line = 0, first_number_line = 0, first_infinite_line = 0;
  std::string first_word, first_infinite;
};

bool is_number(std::string_view field) { return parse_number(field).has_value(); }

class Surveyor {
 public:
  Surveyor(Input& input, const TableFormat& format) : input_(input), format_(format) {}

  TableSurvey survey() {
    survey_.header =
        format_.header == Header::kYes || (format_.header == Header::kAuto && finds_header());
    RecordReader records(input_, format_.separator);
    std::vector<std::string_view> fields;
    if (!records.next(fields)) {
      fail("{} has no rows: expected lines of separated values", input_.name());
    }
    name_columns(fields);
    mark_columns();
    bool more = !survey_.header || records.next(fields);
    for (; more; more = records.next(fields)) look_at(fields, records.line());
    if (survey_.rows == 0) {
      fail("{} has no rows{}{}: expected at least one", input_.name(),
           survey_.header ? " below its header" : "",
           survey_.left_out > 0
               ? fmt::format(" ({} left out for a missing value)", survey_.left_out)
               : std::string());
    }
    for (std::size_t i = 0; i < columns().size(); ++i) {
      if (!columns()[i].dropped) decide_kind(i);
    }
    return std::move(survey_);
  }

 private:
  std::vector<ColumnSurvey>& columns() { return survey_.columns; }

  // A field at its place, for errors: "a.csv line 3, column 2 ('age')".
  std::string place(Index line, std::size_t column) {
    return fmt::format("{} line {}, column {} ('{}')", input_.name(), line, column + 1,
                       columns()[column].name);
  }

  // Whether the first record reads as column names: no number and nothing missing, and either all
  // differ, or the second record has numbers (names given twice are then an error of their own).
  bool finds_header() {
    RecordReader records(input_, format_.separator);
    std::vector<std::string_view> fields;
    bool names = records.next(fields) && std::none_of(fields.begin(), fields.end(), [](auto field) {
                   return missing(field) || is_number(field);
                 });
    const std::set<std::string_view> different(fields.begin(), fields.end());
    if (names && different.size() < fields.size()) {
      names = records.next(fields) && std::any_of(fields.begin(), fields.end(), is_number);
    }
    input_.rewind();
    return names;
  }

  void name_columns(const std::vector<std::string_view>& fields) {
    columns().resize(fields.size());
    kinds_.resize(fields.size());
    std::vector<std::string> known;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      columns()[i].number = static_cast<Index>(i) + 1;
      std::string& name = columns()[i].name;
      if (survey_.header) {
        name = fields[i];
      } else if (i < format_.names.size()) {
        name = format_.names[i];
      }
      if (name.empty()) name = std::to_string(i + 1);
      known.push_back(name);
    }
    if (!survey_.header && !format_.names.empty() && format_.names.size() != fields.size()) {
      fail("{} line 1: found {} columns, expected {}", input_.name(), fields.size(),
           format_.names.size());
    }
    const std::set<std::string> different(known.begin(), known.end());
    if (different.size() != known.size()) {
      std::sort(known.begin(), known.end());
      fail("{}: two columns are called '{}': expected names that differ{}", input_.name(),
           shorten(*std::adjacent_find(known.begin(), known.end())),
           survey_.header ? ", or header=false if the first line is data" : "");
    }
  }

  // Which columns the format drops, requires and reads as words.
  void mark_columns() {
    for (const auto& name : format_.drop) find(name).dropped = true;
    for (const auto& name : format_.categorical) find(name).categorical = true;
    for (const auto& name : format_.required) find(name).required = true;
    for (ColumnSurvey& column : columns()) {
      const std::string& prefix = format_.outcome_prefix;
      column.outcome = !prefix.empty() && column.name.starts_with(prefix);
      if (column.dropped && (column.required || column.outcome)) {
        fail("{}: column '{}' is both dropped and needed: expected one of them", input_.name(),
             column.name);
      }
    }
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
      return;
    }
    ++survey_.rows;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!columns()[i].dropped) look_at(i, fields[i], line);
    }
  }

  void look_at(std::size_t index, std::string_view field, Index line) {
    ColumnSurvey& column = columns()[index];
    if (missing(field)) {
      ++column.missing;
      return;
    }
    if (!column.categorical) {
      Kinds& kinds = kinds_[index];
      if (const auto value = parse_number(field)) {
        if (kinds.numbers++ == 0) kinds.first_number_line = line;
        if (!fits_float(*value) && kinds.first_infinite_line == 0) {
          kinds.first_infinite_line = line;
          kinds.first_infinite = shorten(field);
        }
        return;
      }
      if (kinds.words++ == 0) {
        kinds.first_word_line = line;
        kinds.first_word = shorten(field);
      }
    }
    if (column.codes.find(field) != column.codes.end()) return;
    if (static_cast<Index>(column.codes.size()) == kMostWords) {
      fail("{}: found the {}th different word '{}': expected {}", place(line, index),
           kMostWords + 1, shorten(field),
           column.required || column.outcome
               ? fmt::format("at most {} classes", kMostWords)
               : fmt::format("numbers or at most {} categories; leave the column out with drop={}",
                             kMostWords, column.name));
    }
    column.codes.emplace(field, 0);
  }

  // Numbers or words; and the words' codes.
  void decide_kind(std::size_t index) {
    ColumnSurvey& column = columns()[index];
    const Kinds& kinds = kinds_[index];
    if (kinds.words > 0 && kinds.numbers > 0) {
      const bool odd_word = kinds.words <= kinds.numbers;
      fail("{}: found '{}' in a column with {} numbers and {} words: expected {}",
           place(odd_word ? kinds.first_word_line : kinds.first_number_line, index),
           odd_word ? kinds.first_word : "a number", kinds.numbers, kinds.words,
           column.required || column.outcome
               ? "numbers, or nothing, ? or NA where one is missing"
               : "one kind; correct it, or read all as words with categorical=" + column.name);
    }
    if (kinds.first_infinite_line > 0) {
      fail("{}: found '{}': expected a finite number, or nothing, ? or NA where it is missing",
           place(kinds.first_infinite_line, index), kinds.first_infinite);
    }
    if (kinds.words > 0) column.categorical = true;
    for (const auto& [word, code] : column.codes) column.words.push_back(word);
    sort_words(column.words);
    std::uint16_t code = 0;
    for (const std::string& word : column.words) column.codes[word] = code++;
  }

  Input& input_;
  const TableFormat& format_;
  std::vector<Kinds> kinds_;  // by column
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

TableSurvey survey_table(Input& input, const TableFormat& format) {
  return Surveyor(input, format).survey();
}

}  // namespace bandolier
