// Words and numbers as users type them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bandolier {

// Parts of `text` between separators; a part in double quotes may hold the separator and loses its
// quotes. Throws Error on an open quote.
std::vector<std::string> split(std::string_view text, char separator);

std::string_view trim(std::string_view text);

// The whole text as a number, in the C locale; nothing if it is not one. Accepts 1e-3, rejects
// trailing characters. parse_double accepts nan and inf: the caller decides whether they make
// sense.
std::optional<double> parse_double(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<bool> parse_bool(std::string_view text);  // true|false|yes|no|on|off|1|0

// The shortest text that parses back to the same number: 0.25, 1e-05, 3.
std::string to_text(double value);

// ", did you mean 'x'?" for the known name nearest to `word`, or "" where none is near. Near: at
// most one edit for every three letters of the name, or one for shorter names. An edit inserts,
// leaves out or replaces a letter, or swaps two neighbours.
std::string nearest(std::string_view word, std::span<const std::string> known);

// The same, or "; known: a, b, c" where none is near.
std::string suggestion(std::string_view word, std::span<const std::string> known);

// The text with U+FFFD for every byte that is no part of a UTF-8 character: what JSON and HTML can
// hold. Valid text comes back as it is.
std::string valid_utf8(std::string_view text);

// With commas between thousands: 2,331.
std::string with_commas(std::int64_t number);

std::string join(std::span<const std::string> words, std::string_view separator);

}  // namespace bandolier
