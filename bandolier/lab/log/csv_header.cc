#include "bandolier/lab/log/csv_header.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "bandolier/core/text.h"

namespace bandolier {

CsvRows::CsvRows(Input& input) : file_(input.name()), records_(input, 0) {
  if (!records_.next(fields_)) fail("{} is empty: expected a header and rows", file_);
  std::set<std::string> seen;
  for (const std::string_view field : fields_) {
    names_.emplace_back(field);
    if (!field.empty() && !seen.insert(names_.back()).second) {
      fail("{}: the header has column '{}' twice: expected each name once", file_, shorten(field));
    }
  }
}

std::optional<std::size_t> CsvRows::find_if_there(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::size_t CsvRows::find(const std::string& name, std::string_view what_to_do) const {
  if (const auto found = find_if_there(name)) return *found;
  fail("{} has no column '{}'{}{}", file_, name, suggestion(name, names_), what_to_do);
}

void CsvRows::check_width() const {
  if (fields_.size() == names_.size()) return;
  refuse_field("the row", "has {} fields: expected {}, as the header", fields_.size(),
               names_.size());
}

double CsvRows::number(std::size_t column, std::string_view expected) const {
  if (missing(column)) refuse_field(names_[column], "is missing: expected {}", expected);
  const auto value = parse_number(fields_[column]);
  if (!value || !fits_float(*value)) {
    refuse_field(names_[column], "is '{}': expected {}", shorten(fields_[column]), expected);
  }
  return *value;
}

std::int64_t CsvRows::whole(std::size_t column, std::int64_t low, std::int64_t high) const {
  const auto value = parse_integer(fields_[column]);
  if (!value || *value < low || *value > high) {
    refuse_field(names_[column], "is '{}': expected a whole number from {} to {}",
                 shorten(fields_[column]), low, high);
  }
  return *value;
}

double CsvRows::reward(std::size_t column) const { return number(column) + 0.0; }

double CsvRows::propensity(std::size_t column) const {
  const double value = number(column, kPropensityExpected);
  check_propensity(names_[column], value);
  return value;
}

}  // namespace bandolier
