#include "bandolier/lab/env/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/text.h"

namespace bandolier {

bool MissingWords::operator()(std::string_view field) const {
  constexpr std::string_view kWords[] = {"?",    "NA",   "NaN", "nan", "null",
                                         "NULL", "None", "N/A", "n/a"};
  constexpr std::size_t kLongest = 4;
  if (field.empty()) return true;
  if (field.size() <= kLongest &&
      std::find(std::begin(kWords), std::end(kWords), field) != std::end(kWords)) {
    return true;
  }
  return !more_.empty() && std::find(more_.begin(), more_.end(), field) != more_.end();
}

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
  const auto continues = [&](std::size_t i) {  // a character of several bytes
    return (static_cast<unsigned char>(text[i]) & 0xc0u) == 0x80;
  };
  std::size_t end = std::min(text.size(), kMost);
  while (end < text.size() && end + 3 > kMost && continues(end)) --end;
  std::string out(text.substr(0, end));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return valid_utf8(out) + (end < text.size() ? "..." : "");
}

}  // namespace bandolier
