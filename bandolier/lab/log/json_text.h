// JSON as text, whatever bytes a text holds: a file name need not be UTF-8.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bandolier {

// Bytes that are not UTF-8 are replaced by U+FFFD. `indent` < 0: on one line.
template <class Json>
std::string json_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// `text` as it comes back from JSON.
inline std::string through_json(const std::string& text) {
  return nlohmann::json::parse(json_text(nlohmann::json(text))).get<std::string>();
}

}  // namespace bandolier
