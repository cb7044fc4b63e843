// bd.agents(), bd.options(...), bd.environments(): the registries as dictionaries.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <vector>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/lab/env/registry.h"
#include "python/src/module.h"

namespace bandolier::python {
namespace {

nb::dict options_of(const std::vector<OptionDoc>& docs) {
  nb::dict options;
  for (const OptionDoc& doc : docs) {
    nb::dict one;
    one["default"] = doc.value;
    one["expected"] = doc.expected;
    one["help"] = doc.help;
    options[doc.name.c_str()] = one;
  }
  return options;
}

nb::dict agents_by_name() {
  nb::dict all;
  for (const AgentEntry& entry : agents()) all[entry.name.c_str()] = entry.summary;
  return all;
}

nb::dict environments_by_name() {
  nb::dict all;
  for (const EnvironmentEntry& entry : environments()) all[entry.name.c_str()] = entry.summary;
  return all;
}

nb::dict options(const std::optional<std::string>& agent,
                 const std::optional<std::string>& environment) {
  if (agent.has_value() == environment.has_value()) {
    fail("options: expected the name of an agent, or environment=NAME");
  }
  return options_of(agent ? find_agent(*agent).options()
                          : find_environment(*environment).options());
}

}  // namespace

void bind_registries(nb::module_& m) {
  m.def("agents", &agents_by_name, "Every agent by name, with a line about it.");
  m.def("environments", &environments_by_name, "Every environment by name, with a line about it.");
  m.def("options", &options, nb::arg("agent") = nb::none(), nb::kw_only(),
        nb::arg("environment") = nb::none(),
        "The options of an agent, or of an environment, by name: a dictionary of\n"
        "'default', 'expected' and 'help' for each. All are texts, as they would be typed.");
}

}  // namespace bandolier::python
