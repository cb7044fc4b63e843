// Arguments read as text: numbers that the parser reads itself overflow without an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bandolier {

// Throws Error unless `text`, where given, is a whole number of 64 bits.
std::optional<std::int64_t> whole_number(std::string_view name,
                                         const std::optional<std::string>& text);

// An agent's features for a context by name, or 0 for as many as suit it.
std::int64_t checked_slots(const std::optional<std::string>& text);

// Throws Error where a folder is given and empty (a variable of the shell that was not set).
void require_name(std::string_view option, const std::optional<std::string>& folder);

}  // namespace bandolier
