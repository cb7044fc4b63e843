#include "bandolier/core/date.h"

#include <algorithm>
#include <chrono>

namespace bandolier {
namespace {

// Takes parts off the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }

  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  // Exactly `count` digits, up to `most`.
  std::optional<int> digits(std::size_t count, int most) {
    if (text_.size() < count || !std::all_of(text_.begin(), text_.begin() + count, is_digit)) {
      return std::nullopt;
    }
    int number = 0;
    for (const char c : text_.substr(0, count)) number = 10 * number + (c - '0');
    text_.remove_prefix(count);
    return number <= most ? std::optional(number) : std::nullopt;
  }

  // Any digits behind a point: 25 is 0.25. Nothing where there are none.
  std::optional<double> fraction() {
    double value = 0, unit = 1;
    std::size_t count = 0;
    for (; count < text_.size() && is_digit(text_[count]); ++count) {
      unit /= 10;
      value += (text_[count] - '0') * unit;
    }
    text_.remove_prefix(count);
    return count > 0 ? std::optional(value) : std::nullopt;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view text_;
};

// Seconds since midnight, an offset taken off.
std::optional<double> seconds(Scanner& text) {
  const auto hour = text.digits(2, 23);
  if (!hour || !text.take(':')) return std::nullopt;
  const auto minute = text.digits(2, 59);
  if (!minute) return std::nullopt;
  double seconds = 3600.0 * *hour + 60.0 * *minute;
  if (text.take(':')) {
    const auto second = text.digits(2, 60);  // 60: a leap second
    if (!second) return std::nullopt;
    seconds += *second;
    if (text.take('.')) {
      const auto part = text.fraction();
      if (!part) return std::nullopt;
      seconds += *part;
    }
  }
  if (text.done() || (text.take('Z') && text.done())) return seconds;
  const bool east = text.take('+');
  if (!east && !text.take('-')) return std::nullopt;
  const auto hours = text.digits(2, 23);
  if (!hours) return std::nullopt;
  int minutes = 0;
  if (!text.done()) {
    text.take(':');
    const auto given = text.digits(2, 59);
    if (!given) return std::nullopt;
    minutes = *given;
  }
  const double offset = 3600.0 * *hours + 60.0 * minutes;
  return east ? seconds - offset : seconds + offset;
}

}  // namespace

std::optional<double> parse_date(std::string_view whole) {
  Scanner text(whole);
  const auto year = text.digits(4, 9999);
  if (!year) return std::nullopt;
  const char separator = text.take('-') ? '-' : text.take('/') ? '/' : 0;
  const auto month = text.digits(2, 12);
  if (separator == 0 || !month || !text.take(separator)) return std::nullopt;
  const auto day = text.digits(2, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days{date}.time_since_epoch().count());
  if (text.done()) return days;
  if (!text.take('T') && !text.take(' ')) return std::nullopt;
  const auto time = seconds(text);
  if (!time || !text.done()) return std::nullopt;
  return days + *time / 86'400;
}

}  // namespace bandolier
