// What Python sees of one decision.
#pragma once

#include <nanobind/nanobind.h>

#include "bandolier/agent/shared_agent.h"

namespace bandolier::python {

struct PyDecision {
  SharedDecision made;
  nanobind::object action;  // its name, or its place
};

}  // namespace bandolier::python
