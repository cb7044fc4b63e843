#include "bandolier/core/options.h"

#include <algorithm>
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

Limit positive() {
  return {[](double v) { return std::isfinite(v) && v > 0; }, "a number > 0"};
}
Limit non_negative() {
  return {[](double v) { return std::isfinite(v) && v >= 0; }, "a number >= 0"};
}
Limit at_least(double low) {
  return {[low](double v) { return std::isfinite(v) && v >= low; },
          fmt::format("a number >= {}", low)};
}
Limit between(double low, double high) {
  return {[low, high](double v) { return v >= low && v <= high; },
          fmt::format("a number from {} to {}", low, high)};
}
Limit above_up_to(double low, double high) {
  return {[low, high](double v) { return v > low && v <= high; },
          fmt::format("a number above {} and at most {}", low, high)};
}

namespace internal {
namespace {

bool allowed(const Limit& limit, double value) {
  return limit.holds ? limit.holds(value) : std::isfinite(value);
}

}  // namespace

std::string expected_text(double, const Limit& limit) {
  return limit.holds ? limit.says : "a number";
}
std::string expected_text(std::int64_t, const Limit& limit) {
  constexpr std::string_view kNumber = "a number";
  if (!limit.holds) return "a whole number";
  if (!limit.says.starts_with(kNumber)) return limit.says;
  return "a whole number" + limit.says.substr(kNumber.size());
}
std::string expected_text(bool, const Limit&) { return "true|false"; }
std::string expected_text(const AutoNumber&, const Limit& limit) {
  return expected_text(0.0, limit) + " or auto";
}
std::string expected_text(const std::string&, const Choices& choices) {
  return choices.words.empty() ? "text" : join(choices.words, "|");
}

void read_option(const std::string& what, const std::string& text, const Limit& limit,
                 double& out) {
  const auto value = parse_double(text);
  if (!value || !allowed(limit, *value)) fail("{}: expected {}", what, expected_text(0.0, limit));
  out = *value;
}

void read_option(const std::string& what, const std::string& text, const Limit& limit,
                 std::int64_t& out) {
  const auto value = parse_integer(text);
  if (!value || !allowed(limit, static_cast<double>(*value))) {
    fail("{}: expected {}", what, expected_text(std::int64_t{}, limit));
  }
  out = *value;
}

void read_option(const std::string& what, const std::string& text, const Limit&, bool& out) {
  const auto value = parse_bool(text);
  if (!value) fail("{}: expected true or false", what);
  out = *value;
}

void read_option(const std::string& what, const std::string& text, const Limit& limit,
                 AutoNumber& out) {
  if (text == "auto") {
    out.value.reset();
    return;
  }
  const auto value = parse_double(text);
  if (!value || !allowed(limit, *value)) {
    fail("{}: expected {}", what, expected_text(AutoNumber{}, limit));
  }
  out.value = *value;
}

void read_option(const std::string& what, const std::string& text, const Choices& choices,
                 std::string& out) {
  if (!choices.words.empty() &&
      std::find(choices.words.begin(), choices.words.end(), text) == choices.words.end()) {
    fail("{}: expected {}{}", what, join(choices.words, "|"), nearest(text, choices.words));
  }
  out = text;
}

std::string show_option(double value) { return to_text(value); }
std::string show_option(std::int64_t value) { return std::to_string(value); }
std::string show_option(bool value) { return value ? "true" : "false"; }
std::string show_option(const AutoNumber& value) {
  return value.value ? to_text(*value.value) : "auto";
}
std::string show_option(const std::string& value) { return value; }

}  // namespace internal
}  // namespace bandolier
