#include "bandolier/lab/env/array_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"
#include "bandolier/lab/env/column_survey.h"

namespace bandolier {
namespace {

Index length(const ArrayColumn& column) {
  return static_cast<Index>(column.words.empty() ? column.numbers.size() : column.codes.size());
}

void store_numbers(const std::string& table, const ArrayColumn& from, TableColumn& to, Table& out) {
  RunningMoments moments;
  double first = 0, largest = 0;
  for (std::size_t row = 0; row < from.numbers.size(); ++row) {
    const double number = from.numbers[row];
    if (std::isnan(number)) {
      ++to.missing;
      continue;
    }
    if (!std::isfinite(static_cast<float>(number))) {
      fail(
          "{}: row {}, column '{}': found {}: expected a finite number, or NaN where it is missing",
          table, row, from.name, number);
    }
    if (moments.count == 0) first = number;
    largest = std::max(largest, std::abs(number));
    moments.add(number);
  }
  to.mean = moments.mean;
  if (!from.outcome) to.origin = origin_of(moments, largest, first);
  for (std::size_t row = 0; row < from.numbers.size(); ++row) {
    out.numbers(static_cast<Index>(row), to.store) =
        static_cast<float>(from.numbers[row] - to.origin);
  }
}

void store_words(const std::string& table, const ArrayColumn& from, TableColumn& to, Table& out) {
  if (from.words.size() > kMostWords) {
    fail("{}: column '{}' has {} words: expected at most {}", table, from.name, from.words.size(),
         kMostWords);
  }
  to.categorical = true;
  to.words = from.words;
  for (std::size_t row = 0; row < from.codes.size(); ++row) {
    const std::int32_t code = from.codes[row];
    const bool missing = code < 0;
    if (code >= static_cast<std::int32_t>(from.words.size())) {
      fail("{}: row {}, column '{}': found code {}: expected one of {} words", table, row,
           from.name, code, from.words.size());
    }
    if (missing) ++to.missing;
    out.codes(static_cast<Index>(row), to.store) =
        static_cast<std::uint16_t>(missing ? from.words.size() : static_cast<std::size_t>(code));
  }
}

}  // namespace

Table make_array_table(const std::string& name, const std::vector<ArrayColumn>& columns) {
  Table table;
  table.file = name;
  if (columns.empty()) fail("{} has no columns: expected some", name);
  table.rows = length(columns.front());
  if (table.rows == 0) fail("{} has no rows: expected some", name);
  Index numbers = 0, words = 0;
  for (const auto& column : columns) {
    if (length(column) != table.rows) {
      fail("{}: column '{}' has {} rows and '{}' {}: expected as many", name, column.name,
           length(column), columns.front().name, table.rows);
    }
    ++(column.words.empty() ? numbers : words);
  }
  table.numbers.resize(table.rows, numbers);
  table.codes.resize(table.rows, words);
  numbers = words = 0;
  for (const auto& from : columns) {
    TableColumn to;
    to.name = from.name;
    to.number = static_cast<Index>(table.columns.size()) + 1;
    to.store = from.words.empty() ? numbers++ : words++;
    if (from.words.empty()) {
      store_numbers(name, from, to, table);
    } else {
      store_words(name, from, to, table);
    }
    table.columns.push_back(std::move(to));
  }
  return table;
}

}  // namespace bandolier
