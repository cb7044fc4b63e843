// What every file of the extension begins with, and the functions that register its parts.
#pragma once

#include <nanobind/nanobind.h>

namespace bandolier::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);
void bind_registries(nb::module_& m);
void bind_random(nb::module_& m);
void bind_environment(nb::module_& m);
void bind_experiment(nb::module_& m);
void bind_results(nb::module_& m);

}  // namespace bandolier::python
