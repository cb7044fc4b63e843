#include "bandolier/core/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// Edits that turn a into b: insertions, deletions, substitutions and swaps of neighbours, no part
// of the text edited twice (optimal string alignment). O(|a||b|).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = above[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Bytes of the UTF-8 character that the text begins with, or 0 where it begins with none: neither
// overlong forms nor surrogates are characters (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 0 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool refused = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                       (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return refused ? 0 : length;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (quoted) fail("'{}' has an open quote: expected a closing \"", text);
  return parts;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<double> parse_double(std::string_view text) { return parse_number<double>(text); }

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse_number<std::int64_t>(text);
}

std::optional<bool> parse_bool(std::string_view text) {
  for (const auto* word : {"true", "yes", "on", "1"}) {
    if (text == word) return true;
  }
  for (const auto* word : {"false", "no", "off", "0"}) {
    if (text == word) return false;
  }
  return std::nullopt;
}

std::string to_text(double value) { return fmt::format("{}", value); }

std::string nearest(std::string_view word, std::span<const std::string> known) {
  const auto best =
      std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
        return edit_distance(word, a) < edit_distance(word, b);
      });
  if (best == known.end() ||
      edit_distance(word, *best) > std::max<std::size_t>(1, best->size() / 3)) {
    return "";
  }
  return fmt::format(", did you mean '{}'?", *best);
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
  const std::string near = nearest(word, known);
  return near.empty() ? fmt::format("; known: {}", join(known, ", ")) : near;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    out += length > 0 ? text.substr(0, length) : std::string_view("\xef\xbf\xbd");
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string with_commas(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

}  // namespace bandolier
