#include "bandolier/lab/log/dsjson_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bandolier/core/text.h"
#include "bandolier/lab/log/json_values.h"
#include "bandolier/lab/log/row_reader.h"

namespace bandolier {
namespace {

// The members of an event that mean something.
enum Member : std::size_t {
  kCost,
  kProbability,
  kAction,
  kIndex,
  kPosition,
  kOutcomes,
  kSkipLearn,
  kNoSupport,
  kTime,
  kId,
  kDropped,
  kA,
  kP,
  kC,
  kMembers
};
constexpr std::array<std::string_view, kMembers> kNames = {"_label_cost",
                                                           "_label_probability",
                                                           "_label_Action",
                                                           "_labelIndex",
                                                           "_position",
                                                           "_outcomes",
                                                           "_skipLearn",
                                                           "_noSupport",
                                                           "Timestamp",
                                                           "EventId",
                                                           "pdrop",
                                                           "a",
                                                           "p",
                                                           "c"};

// In one pass over the object; of members of one name the last counts, and null is none.
struct Event {
  explicit Event(const JsonObject& object) {
    for (const auto& [name, value] : object) {
      for (std::size_t i = 0; i < kMembers; ++i) {
        if (name != kNames[i]) continue;
        values[i] = value.is_null() ? std::nullopt : std::optional(value);
        break;
      }
    }
  }
  const std::optional<JsonElement>& operator[](Member member) const { return values[member]; }

