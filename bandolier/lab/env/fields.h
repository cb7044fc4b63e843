// One field of a table: missing, a number, or a word.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bandolier {

// Empty, `?` or `NA`.
bool missing(std::string_view field);

// parse_double, but a number beyond the range of doubles is infinite or 0, and no word.
std::optional<double> parse_number(std::string_view field);

// Whether it is a number that a float can hold.
bool fits_float(double value);

// Ascending: as numbers if all are, else byte by byte.
void sort_words(std::vector<std::string>& words);

// For errors: at most 40 bytes of it, on one line.
std::string shorten(std::string_view text);

}  // namespace bandolier
