// Decision.
#include "python/src/decision.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "python/src/module.h"

namespace bandolier::python {
namespace {

using State = std::tuple<nb::object, Index, std::optional<double>, std::vector<double>,
                         std::vector<float>, bool>;

// A view of the decision's own memory.
template <class T>
nb::object view(nb::handle decision, const std::vector<T>& values) {
  if (values.empty()) return nb::none();
  return nb::cast(nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, decision));
}

nb::object ticket(const PyDecision& decision) {
  return decision.made.ticket == 0 ? nb::object(nb::none()) : nb::int_(decision.made.ticket);
}

std::string say(const PyDecision& decision) {
  const auto& q = decision.made.propensity;
  return fmt::format("Decision(action={}, propensity={})", nb::repr(decision.action).c_str(),
                     q ? fmt::format("{:.4g}", *q) : "None");
}

State state(const PyDecision& d) {
  return {d.action,      d.made.action,      d.made.propensity, d.made.probabilities,
          d.made.scores, d.made.full_support};
}

void set_state(PyDecision& decision, const State& state) {
  new (&decision) PyDecision{};
  auto& made = decision.made;
  std::tie(decision.action, made.action, made.propensity, made.probabilities, made.scores,
           made.full_support) = state;
}

}  // namespace

void bind_decision(nb::module_& m) {
  nb::class_<PyDecision>(m, "Decision", "What `choose` answers for one context.")
      .def_prop_ro(
          "action", [](const PyDecision& d) { return d.action; },
          "The action taken: its name where actions have names, else its place, from 0.")
      .def_prop_ro(
          "index", [](const PyDecision& d) { return d.made.action; },
          "Its place among the actions (of those offered, where they change).")
      .def_prop_ro(
          "propensity", [](const PyDecision& d) { return d.made.propensity; },
          "The probability that it had. None without probabilities, where the policy has no\n"
          "closed form.")
      .def_prop_ro(
          "probabilities",
          [](nb::handle d) { return view(d, nb::cast<PyDecision&>(d).made.probabilities); },
          nb::sig("def probabilities(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "(actions,) float64: of all actions, the action was drawn from them. None where they\n"
          "were not asked for.")
      .def_prop_ro(
          "scores", [](nb::handle d) { return view(d, nb::cast<PyDecision&>(d).made.scores); },
          nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float32]"),
          "(actions,) float32: what the policy compared, in the unit of rewards.")
      .def_prop_ro(
          "full_support", [](const PyDecision& d) { return d.made.full_support; },
          "Whether a probability of 0 means never. False: shares of posterior samples.")
      .def_prop_ro("ticket", &ticket, nb::sig("def ticket(self) -> int | None"),
                   "For `observe`, which then reuses the decision's work. Never needed; of this\n"
                   "process alone.")
      .def("__getstate__", &state)
      .def("__setstate__", &set_state)
      .def("__repr__", &say);
}

}  // namespace bandolier::python
