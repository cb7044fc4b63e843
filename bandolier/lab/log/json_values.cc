#include "bandolier/lab/log/json_values.h"

#include <algorithm>
#include <map>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/lab/log/json_text.h"

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

void append_members(const NamedValues& values, std::string& out) {
  using Kind = NamedValues::Kind;
  std::map<std::string, Kind, std::less<>> done;
  for (Index i = 0; i < values.size(); ++i) {
    const NamedValues::Value value = values[i];
    const std::string_view name =
        value.kind == Kind::kElement ? value.name.substr(0, value.name.rfind('[')) : value.name;
    if (const auto found = done.find(name); found != done.end()) {
      if (found->second == value.kind) continue;
      fail("'{}' is a number and a word: JSON holds one of the two", name);
    }
    if (name.starts_with('_')) {
      fail("the feature '{}' begins with '_', which is no feature in dsjson", name);
    }
    done.emplace(name, value.kind);
    if (out.back() != '{' && out.back() != ',') out += ',';
    out += json_text(nlohmann::json(std::string(name)));
    out += ':';
    if (value.kind == Kind::kNumber) {
      out += fmt::format("{}", value.number);
      continue;
    }
    std::string list;
    Index count = 0;
    for (Index j = i; j < values.size(); ++j) {
      const NamedValues::Value other = values[j];
      if (other.kind != value.kind) continue;
      if (value.kind == Kind::kWord) {
        if (other.name_hash != value.name_hash || other.name != value.name) continue;
        list += (count++ > 0 ? "," : "") + json_text(nlohmann::json(std::string(other.word)));
      } else {
        const std::string place = fmt::format("{}[{}]", name, count);
        if (other.name != place) continue;
        list += fmt::format("{}{}", count++ > 0 ? "," : "", other.number);
      }
    }
    out += value.kind == Kind::kWord && count == 1 ? list : fmt::format("[{}]", list);
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
