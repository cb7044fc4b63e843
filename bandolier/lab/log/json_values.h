// A JSON object as values by name (model/named_values.h):
//   {"user": {"age": 37}}      an object is a namespace          user.age = 37
//   "PE", true                 words                             country=PE, mobile=true
//   [0.5, 2]                   numbers as they are               x[0] = 0.5, x[1] = 2
//   ["crime", "drama"]         a word each                       genre=crime, genre=drama
//   [{"a": 1}, {"b": "c"}]     objects of one namespace          list.a = 1, list.b=c
//   null, []                   missing
// An Error, with the name: a name given twice (by two objects of a list too), a list that mixes
// kinds or holds lists, and what exceeds the limits of NamedValues. Of a key that one object has
// twice the last counts.
#pragma once

#include <string>
#include <string_view>

#include "bandolier/lab/log/json_parser.h"
#include "bandolier/model/named_values.h"

namespace bandolier {

enum class Underscored { kTake, kSkip };  // dsjson: names that start with '_' are no features

// Adds what `object` says to `out`, within the namespaces open there; without the member called
// `but`. Members are taken in ascending order of their names.
void append_json(const JsonElement& object, Underscored underscored, NamedValues& out,
                 std::string_view but = {});
// The same of a list that has this name.
void append_json_list(std::string_view name, const JsonArray& list, Underscored underscored,
                      NamedValues& out);

// The same the other way: `"name":value,...` without braces, names in full. append_json gives equal
// values back, but for their order where the words of a name were apart. Throws Error where two
// kinds of values have one name, and where it begins with '_'.
void append_members(const NamedValues& values, std::string& out);

// Throws Error where a text nests deeper than 64 or has more than 2²² values: before it is parsed,
// so that no text takes more than a few hundred MB. Needs no well-formed text. O(bytes).
void check_json_size(std::string_view text);

}  // namespace bandolier