  std::array<std::optional<JsonElement>, kMembers> values;
};

// A value, short enough to be shown.
std::string shown(const JsonElement& value) {
  if (value.is_array() || value.is_object()) return fmt::format("a JSON {}", type_name(value));
  return json_text(value).substr(0, 60);
}

double number(const Event& event, Member member, std::string_view expected) {
  const auto& value = event[member];
  if (!value) refuse_field(kNames[member], "is missing: expected {}", expected);
  if (!value->is_number()) {
    refuse_field(kNames[member], "is {}: expected {}", shown(*value), expected);
  }
  return number_of(*value);
}

bool truth(const Event& event, Member member) {
  const auto& value = event[member];
  if (!value) return false;
  if (!value->is_bool()) {
    refuse_field(kNames[member], "is {}: expected true or false", shown(*value));
  }
  return bool(*value);
}

void read_text(const Event& event, Member member, std::string& out) {
  out.clear();
  const auto& value = event[member];
  if (!value) return;
  if (!value->is_string()) refuse_field(kNames[member], "is {}: expected a text", shown(*value));
  out = text_of(*value);
}

// Appends to `out`.
void read_floats(const JsonArray& numbers, std::string_view field, std::vector<float>& out) {
  std::size_t i = 0;
  for (const JsonElement item : numbers) {
    const double x = number_of(item);
    if (!is_feature_number(x)) refuse_field(field, "has {} at {}: expected a float's range", x, i);
    out.push_back(float_as_written(x));
    ++i;
  }
}

Index read_action(const Event& event, Index actions) {
  const auto read = [&](Member member, std::int64_t first) {
    const JsonElement& value = *event[member];
    if (!is_integer(value)) {
      refuse_field(kNames[member], "is {}: expected an integer", shown(value));
    }
    const auto found = integer_of(value);
    if (!found || *found < first || *found >= first + actions) {
      refuse_field(kNames[member], "is {}: expected {} to {}, since there are {} actions",
                   shown(value), first, first + actions - 1, actions);
    }
    return static_cast<Index>(*found - first);
  };
  if (!event[kIndex] && !event[kAction]) {
    refuse_field("_label_Action", "is missing: expected the action taken, from 1");
  }
  const Index taken = event[kIndex] ? read(kIndex, 0) : -1;
  if (!event[kAction]) return taken;
  const Index place = read(kAction, 1);
  if (event[kIndex] && taken != place) {
    refuse_field("_label_Action", "is {} and _labelIndex is {}: expected one more", place + 1,
                 taken);
  }
  return place;
}

void read_propensity(const Event& event, LoggedEvent& out) {
  out.propensity = number(event, kProbability, kPropensityExpected);
  check_propensity("_label_probability", out.propensity);
}

void read_position(const Event& event, LoggedEvent& out) {
  out.position = 0;
  const auto& position = event[kPosition];
  if (!position) return;
  if (!is_integer(*position)) {
    refuse_field("_position", "is {}: expected an integer", shown(*position));
  }
  out.position = integer_of(*position).value_or(0);
  if (out.position < 1 || out.position > kMostPositions) {
    refuse_field("_position", "is {}: expected 1 to {}", shown(*position), kMostPositions);
  }
}

void read_probabilities(const Event& event, LoggedEvent& out) {
  out.probabilities.clear();
  const auto &a = event[kA], &p = event[kP];
  if (!p) return;
  if (!is_numbers(*p)) refuse_field("p", "is {}: expected a list of numbers", shown(*p));
  double sum = 0;
  for (const JsonElement q : JsonArray(*p)) {
    const double value = number_of(q);
    if (!(value >= 0 && value <= 1)) refuse_field("p", "has {}: expected 0 to 1", value);
    sum += value;
  }
  if (std::abs(sum - 1) > 1e-3) refuse_field("p", "sums to {}: expected 1 within 0.001", sum);
  if (!a) return;
  if (!is_numbers(*a)) refuse_field("a", "is {}: expected a list of actions", shown(*a));
  const JsonArray places(*a), shares(*p);
  if (places.size() != shares.size()) {
    refuse_field("p", "has {} values: expected {}, one for each of a", shares.size(),
                 places.size());
  }
  out.probabilities.assign(static_cast<std::size_t>(out.actions), -1);
  auto share = shares.begin();
  for (const JsonElement place : places) {
    const std::int64_t found = integer_of(place).value_or(0);
    if (found < 1 || found > out.actions) {
      refuse_field("a", "has {}: expected 1 to {}", shown(place), out.actions);
    }
    double& q = out.probabilities[static_cast<std::size_t>(found - 1)];
    if (q >= 0) refuse_field("a", "has {} twice: expected each action once", found);
    q = number_of(*share);
    ++share;
  }
  for (double& q : out.probabilities) q = std::max(q, 0.0);
  const double taken = out.probabilities[static_cast<std::size_t>(out.action)];
  if (std::abs(taken - out.propensity) > 1e-5 * out.propensity) out.probabilities.clear();
}

bool read_dense(const JsonObject& context, const JsonArray& items, LoggedEvent& out) {
  const auto x = find(context, "x");
  if (context.size() != 2 || !x || !is_numbers(*x)) return false;
  out.action_ids.clear();
  out.features.clear();
  out.action_features.clear();
  bool wide = false;
  std::size_t width = 0;
  for (const JsonElement item : items) {
    const JsonObject members(item);
    const auto id = find(members, "id");
    const auto own = find(members, "x");
    const auto integer = id && id->is_string() ? parse_integer(text_of(*id)) : std::nullopt;
    if (out.action_ids.empty() && own && own->is_array()) {
      wide = true;
      width = JsonArray(*own).size();
    }
    if (!integer || members.size() != (wide ? 2u : 1u)) return false;
    if (wide && (!own || !is_numbers(*own) || JsonArray(*own).size() != width)) return false;
    out.action_ids.push_back(*integer);
  }
  read_floats(JsonArray(*x), "c.x", out.features);
  std::size_t i = 0;
  for (const JsonElement item : items) {
    if (!wide) break;
    const auto own = find(JsonObject(item), "x");
    read_floats(JsonArray(*own), fmt::format("c._multi[{}].x", i++), out.action_features);
  }
  return true;
}

void read_named(const JsonElement& object, std::string_view field, NamedValues& out) {
  out.clear();
  try {
    append_json(object, Underscored::kSkip, out);
  } catch (const Error& error) {
    refuse_field(field, "cannot be taken: {}", error.what());
  }
}

void read_names(const JsonArray& items, std::vector<std::string>& names) {
  std::size_t i = 0;
  for (const JsonElement item : items) {
    const JsonObject members(item);
    auto name = find(members, "id");
    if (!name) name = find(members, "_tag");
    names[i++] = !name               ? std::string()
                 : name->is_string() ? std::string(text_of(*name))
                                     : shown(*name);
  }
}

void read_context(const JsonElement& context, const std::optional<JsonElement>& items,
                  LoggedEvent& out) {
  const auto actions = static_cast<std::size_t>(out.actions);
  out.action_names.assign(items ? 0 : actions, std::string());
  out.action_names.resize(actions);
  if (items) read_names(JsonArray(*items), out.action_names);
  out.dense = items && read_dense(JsonObject(context), JsonArray(*items), out);
  if (out.dense) return;
  read_named(context, "c", out.shared);
  if (out.own.size() < actions) out.own.resize(actions);
  for (std::size_t i = 0; i < actions; ++i) out.own[i].clear();
  if (!items) return;
  std::size_t i = 0;
  for (const JsonElement item : JsonArray(*items)) {
    read_named(item, fmt::format("c._multi[{}]", i), out.own[i]);
    ++i;
  }
}

// Of c._multi, or of a where there is none.
Index count_actions(const Event& event, const std::optional<JsonElement>& items) {
  if (!items) {
    const auto& a = event[kA];
    const std::size_t count = a && a->is_array() ? JsonArray(*a).size() : 0;
    if (count == 0) refuse_field("c._multi", "is missing: expected a list of the actions");
    return static_cast<Index>(count);
  }
  if (!items->is_array() || JsonArray(*items).size() == 0) {
    refuse_field("c._multi", "is {}: expected a list of at least one action", shown(*items));
  }
  Index count = 0;
  for (const JsonElement item : JsonArray(*items)) {
    if (!item.is_object()) {
      refuse_field(fmt::format("c._multi[{}]", count), "is {}: expected an object", shown(item));
    }
    ++count;
  }
  return count;
}

JsonElement parse(JsonParser& parser, std::string_view line) {
  try {
    return parser.parse(line);
  } catch (const Error& error) {
    refuse_field("JSON", "{}; expected one object in a line", error.what());
  }
}

}  // namespace

float float_as_written(double number) {
  const auto nearest = static_cast<float>(number);
  const double rest = number - static_cast<double>(nearest);
  if (rest == 0) return nearest;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float other = std::nextafter(nearest, rest > 0 ? kInfinity : -kInfinity);
  const bool half = static_cast<double>(other) - number == rest;
  return half && parse_double(fmt::format("{}", other)) == number ? other : nearest;
}

std::string_view read_dsjson(JsonParser& parser, std::string_view line, LoggedEvent& out,
                             bool uniform) {
  const JsonElement root = parse(parser, line);
  if (!root.is_object()) refuse_field("JSON", "is {}: expected an object", shown(root));
  const Event event{JsonObject(root)};
  if (event[kOutcomes]) return "lines left out: they decide several slots";
  if (!event[kCost]) return "lines left out: they have no _label_cost";
  if (!event[kC]) return "lines left out: they have no context c";
  const JsonElement context = *event[kC];
  if (!context.is_object()) refuse_field("c", "is {}: expected an object", shown(context));
  if (find(JsonObject(context), "_slots")) return "lines left out: they decide several slots";

  const double cost = number(event, kCost, "a number");
  if (!is_feature_number(cost)) {
    refuse_field("_label_cost", "is {}: expected a float's range", cost);
  }
  out.reward = cost == 0 ? 0 : -cost;
  const auto items = find(JsonObject(context), "_multi");
  out.actions = count_actions(event, items);
  out.action = read_action(event, out.actions);
  read_position(event, out);
  if (uniform) {
    out.propensity = 1 / static_cast<double>(out.actions);
    out.probabilities.assign(static_cast<std::size_t>(out.actions), out.propensity);
  } else {
    read_propensity(event, out);
    read_probabilities(event, out);
  }
  out.columns.clear();
  out.dropped = event[kDropped] ? number(event, kDropped, "a number") : 0;
  if (!(out.dropped >= 0 && out.dropped < 1)) {
    refuse_field("pdrop", "is {}: expected at least 0 and less than 1", out.dropped);
  }
  out.skip_learn = truth(event, kSkipLearn);
  out.full_support = !truth(event, kNoSupport);
  read_text(event, kId, out.id);
  read_text(event, kTime, out.time);
  read_context(context, items, out);
  return {};
}

}  // namespace bandolier
