#include "bandolier/lab/log/dsjson_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "bandolier/core/text.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/log/json_values.h"
#include "bandolier/lab/log/row_reader.h"

namespace bandolier {
namespace {

using Json = nlohmann::json;

// A value, short enough to be shown.
std::string shown(const Json& value) {
  if (value.is_structured()) return fmt::format("a JSON {}", value.type_name());
  return json_text(value).substr(0, 60);
}

const Json* find(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

const Json& need(const Json& object, const char* name, std::string_view expected) {
  const Json* found = find(object, name);
  if (found == nullptr) refuse_field(name, "is missing: expected {}", expected);
  return *found;
}

double number(const Json& object, const char* name, std::string_view expected) {
  const Json& value = need(object, name, expected);
  if (!value.is_number()) refuse_field(name, "is {}: expected {}", shown(value), expected);
  return value.get<double>();
}

bool truth(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr) return false;
  if (!value->is_boolean()) refuse_field(name, "is {}: expected true or false", shown(*value));
  return value->get<bool>();
}

void read_text(const Json& object, const char* name, std::string& out) {
  out.clear();
  const Json* value = find(object, name);
  if (value == nullptr) return;
  if (!value->is_string()) refuse_field(name, "is {}: expected a text", shown(*value));
  out = value->get_ref<const std::string&>();
}

bool is_numbers(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& x) { return x.is_number(); });
}

// Appends to `out`.
void read_floats(const Json& numbers, std::string_view field, std::vector<float>& out) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers[i].get<double>();
    if (!is_feature_number(x)) refuse_field(field, "has {} at {}: expected a float's range", x, i);
    out.push_back(float_as_written(x));
  }
}

Index read_action(const Json& event, Index actions) {
  const Json* index = find(event, "_labelIndex");
  const Json* action = find(event, "_label_Action");
  const auto read = [&](const Json& value, const char* name, std::int64_t first) {
    if (!value.is_number_integer()) refuse_field(name, "is {}: expected an integer", shown(value));
    const auto found = value.get<std::int64_t>();
    if (found < first || found >= first + actions) {
      refuse_field(name, "is {}: expected {} to {}, since there are {} actions", shown(value),
                   first, first + actions - 1, actions);
    }
    return static_cast<Index>(found - first);
  };
  if (index == nullptr && action == nullptr) {
    refuse_field("_label_Action", "is missing: expected the action taken, from 1");
  }
  const Index taken = index != nullptr ? read(*index, "_labelIndex", 0) : -1;
  if (action == nullptr) return taken;
  const Index place = read(*action, "_label_Action", 1);
  if (index != nullptr && taken != place) {
    refuse_field("_label_Action", "is {} and _labelIndex is {}: expected one more", place + 1,
                 taken);
  }
  return place;
}

void read_propensity(const Json& event, LoggedEvent& out) {
  out.propensity = number(event, "_label_probability", kPropensityExpected);
  check_propensity("_label_probability", out.propensity);
}

void read_position(const Json& event, LoggedEvent& out) {
  const Json* position = find(event, "_position");
  if (position != nullptr && !position->is_number_integer()) {
    refuse_field("_position", "is {}: expected an integer", shown(*position));
  }
  out.position = position == nullptr ? 0 : position->get<std::int64_t>();
  if (position != nullptr && (out.position < 1 || out.position > kMostPositions)) {
    refuse_field("_position", "is {}: expected 1 to {}", out.position, kMostPositions);
  }
}

void read_probabilities(const Json& event, LoggedEvent& out) {
  out.probabilities.clear();
  const Json* a = find(event, "a");
  const Json* p = find(event, "p");
  if (p == nullptr) return;
  if (!is_numbers(*p)) refuse_field("p", "is {}: expected a list of numbers", shown(*p));
  double sum = 0;
  for (const Json& q : *p) {
    const auto value = q.get<double>();
    if (!(value >= 0 && value <= 1)) refuse_field("p", "has {}: expected 0 to 1", value);
    sum += value;
  }
  if (std::abs(sum - 1) > 1e-3) refuse_field("p", "sums to {}: expected 1 within 0.001", sum);
  if (a == nullptr) return;
  if (!is_numbers(*a)) refuse_field("a", "is {}: expected a list of actions", shown(*a));
  if (a->size() != p->size()) {
    refuse_field("p", "has {} values: expected {}, one for each of a", p->size(), a->size());
  }
  out.probabilities.assign(static_cast<std::size_t>(out.actions), -1);
  for (std::size_t i = 0; i < a->size(); ++i) {
    const Json& place = (*a)[i];
    const auto found = place.is_number_integer() ? place.get<std::int64_t>() : 0;
    if (found < 1 || found > out.actions) {
      refuse_field("a", "has {}: expected 1 to {}", shown(place), out.actions);
    }
    double& q = out.probabilities[static_cast<std::size_t>(found - 1)];
    if (q >= 0) refuse_field("a", "has {} twice: expected each action once", found);
    q = (*p)[i].get<double>();
  }
  for (double& q : out.probabilities) q = std::max(q, 0.0);
  const double taken = out.probabilities[static_cast<std::size_t>(out.action)];
  if (std::abs(taken - out.propensity) > 1e-5 * out.propensity) out.probabilities.clear();
}

