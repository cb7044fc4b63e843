#include "bandolier/core/options.h"

#include <cmath>

namespace bandolier {

Spec parse_spec(std::string_view text) {
  Spec spec;
  spec.text = text;
  const auto colon = text.find(':');
  spec.name = text.substr(0, colon);
  if (spec.name.empty()) fail("'{}' has no name: expected NAME or NAME:key=value,key=value", text);
  if (colon == std::string_view::npos) return spec;
  for (const auto& part : split(text.substr(colon + 1), ',')) {
    const auto equals = part.find('=');
    if (equals == std::string::npos || part.substr(0, equals).find('/') != std::string::npos) {
      if (part.empty()) fail("'{}' has an empty part: expected NAME:key=value,key=value", text);
      spec.arguments.push_back(part);
      continue;
    }
    const std::string key = part.substr(0, equals);
    if (key.empty()) fail("'{}' has a value without a key: expected key=value", text);
    if (!spec.options.emplace(key, part.substr(equals + 1)).second) {
      fail("'{}' gives {} twice: expected it once", text, key);
    }
  }
  return spec;
}

namespace {

// 0.5, 200, 1e12.
std::string limit_text(double value) {
  std::string text = fmt::format("{:g}", value);
  if (parse_double(text) != value) return to_text(value);
  if (const auto plus = text.find('+'); plus != std::string::npos) {
    text.erase(plus, text[plus + 1] == '0' ? 2 : 1);
  }
  return text;
}

}  // namespace

Limit positive() {
  return {[](double v) { return std::isfinite(v) && v > 0; }, "a number > 0"};
}
Limit non_negative() {
  return {[](double v) { return std::isfinite(v) && v >= 0; }, "a number >= 0"};
}
Limit at_least(double low) {
  return {[low](double v) { return std::isfinite(v) && v >= low; },
          fmt::format("a number >= {}", limit_text(low))};
}
Limit between(double low, double high) {
  return {[low, high](double v) { return v >= low && v <= high; },
          fmt::format("a number from {} to {}", limit_text(low), limit_text(high))};
}
Limit above_up_to(double low, double high) {
  return {[low, high](double v) { return v > low && v <= high; },
          fmt::format("a number above {} and at most {}", limit_text(low), limit_text(high))};
}

namespace internal {
namespace {

bool allowed(const Limit& limit, double value) {
  return limit.holds ? limit.holds(value) : std::isfinite(value);
}

// "a number > 0" as "a whole number > 0" or "numbers > 0".
std::string reworded(const Limit& limit, std::string_view number) {
  constexpr std::string_view kNumber = "a number";
  if (!limit.holds) return std::string(number);
  return std::string(number) + limit.says.substr(kNumber.size());
}

}  // namespace

std::string expected_text(double, const Limit& limit) { return reworded(limit, "a number"); }
std::string expected_text(std::int64_t, const Limit& limit) {
  return reworded(limit, "a whole number");
}
std::string expected_text(const std::vector<double>&, const Limit& limit) {
  return reworded(limit, "numbers") + " with / between them";
}
std::string expected_text(bool, const Limit&) { return "true|false"; }

bool read_option(const std::string& text, const Limit& limit, double& out) {
  const auto value = parse_double(text);
  if (!value || !allowed(limit, *value)) return false;
  out = *value;
  return true;
}

bool read_option(const std::string& text, const Limit& limit, std::int64_t& out) {
  const auto value = parse_integer(text);
  if (!value || !allowed(limit, static_cast<double>(*value))) return false;
  out = *value;
  return true;
}

bool read_option(const std::string& text, const Limit& limit, std::vector<double>& out) {
  std::vector<double> values;
  for (const std::string& part : split(text, '/')) {
    if (!read_option(part, limit, values.emplace_back())) return false;
  }
  out = std::move(values);
  return true;
}

bool read_option(const std::string& text, const Limit&, bool& out) {
  const auto value = parse_bool(text);
  if (!value) return false;
  out = *value;
  return true;
}

std::string show_option(double value) { return to_text(value); }
std::string show_option(std::int64_t value) { return std::to_string(value); }
std::string show_option(const std::vector<double>& value) {
  return fmt::format("{}", fmt::join(value, "/"));
}
std::string show_option(bool value) { return value ? "true" : "false"; }

}  // namespace internal
}  // namespace bandolier
