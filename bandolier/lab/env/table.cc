#include "bandolier/lab/env/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/records.h"

namespace bandolier {
namespace {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
using Words = std::unordered_map<std::string, std::uint16_t, TextHash, std::equal_to<>>;

// What the first pass learns of a column.
struct Survey {
  std::string name;
  Index number = 0;  // in the file, from 1
  bool dropped = false, categorical = false, required = false;
  Index numbers = 0, words = 0, missing = 0;
  // The first odd fields, for errors.
  Index first_word_line = 0, first_number_line = 0, first_infinite_line = 0;
  std::string first_word, first_infinite;
  Words seen;
};

// A field at its place, for errors: "a.csv line 3, column 2 ('age')".
std::string place(const Input& input, Index line, std::size_t column, const std::string& name) {
  return fmt::format("{} line {}, column {} ('{}')", input.name(), line, column + 1, name);
}

// The position of the column called `name`, or else of number `name`.
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

class TableReader {
 public:
  TableReader(Input& input, const TableFormat& format) : input_(input), format_(format) {}

  Table read() {
    survey();
    decide();
    store();
    return std::move(table_);
  }

 private:
  // ---- first pass
  void survey() {
    header_ = format_.header == Header::kYes || (format_.header == Header::kAuto && finds_header());
    RecordReader records(input_, format_.separator);
    std::vector<std::string_view> fields;
    if (!records.next(fields)) {
      fail("{} has no rows: expected lines of separated values", input_.name());
    }
    name_columns(fields);
    bool more = !header_ || records.next(fields);
    for (; more; more = records.next(fields)) {
      if (fields.size() != columns_.size()) {
        fail("{} line {}: found {} columns, expected {} as in the first line", input_.name(),
             records.line(), fields.size(), columns_.size());
      }
      if (!complete(fields)) {
        ++table_.left_out;
        continue;
      }
      ++table_.rows;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!columns_[i].dropped) look_at(columns_[i], i, fields[i], records.line());
      }
    }
    if (table_.rows == 0) {
      fail("{} has no rows{}{}: expected at least one", input_.name(),
           header_ ? " below its header" : "",
           table_.left_out > 0 ? fmt::format(" ({} left out for a missing value)", table_.left_out)
                               : std::string());
    }
  }

  static bool number(std::string_view field) { return parse_number(field).has_value(); }

  // Whether the first record reads as column names: no number and nothing missing, and either all
  // differ, or the second record has numbers (names given twice are then an error of their own).
  bool finds_header() {
    RecordReader records(input_, format_.separator);
    std::vector<std::string_view> fields;
    bool names = records.next(fields) && std::none_of(fields.begin(), fields.end(), [](auto field) {
                   return missing(field) || number(field);
                 });
    const std::set<std::string_view> different(fields.begin(), fields.end());
    if (names && different.size() < fields.size()) {
      names = records.next(fields) && std::any_of(fields.begin(), fields.end(), number);
    }
    input_.rewind();
    return names;
  }