bool read_dense(const Json& context, const Json& items, LoggedEvent& out) {
  const Json* x = find(context, "x");
  if (context.size() != 2 || x == nullptr || !is_numbers(*x)) return false;
  out.action_ids.clear();
  const bool wide = find(items[0], "x") != nullptr;
  const std::size_t width = wide ? items[0]["x"].size() : 0;
  for (const Json& item : items) {
    const Json* id = find(item, "id");
    const Json* own = find(item, "x");
    const auto integer = id != nullptr && id->is_string()
                             ? parse_integer(id->get_ref<const std::string&>())
                             : std::nullopt;
    if (!integer || item.size() != (wide ? 2u : 1u)) return false;
    if (wide && (own == nullptr || !is_numbers(*own) || own->size() != width)) return false;
    out.action_ids.push_back(*integer);
  }
  out.features.clear();
  out.action_features.clear();
  read_floats(*x, "c.x", out.features);
  for (std::size_t i = 0; wide && i < items.size(); ++i) {
    read_floats(items[i]["x"], fmt::format("c._multi[{}].x", i), out.action_features);
  }
  return true;
}

void read_named(const Json& object, std::string_view field, NamedValues& out) {
  out.clear();
  try {
    append_json(object, Underscored::kSkip, out);
  } catch (const Error& error) {
    refuse_field(field, "cannot be taken: {}", error.what());
  }
}

void read_context(const Json& context, const Json* items, LoggedEvent& out) {
  const auto actions = static_cast<std::size_t>(out.actions);
  out.action_names.resize(actions);
  for (std::size_t i = 0; i < actions; ++i) {
    const Json* name = items != nullptr ? find((*items)[i], "id") : nullptr;
    if (items != nullptr && name == nullptr) name = find((*items)[i], "_tag");
    out.action_names[i] = name == nullptr     ? ""
                          : name->is_string() ? name->get_ref<const std::string&>()
                                              : shown(*name);
  }
  out.dense = items != nullptr && read_dense(context, *items, out);
  if (out.dense) return;
  read_named(context, "c", out.shared);
  if (out.own.size() < actions) out.own.resize(actions);
  for (std::size_t i = 0; i < actions; ++i) {
    out.own[i].clear();
    if (items != nullptr) read_named((*items)[i], fmt::format("c._multi[{}]", i), out.own[i]);
  }
}

// Of c._multi, or of a where there is none.
Index count_actions(const Json& event, const Json* items) {
  if (items == nullptr) {
    const Json* a = find(event, "a");
    if (a == nullptr || !a->is_array() || a->empty()) {
      refuse_field("c._multi", "is missing: expected a list of the actions");
    }
    return static_cast<Index>(a->size());
  }
  if (!items->is_array() || items->empty()) {
    refuse_field("c._multi", "is {}: expected a list of at least one action", shown(*items));
  }
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (!(*items)[i].is_object()) {
      refuse_field(fmt::format("c._multi[{}]", i), "is {}: expected an object", shown((*items)[i]));
    }
  }
  return static_cast<Index>(items->size());
}

Json parse(std::string_view line) {
  try {
    check_json_size(line);
    return Json::parse(line);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at ...": without the library's number.
    const std::string_view what = error.what();
    refuse_field("JSON", "cannot be read: {}; expected one object in a line",
                 what.substr(std::min(what.size(), what.find("] ") + 2)));
  } catch (const Error& error) {
    refuse_field("JSON", "cannot be taken: {}", error.what());
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

std::string_view read_dsjson(std::string_view line, LoggedEvent& out, bool uniform) {
  const Json event = parse(line);
  if (!event.is_object()) refuse_field("JSON", "is {}: expected an object", shown(event));
  if (find(event, "_outcomes") != nullptr) return "lines left out: they decide several slots";
  if (find(event, "_label_cost") == nullptr) return "lines left out: they have no _label_cost";
  if (find(event, "c") == nullptr) return "lines left out: they have no context c";
  const Json& context = event["c"];
  if (!context.is_object()) refuse_field("c", "is {}: expected an object", shown(context));
  if (find(context, "_slots") != nullptr) return "lines left out: they decide several slots";

  const double cost = number(event, "_label_cost", "a number");
  if (!is_feature_number(cost))
    refuse_field("_label_cost", "is {}: expected a float's range", cost);
  out.reward = cost == 0 ? 0 : -cost;
  const Json* items = find(context, "_multi");
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
  out.dropped = find(event, "pdrop") == nullptr ? 0 : number(event, "pdrop", "a number");
  if (!(out.dropped >= 0 && out.dropped < 1)) {
    refuse_field("pdrop", "is {}: expected at least 0 and less than 1", out.dropped);
  }
  out.skip_learn = truth(event, "_skipLearn");
  out.full_support = !truth(event, "_noSupport");
  read_text(event, "EventId", out.id);
  read_text(event, "Timestamp", out.time);
  read_context(context, items, out);
  return {};
}

}  // namespace bandolier
