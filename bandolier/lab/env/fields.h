// One field of a table: missing, a number, or a word.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bandolier {

// Tells a missing field: one that is empty, `?`, NA, NaN, nan, null, NULL, None, N/A or n/a, or one
// of `more`.
class MissingWords {
 public:
  explicit MissingWords(std::vector<std::string> more = {}) : more_(std::move(more)) {}
  bool operator()(std::string_view field) const;

 private:
  std::vector<std::string> more_;
};

// parse_double, but a number beyond the range of doubles is infinite or 0, and no word.
std::optional<double> parse_number(std::string_view field);

// Whether it is a number that a float can hold.
bool fits_float(double value);

// Ascending: as numbers if all are, else byte by byte.
void sort_words(std::vector<std::string>& words);

// For errors and notes: at most 40 bytes of it, on one line, valid UTF-8.
std::string shorten(std::string_view text);

}  // namespace bandolier
