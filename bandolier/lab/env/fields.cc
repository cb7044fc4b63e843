#include "bandolier/lab/env/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/text.h"

namespace bandolier {

bool missing(std::string_view field) { return field.empty() || field == "?" || field == "NA"; }

std::optional<double> parse_number(std::string_view field) {
  if (const auto value = parse_double(field)) return value;
  const auto exponent = field.find_first_of("eE");
  if (exponent == std::string_view::npos) return std::nullopt;
  const auto mantissa = parse_double(field.substr(0, exponent));
  const auto power = parse_integer(field.substr(exponent + 1));
  if (!mantissa || !std::isfinite(*mantissa) || !power) return std::nullopt;
  return *power < 0 ? 0 : std::copysign(std::numeric_limits<double>::infinity(), *mantissa);
}

bool fits_float(double value) {
  return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max());
}

void sort_words(std::vector<std::string>& words) {
  const bool numbers = std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return parse_double(word).has_value() && !std::isnan(*parse_double(word));
  });
  std::sort(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
    if (numbers && *parse_double(a) != *parse_double(b)) return *parse_double(a) < *parse_double(b);
    return a < b;
  });
}

std::string shorten(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out(text.substr(0, kMost));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text.size() > kMost ? out + "..." : out;
}

}  // namespace bandolier
