// Random: a stream of one's own.
#include "bandolier/core/random.h"

#include <nanobind/stl/string.h>

#include <string>

#include "bandolier/core/error.h"
#include "python/src/module.h"

namespace bandolier::python {
std::uint64_t seed_of(nb::handle number) {
  const std::uint64_t seed = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    fail("seed is {}: expected a whole number from 0 to 2**64 - 1", nb::repr(number).c_str());
  }
  return seed;
}

namespace {

std::string say(const Random& random) { return fmt::format("Random(seed={})", random.key().seed); }

}  // namespace

void bind_random(nb::module_& m) {
  nb::class_<Random>(m, "Random",
                     "A stream of random numbers of one's own, for `random=`. The same seed gives\n"
                     "the same numbers on every machine; each call draws on.")
      .def(
          "__init__",
          [](Random* random, nb::handle seed) {
            new (random) Random({.seed = seed_of(seed), .purpose = Purpose::kChoose});
          },
          nb::arg("seed"))
      .def("fork", &Random::fork, nb::arg("index"),
           "A stream independent of this one, the same for the same seed and index.")
      .def("uniform", &Random::uniform, "A number from [0, 1).")
      .def("__repr__", &say);
}

}  // namespace bandolier::python
