#include "bandolier/lab/log/json_values.h"

#include <algorithm>
#include <vector>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

using Json = nlohmann::json;

constexpr Index kDeepest = 64;
constexpr Index kMostValues = Index{1} << 22;

template <class Holds>
bool all_of(const Json& list, Holds holds) {
  return std::all_of(list.begin(), list.end(), holds);
}

void append_list(std::string_view name, const Json& list, Underscored underscored,
                 NamedValues& out) {
  if (all_of(list, [](const Json& item) { return item.is_number(); })) {
    out.numbers(name, list.get<std::vector<double>>());
  } else if (all_of(list, [](const Json& item) { return item.is_string(); })) {
    for (const Json& item : list) out.word(name, item.get_ref<const std::string&>());
  } else if (all_of(list, [](const Json& item) { return item.is_object(); })) {
    out.enter(name);
    for (const Json& item : list) append_json(item, underscored, out);
    out.leave();
  } else {
    fail(
        "the list '{}' holds lists, or values of several kinds: expected numbers, words or objects",
        name.substr(0, 60));
  }
}

}  // namespace

void append_json(const Json& object, Underscored underscored, NamedValues& out) {
  if (!object.is_object()) fail("found {}: expected an object", object.type_name());
  for (const auto& [name, value] : object.items()) {
    if (underscored == Underscored::kSkip && name.starts_with('_')) continue;
    switch (value.type()) {
      case Json::value_t::object:
        out.enter(name);  // which limits the depth
        append_json(value, underscored, out);
        out.leave();
        break;
      case Json::value_t::array:
        append_list(name, value, underscored, out);
        break;
      case Json::value_t::string:
        out.word(name, value.get_ref<const std::string&>());
        break;
      case Json::value_t::boolean:
        out.boolean(name, value.get<bool>());
        break;
      case Json::value_t::null:
        break;
      default:
        out.number(name, value.get<double>());
    }
  }
}

void check_json_size(std::string_view text) {
  Index depth = 0, values = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) fail("it nests deeper than {}: expected less", kDeepest);
      ++values;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',') {
      ++values;
    }
  }
  if (values > kMostValues) fail("it has {} values: expected at most {}", values, kMostValues);
}

}  // namespace bandolier
