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

void require_name(std::string_view option, const std::optional<std::string>& folder) {
  if (folder && folder->empty()) fail("{} is empty: expected a folder", option);
}

}  // namespace bandolier
