#include "arguments.h"

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {

std::optional<std::int64_t> whole_number(std::string_view name,
                                         const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto value = parse_integer(*text);
  if (!value) {
    fail("{} is '{}': expected a whole number, at most 9223372036854775807", name, *text);
  }
  return value;
}

std::int64_t checked_slots(const std::optional<std::string>& text) {
  const auto slots = whole_number("slots", text);
  if (slots && (*slots < 16 || *slots > 1 << 20)) {
    fail("slots is {}: expected a whole number from 16 to 1048576", *slots);
  }
  return slots.value_or(0);
}

void require_name(std::string_view option, const std::optional<std::string>& folder) {
  if (folder && folder->empty()) fail("{} is empty: expected a folder", option);
}

}  // namespace bandolier
