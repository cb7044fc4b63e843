// Environments as Python holds them: by their name, from arrays, or objects of the user's own.
#pragma once

#include <memory>
#include <string>

#include "bandolier/lab/env/environment.h"
#include "python/src/module.h"

namespace bandolier::python {

struct SharedEnvironment {
  std::shared_ptr<const Environment> environment;
};

// An environment that asks a Python object, on threads that do not have the interpreter's lock:
// what _environment.Adapter is, which has checked and shaped all that it gives.
std::shared_ptr<const Environment> make_python_environment(const std::string& name,
                                                           nb::object adapter);

}  // namespace bandolier::python