  void name_columns(const std::vector<std::string_view>& fields) {
    columns_.resize(fields.size());
    std::vector<std::string> known;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      columns_[i].number = static_cast<Index>(i) + 1;
      std::string& name = columns_[i].name;
      if (header_) {
        name = fields[i];
      } else if (i < format_.names.size()) {
        name = format_.names[i];
      }
      if (name.empty()) name = std::to_string(i + 1);
      known.push_back(name);
    }
    if (!header_ && !format_.names.empty() && format_.names.size() != fields.size()) {
      fail("{} line 1: found {} columns, expected {}", input_.name(), fields.size(),
           format_.names.size());
    }
    const std::set<std::string> different(known.begin(), known.end());
    if (different.size() != known.size()) {
      std::sort(known.begin(), known.end());
      fail("{}: two columns are called '{}': expected names that differ{}", input_.name(),
           shorten(*std::adjacent_find(known.begin(), known.end())),
           header_ ? ", or header=false if the first line is data" : "");
    }
    for (const auto& name : format_.drop) find(name).dropped = true;
    for (const auto& name : format_.categorical) find(name).categorical = true;
    for (const auto& name : format_.required) find(name).required = true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Survey& column = columns_[i];
      const std::string& prefix = format_.required_prefix;
      if (!prefix.empty() && column.name.starts_with(prefix)) column.required = true;
      if (column.required) required_.push_back(i);
      if (column.dropped && column.required) {
        fail("{}: column '{}' is both dropped and needed: expected one of them", input_.name(),
             column.name);
      }
    }
  }

  Survey& find(const std::string& name) {
    return columns_[find_column(columns_, name, input_.name())];
  }

  // Whether no required value is missing.
  bool complete(const std::vector<std::string_view>& fields) const {
    return std::none_of(required_.begin(), required_.end(),
                        [&](std::size_t i) { return missing(fields[i]); });
  }

  void look_at(Survey& column, std::size_t index, std::string_view field, Index line) {
    if (missing(field)) {
      ++column.missing;
      return;
    }
    if (!column.categorical) {
      if (const auto value = parse_number(field)) {
        if (column.numbers++ == 0) column.first_number_line = line;
        if (!fits_float(*value) && column.first_infinite_line == 0) {
          column.first_infinite_line = line;
          column.first_infinite = shorten(field);
        }
        return;
      }
      if (column.words++ == 0) {
        column.first_word_line = line;
        column.first_word = shorten(field);
      }
    }
    if (column.seen.find(field) != column.seen.end()) return;
    if (static_cast<Index>(column.seen.size()) == kMostWords) {
      fail("{}: found the {}th different word '{}': expected {}",
           place(input_, line, index, column.name), kMostWords + 1, shorten(field),
           column.required
               ? fmt::format("at most {} classes", kMostWords)
               : fmt::format("numbers or at most {} categories; leave the column out with drop={}",
                             kMostWords, column.name));
    }
    column.seen.emplace(field, 0);
  }

  // ---- between the passes: kinds, codes and storage
  void decide() {
    Index numeric = 0, categorical = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Survey& column = columns_[i];
      if (column.dropped) continue;
      if (column.words > 0 && column.numbers > 0) {
        const bool odd_word = column.words <= column.numbers;
        fail("{}: found '{}' in a column with {} numbers and {} words: expected {}",
             place(input_, odd_word ? column.first_word_line : column.first_number_line, i,
                   column.name),
             odd_word ? column.first_word : "a number", column.numbers, column.words,
             column.required
                 ? "numbers, or nothing, ? or NA where one is missing"
                 : "one kind; correct it, or read all as words with categorical=" + column.name);
      }
      if (column.first_infinite_line > 0) {
        fail("{}: found '{}': expected a finite number, or nothing, ? or NA where it is missing",
             place(input_, column.first_infinite_line, i, column.name), column.first_infinite);
      }
      column.categorical = column.categorical || column.words > 0;
      TableColumn out{column.name, column.number, column.categorical, 0, {}, column.missing};
      out.store = column.categorical ? categorical++ : numeric++;
      for (const auto& [word, code] : column.seen) out.words.push_back(word);
      sort_words(out.words);
      for (std::size_t code = 0; code < out.words.size(); ++code) {
        column.seen.find(out.words[code])->second = static_cast<std::uint16_t>(code);
      }
      table_.columns.push_back(std::move(out));
    }
    table_.file = input_.name();
    table_.numbers.resize(table_.rows, numeric);
    table_.codes.resize(table_.rows, categorical);
  }

  // ---- second pass
  void store() {
    input_.rewind();
    RecordReader records(input_, format_.separator);
    std::vector<std::string_view> fields;
    if (header_) records.next(fields);
    Vector<double> sums = Vector<double>::Zero(table_.numbers.cols());
    Index row = 0;
    while (records.next(fields)) {
      if (fields.size() != columns_.size()) changed();
      if (!complete(fields)) continue;
      if (row == table_.rows) changed();
      std::size_t kept = 0;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (columns_[i].dropped) continue;
        const TableColumn& column = table_.columns[kept++];
        if (column.categorical) {
          table_.codes(row, column.store) = code(columns_[i], column, fields[i]);
        } else {
          const float value = stored(fields[i]);
          table_.numbers(row, column.store) = value;
          if (!std::isnan(value)) sums[column.store] += static_cast<double>(value);
        }
      }
      ++row;
    }
    if (row != table_.rows) changed();
    impute(sums);
  }

  std::uint16_t code(const Survey& survey, const TableColumn& column, std::string_view field) {
    if (missing(field)) return static_cast<std::uint16_t>(column.words.size());
    const auto found = survey.seen.find(field);
    if (found == survey.seen.end()) changed();
    return found->second;
  }

  float stored(std::string_view field) {
    if (missing(field)) return std::numeric_limits<float>::quiet_NaN();
    const auto value = parse_number(field);
    if (!value || !fits_float(*value)) changed();
    return static_cast<float>(*value);
  }

  [[noreturn]] void changed() {
    fail("{} changed while it was read: expected a file that nothing writes to", input_.name());
  }

  void impute(const Vector<double>& sums) {
    for (const TableColumn& column : table_.columns) {
      if (column.categorical || column.missing == 0) continue;
      const Index present = table_.rows - column.missing;
      const auto mean =
          static_cast<float>(present > 0 ? sums[column.store] / static_cast<double>(present) : 0);
      for (Index row = 0; row < table_.rows; ++row) {
        float& value = table_.numbers(row, column.store);
        if (std::isnan(value)) value = mean;
      }
    }
  }

  Input& input_;
  const TableFormat& format_;
  bool header_ = false;
  std::vector<Survey> columns_;
  std::vector<std::size_t> required_;  // positions in columns_
  Table table_;
};

}  // namespace

Index Table::find(const std::string& name) const {
  return static_cast<Index>(find_column(columns, name, file));
}

Table read_table(Input& input, const TableFormat& format) {
  return TableReader(input, format).read();
}

}  // namespace bandolier
