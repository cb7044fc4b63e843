// A CSV's header, and rows that are as wide: what both kinds of CSV logs begin with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/input.h"
#include "bandolier/lab/env/records.h"
#include "bandolier/lab/log/row_reader.h"

namespace bandolier {

class CsvRows {
 public:
  // Reads the header. `input` must outlive it. Throws Error where it has a name twice.
  explicit CsvRows(Input& input);

  const std::vector<std::string>& names() const { return names_; }
  // Throws Error, with the nearest name and what to do, where there is none.
  std::size_t find(const std::string& name, std::string_view what_to_do = {}) const;
  std::optional<std::size_t> find_if_there(const std::string& name) const;

  bool next() { return records_.next(fields_); }
  std::size_t width() const { return fields_.size(); }  // of the last row
  Index line() const { return records_.line(); }
  // Throws LogFieldError where the row is not as wide as the header.
  void check_width() const;

  std::string_view operator[](std::size_t column) const { return fields_[column]; }
  bool missing(std::size_t column) const { return missing_(fields_[column]); }
  // A finite number. Throws LogFieldError, with the column, where it is missing or none.
  double number(std::size_t column, std::string_view expected = "a finite number") const;
  std::int64_t whole(std::size_t column, std::int64_t low, std::int64_t high) const;
  // What both kinds of CSV logs say in the same way.
  double reward(std::size_t column) const;
  double propensity(std::size_t column) const;

 private:
  const std::string& file_;
  RecordReader records_;
  std::vector<std::string> names_;
  std::vector<std::string_view> fields_;
  MissingWords missing_;
};

}  // namespace bandolier
