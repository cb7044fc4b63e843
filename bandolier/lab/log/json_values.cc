#include "bandolier/lab/log/json_values.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/lab/log/json_text.h"

namespace bandolier {
namespace {

constexpr Index kDeepest = 64;
constexpr Index kMostValues = Index{1} << 22;

template <class Holds>
bool all_of(const JsonArray& list, Holds holds) {
  for (const JsonElement item : list) {
    if (!holds(item)) return false;
  }
  return true;
}

// Ascending by name; of those that share one the last.
std::vector<std::pair<std::string_view, JsonElement>> members_of(const JsonObject& object) {
  std::vector<std::pair<std::string_view, JsonElement>> members;
  for (const auto& [name, value] : object) members.emplace_back(name, value);
  std::stable_sort(members.begin(), members.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i + 1 < members.size() && members[i].first == members[i + 1].first) continue;
    members[kept++] = members[i];
  }
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(kept), members.end());
  return members;
}

}  // namespace

void append_json_list(std::string_view name, const JsonArray& list, Underscored underscored,
                      NamedValues& out) {
  if (all_of(list, [](const JsonElement& item) { return item.is_number(); })) {
    std::vector<double> numbers;
    for (const JsonElement item : list) numbers.push_back(number_of(item));
    out.numbers(name, numbers);
  } else if (all_of(list, [](const JsonElement& item) { return item.is_string(); })) {
    for (const JsonElement item : list) out.word(name, text_of(item));
  } else if (all_of(list, is_object)) {
    out.enter(name);
    for (const JsonElement item : list) append_json(item, underscored, out);
    out.leave();
  } else {
    fail(
        "the list '{}' holds lists, or values of several kinds: expected numbers, words or objects",
        name.substr(0, 60));
  }
}

void append_json(const JsonElement& object, Underscored underscored, NamedValues& out,
                 std::string_view but) {
  using Type = simdjson::dom::element_type;
  if (!is_object(object)) fail("found {}: expected an object", type_name(object));
  for (const auto& [name, value] : members_of(JsonObject(object))) {
    if (underscored == Underscored::kSkip && name.starts_with('_')) continue;
    if (!but.empty() && name == but) continue;
    switch (value.type()) {
      case Type::OBJECT:
        out.enter(name);  // which limits the depth
        append_json(value, underscored, out);
        out.leave();
        break;
      case Type::ARRAY:
        append_json_list(name, JsonArray(value), underscored, out);
        break;
      case Type::STRING:
        out.word(name, text_of(value));
        break;
      case Type::BOOL:
        out.boolean(name, bool(value));
        break;
      case Type::NULL_VALUE:
        break;
      default:
        out.number(name, number_of(value));
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
