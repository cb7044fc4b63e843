#include "python/src/make_agent.h"

#include <vector>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/model/schema_encoder.h"

namespace bandolier::python {
namespace {

Index whole_number(nb::handle number, const char* name) {
  const bool whole = PyIndex_Check(number.ptr()) && !PyBool_Check(number.ptr());
  const Index value = whole ? PyNumber_AsSsize_t(number.ptr(), PyExc_OverflowError) : 0;
  if (PyErr_Occurred() != nullptr) PyErr_Clear();
  if (!whole || (value == -1)) {
    fail("{} is {}: expected a whole number", name, nb::repr(number).c_str());
  }
  return value;
}

bool is_list(nb::handle object) {
  return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
}

std::vector<std::string> names_of(nb::handle list, const char* name) {
  std::vector<std::string> names;
  for (const nb::handle item : list) {
    if (!PyUnicode_Check(item.ptr())) {
      fail("{}[{}] is {}: expected a name, a text", name, names.size(), nb::repr(item).c_str());
    }
    names.emplace_back(nb::borrow<nb::str>(item).c_str());
  }
  return names;
}

// As it would be typed: 0.5, true, 3/15/90.
std::string option_text(nb::handle value, const std::string& name) {
  if (PyBool_Check(value.ptr())) return PyObject_IsTrue(value.ptr()) == 1 ? "true" : "false";
  if (PyUnicode_Check(value.ptr())) return nb::borrow<nb::str>(value).c_str();
  if (is_list(value)) {
    std::string text;
    for (const nb::handle item : value) {
      text += (text.empty() ? "" : "/") + option_text(item, name);
    }
    return text;
  }
  if (PyIndex_Check(value.ptr())) {
    return nb::str(nb::steal(PyNumber_Index(value.ptr()))).c_str();
  }
  const double number = value.is_none() ? 0 : PyFloat_AsDouble(value.ptr());
  if (value.is_none() || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    fail("option {} is {}: expected a number, a text, truth or a list", name,
         nb::repr(value).c_str());
  }
  return nb::repr(nb::float_(number)).c_str();
}

// `agent` with the keywords as options. A trailing underscore is for names that Python keeps to
// itself: lambda_.
std::string spec_of(const AgentArguments& given) {
  std::string spec = given.agent;
  bool first = spec.find(':') == std::string::npos;
  for (auto [key, value] : given.options) {
    std::string name = nb::borrow<nb::str>(key).c_str();
    if (name.size() > 1 && name.back() == '_') name.pop_back();
    spec += (first ? ":" : ",") + name + "=" + option_text(value, name);
    first = false;
  }
  return spec;
}

ImageShape image_of(nb::handle image) {
  if (image.is_none()) return {};
  if (!is_list(image) || nb::len(image) < 2 || nb::len(image) > 3) {
    fail("image is {}: expected (height, width) or (height, width, channels)",
         nb::repr(image).c_str());
  }
  const nb::object height = image[0], width = image[1];
  ImageShape shape{whole_number(height, "image"), whole_number(width, "image"), 1};
  if (nb::len(image) == 3) shape.channels = whole_number(nb::object(image[2]), "image");
  return shape;
}

FeatureSchema schema_of(const std::vector<std::string>& names) {
  FeatureSchema schema;
  for (const std::string& name : names) {
    FeatureColumn column;
    column.name = name;
    schema.columns.push_back(std::move(column));
  }
  check(schema);
  return schema;
}

// Contexts by name.
std::unique_ptr<SharedAgent> make_by_name(const AgentArguments& given, std::uint64_t seed) {
  NamedAgentOptions options{.agent = spec_of(given)};
  if (!given.image.is_none() || !given.action_features.is_none() || !given.fixed_actions) {
    fail(
        "features is missing: image, action_features and fixed_actions are for contexts of "
        "numbers");
  }
  if (!given.actions.is_none()) {
    if (!is_list(given.actions)) {
      fail(
          "features is missing: with actions={} contexts are arrays. For contexts by name, name "
          "the actions or leave them out",
          nb::repr(given.actions).c_str());
    }
    options.actions = names_of(given.actions, "actions");
    if (options.actions.size() < 2) {
      fail("actions names {}: expected at least 2", options.actions.size());
    }
  }
  // Where actions change, every slot of a context meets every slot of an action: fewer will do, or
  // the agent takes seconds to make.
  constexpr std::int64_t kSlots = 128, kActionSlots = 16;
  options.slots = given.slots.value_or(options.actions.empty() ? kSlots : options.slots);
  options.action_slots = given.action_slots.value_or(kActionSlots);
  options.most_actions = given.most_actions.value_or(options.most_actions);
  Random random({.seed = seed, .purpose = Purpose::kWarmUp});
  return std::make_unique<SharedAgent>(std::make_unique<NamedAgent>(options, random), seed);
}

}  // namespace

std::unique_ptr<SharedAgent> make_shared_agent(const AgentArguments& given) {
  const std::uint64_t seed = seed_of(given.seed);
  if (given.features.is_none() && given.image.is_none()) return make_by_name(given, seed);
  if (given.slots || given.action_slots || given.most_actions) {
    fail(
        "slots, action_slots and most_actions are for contexts by name: leave features out, or "
        "these");
  }
  ProblemShape shape;
  shape.image = image_of(given.image);
  shape.fixed_actions = given.fixed_actions;
  std::vector<std::string> features, actions;
  if (given.features.is_none()) {
    shape.features = shape.image.size();
  } else if (is_list(given.features)) {
    features = names_of(given.features, "features");
    shape.features = static_cast<Index>(features.size());
  } else {
    shape.features = whole_number(given.features, "features");
  }
  if (is_list(given.actions)) {
    actions = names_of(given.actions, "actions");
    shape.actions = static_cast<Index>(actions.size());
  } else if (given.actions.is_none()) {
    fail("actions is missing: expected how many there are, or a list of their names");
  } else {
    shape.actions = whole_number(given.actions, "actions");
  }
  if (!given.action_features.is_none()) {
    shape.action_features = whole_number(given.action_features, "action_features");
  }
  if (!shape.fixed_actions && (!actions.empty() || !features.empty())) {
    fail("fixed_actions is False: expected the most actions that there can be, and no names");
  }
  const double pulls = sizeof(std::int64_t) * static_cast<double>(shape.actions);
  if (shape.actions > 0) {
    require_available_memory(pulls, fmt::format("an agent of {} actions", shape.actions),
                             "use fewer actions", pulls);
  }
  auto agent = make_agent(spec_of(given), shape);
  if (features.empty() && actions.empty()) {
    return std::make_unique<SharedAgent>(std::move(agent), seed);
  }
  if (actions.empty()) {
    for (Index a = 0; a < shape.actions; ++a) actions.push_back(std::to_string(a));
  }
  auto encoder = std::make_unique<SchemaEncoder>(features.empty() ? numbered_schema(shape.features)
                                                                  : schema_of(features));
  return std::make_unique<SharedAgent>(
      std::make_unique<NamedAgent>(std::move(agent), std::move(encoder), std::move(actions)), seed);
}

}  // namespace bandolier::python
