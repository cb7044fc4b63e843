// The extension bandolier._core. Each part of it is registered by one function of one file.
#include "python/src/module.h"

NB_MODULE(_core, m) {
  using namespace bandolier::python;
  // An interpreter that ends with agents alive, a notebook's, leaks nothing that matters.
  nanobind::set_leak_warnings(false);
  m.attr("__version__") = BANDOLIER_VERSION;
  bind_errors(m);
  bind_registries(m);
  bind_random(m);
  bind_decision(m);
  bind_agent(m);
  bind_environment(m);
  bind_experiment(m);
  bind_results(m);
}
