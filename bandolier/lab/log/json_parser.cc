#include "bandolier/lab/log/json_parser.h"

#include <nlohmann/json.hpp>

#include "bandolier/core/error.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/log/json_values.h"

namespace bandolier {
namespace {

// A text as short has less than 2²² values.
constexpr std::size_t kShort = std::size_t{1} << 20;

using Type = simdjson::dom::element_type;

}  // namespace

JsonParser::JsonParser() : parser_(std::make_unique<simdjson::dom::parser>()) {}
JsonParser::~JsonParser() = default;

JsonElement JsonParser::parse(std::string_view text) {
  JsonElement element;
  try {
    if (text.size() > kShort) check_json_size(text);
    if (parser_->parse(text.data(), text.size()).get(element) == simdjson::SUCCESS) return element;
    check_json_size(text);
  } catch (const Error& error) {
    fail("cannot be taken: {}", error.what());
  }
  // Either there is something wrong, which this parser explains, or an integer is beyond 64 bits,
  // which it reads as a double.
  std::string again;
  try {
    again = json_text(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at ...": without the library's number.
    const std::string_view what = error.what();
    fail("cannot be read: {}", what.substr(std::min(what.size(), what.find("] ") + 2)));
  }
  if (const auto error = parser_->parse(again).get(element)) {
    fail("cannot be read: {}", simdjson::error_message(error));
  }
  return element;
}

bool is_integer(const JsonElement& value) {
  return value.type() == Type::INT64 || value.type() == Type::UINT64;
}

bool is_numbers(const JsonElement& value) {
  if (!value.is_array()) return false;
  for (const JsonElement item : JsonArray(value)) {
    if (!item.is_number()) return false;
  }
  return true;
}

double number_of(const JsonElement& value) { return value.get_double().value(); }

std::string_view text_of(const JsonElement& value) { return value.get_string().value(); }

std::optional<std::int64_t> integer_of(const JsonElement& value) {
  std::int64_t integer = 0;
  if (value.get_int64().get(integer) != simdjson::SUCCESS) return std::nullopt;
  return integer;
}

std::optional<JsonElement> find(const JsonObject& object, std::string_view name) {
  std::optional<JsonElement> found;
  for (const auto& [key, value] : object) {
    if (key == name) found = value;
  }
  if (found && found->is_null()) found.reset();
  return found;
}

std::string_view type_name(const JsonElement& value) {
  switch (value.type()) {
    case Type::ARRAY:
      return "array";
    case Type::OBJECT:
      return "object";
    case Type::STRING:
      return "string";
    case Type::BOOL:
      return "boolean";
    case Type::NULL_VALUE:
      return "null";
    default:
      return "number";
  }
}

std::string json_text(const JsonElement& value) { return simdjson::minify(value); }

}  // namespace bandolier
