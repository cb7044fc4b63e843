// bandolier.Error, a ValueError with the library's sentence.
#include <exception>

#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"
#include "python/src/module.h"

namespace bandolier::python {

void bind_errors(nb::module_& m) {
  nb::exception<Error>(m, "Error", PyExc_ValueError).attr("__doc__") =
      "What was found, what was expected and what to do, in one line. A ValueError.";
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const Stopped&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace bandolier::python
