// What every file of the extension begins with, and the functions that register its parts.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

namespace bandolier::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);
void bind_registries(nb::module_& m);
void bind_random(nb::module_& m);
void bind_decision(nb::module_& m);
void bind_agent(nb::module_& m);
void bind_environment(nb::module_& m);
void bind_experiment(nb::module_& m);
void bind_results(nb::module_& m);

// Throws Error unless it is a whole number from 0 to 2⁶⁴ − 1.
std::uint64_t seed_of(nb::handle number);

}  // namespace bandolier::python
