// JSON texts, parsed one after the other in memory that is reused (simdjson).
#pragma once

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bandolier {

// A view into the parser's memory, until the next text.
using JsonElement = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;

class JsonParser {
 public:
  JsonParser();
  ~JsonParser();
  // Throws Error where it is no JSON ("cannot be read: ..."), nests deeper than 64 or has more than
  // 2²² values ("cannot be taken: ..."), so that no text takes more than a few hundred MB. An
  // integer beyond 64 bits is read as a double.
  JsonElement parse(std::string_view text);

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
};

inline bool is_object(const JsonElement& value) { return value.is_object(); }
inline bool is_array(const JsonElement& value) { return value.is_array(); }
bool is_integer(const JsonElement& value);
bool is_numbers(const JsonElement& value);  // a list of them

// Of one that is such.
double number_of(const JsonElement& value);
std::string_view text_of(const JsonElement& value);

// An integer of 64 bits with a sign; nothing for all else.
std::optional<std::int64_t> integer_of(const JsonElement& value);

// The value of the last member of that name; nothing where there is none, or it is null.
std::optional<JsonElement> find(const JsonObject& object, std::string_view name);

// "array", "object", "string", "number", "boolean" or "null".
std::string_view type_name(const JsonElement& value);
// As JSON, on one line.
std::string json_text(const JsonElement& value);

}  // namespace bandolier
