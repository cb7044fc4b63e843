// Agent as Python sees it: signatures and what `help` says.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/core/note.h"
#include "python/src/agent.h"
#include "python/src/make_agent.h"
#include "python/src/module.h"

namespace bandolier::python {
namespace {

using std::string;

constexpr const char* kAgentDoc = R"(An agent: it decides, and learns from every reward.

>>> agent = Agent("auto", features=54, actions=7, seed=1)
>>> agent = Agent("linear:lambda=0.5", features=["age", "visits"], actions=["tea", "coffee"])
>>> agent = Agent("linear", features=2, actions=3, lambda_=0.5)
>>> shop = Agent("auto", seed=1)       # contexts and actions by name, actions that change

agent: NAME or NAME:key=value,... (`agents()`, `options(NAME)`); options may be keywords too, those
    that Python keeps to itself with a trailing underscore.
features: how many numbers a context has, or their names. Left out: contexts are dictionaries.
actions: how many there are, or their names.
seed: of all that is random; decision number n draws from stream n of it, whatever is asked between.
action_features: how many numbers are known of every action.
fixed_actions: False, where the actions change from one decision to the next; `actions` is then the
    most that there can be, and each call gives their `action_features` and `action_ids`.
image: (height, width) or (height, width, channels), where the features are one.
slots, action_slots, most_actions: of contexts by name (docs/features-by-name.md).

Any number of threads may use an agent at the same time, and those that decide do not hold up one
that learns. The interpreter's lock is released meanwhile.)";

constexpr const char* kChooseDoc = R"(Decides.

context: (features,), or (n, features) for many; any numbers, float32 in one piece without a copy.
    Pandas and SciPy's sparse rows are taken. By name: a dictionary, a list of them, or a table.
actions: those on offer, where contexts go by name: names, or dictionaries with an id.
available: (actions,) or (n, actions), False where an action may not be taken.
action_features: (actions, action_features), or (n, actions, action_features).
action_ids: (actions,) or (n, actions) whole numbers, where actions change.
probabilities: find the probability of every action first, and draw from them. Left out: yes for
    one context, no for many.
threads: for many contexts. The same decisions, whatever their number.
random: a stream in place of the agent's own.

One context: a Decision. Many: (n,) int64, the places of the actions; with probabilities=True the
tuple (actions, propensities, probabilities).

>>> agent = Agent("linear", features=2, actions=3, seed=1)
>>> decision = agent.choose([0.5, 2.0])
>>> 0 <= decision.action < 3, decision.probabilities.shape
(True, (3,))
>>> agent.choose([[0.5, 2.0], [1.0, 0.0]]).shape
(2,))";

constexpr const char* kObserveDoc = R"(Learns from a reward, or from many.

context, action, reward: of one decision, at any time after it and in any order; or (n, features),
    (n,) and (n,). An action is its place, or its name where actions have names.
ticket: the decision's, or None. It saves time, no more.
actions, available, action_features, action_ids: as they were for choose.

True where it was learnt, False where it was refused since no belief would have stayed finite; for
many how many were learnt. What is wrong by itself is an Error, and nothing is learnt then.

>>> agent = Agent("linear", features=2, actions=3, seed=1)
>>> decision = agent.choose([0.5, 2.0])
>>> agent.observe([0.5, 2.0], decision.action, 1.0, ticket=decision.ticket)
True
>>> agent.observe([[0.5, 2.0], [1.0, 0.0]], [0, 2], [1.0, 0.0])
2)";

constexpr const char* kProbabilitiesDoc = R"(The probabilities of all actions.

Those that the next `choose` with probabilities draws from: (actions,) float64, or (n, actions).
Asking changes nothing. Arguments as for `choose`.

>>> agent = Agent("linear", features=2, actions=3, seed=1)
>>> agent.probabilities([[0.5, 2.0], [1.0, 0.0]]).sum(axis=1)
array([1., 1.]))";

constexpr const char* kScoresDoc = R"(What is believed of the rewards of all actions.

kind: "mean", "sample" (one posterior sample), "deviation" (posterior standard deviations).
(actions,) float32, or (n, actions). Other arguments as for `choose`.

>>> agent = Agent("linear", features=2, actions=3, seed=1)
>>> agent.scores([0.5, 2.0], kind="deviation").shape
(3,))";

constexpr const char* kTopDoc = R"(The k best actions, the best first, for lists of recommendations.

All places go by one posterior sample (or by what the policy compares), and each explores as
`choose` does. (k,) int64, or (n, k); a list of names for one context where actions have names.

>>> agent = Agent("linear", features=2, actions=["a", "b", "c"], seed=1)
>>> sorted(agent.top([0.5, 2.0], k=3))
['a', 'b', 'c'])";

constexpr const char* kWarmUpDoc =
    R"(Begins with rewards that are known already, before anything else is asked.

(n, features), (n,) actions, (n,) rewards. It sets the agent up: what it learns from contexts
alone, the unit of rewards, first weights. Without it the first rewards do so.

>>> agent = Agent("linear", features=2, actions=3, seed=1)
>>> agent.warm_up([[0.5, 2.0], [1.0, 0.0], [0.0, 1.0]], [0, 1, 2], [1.0, 0.0, 0.5]))";

// Types for the stubs: contexts are of many kinds, and so are answers to one and to many.
#define BANDOLIER_ACTIONS "actions: collections.abc.Sequence | None = None, *, "
#define BANDOLIER_OF_ACTIONS                                \
  "available: numpy.typing.ArrayLike | None = None, "       \
  "action_features: numpy.typing.ArrayLike | None = None, " \
  "action_ids: numpy.typing.ArrayLike | None = None"
#define BANDOLIER_OF_CALL ", threads: int = 1, random: Random | None = None"

nb::dict report_of(const PyAgent& agent) {
  const AgentReport report = agent.shared().report();
  nb::dict all;
  const AgentSpec& spec = agent.shared().spec();
  all["agent"] = spec.name;
  nb::dict options;
  for (const auto& [name, value] : spec.options) options[name.c_str()] = value;
  all["options"] = options;
  all["decisions"] = agent.shared().decisions();
  all["rewards"] = agent.shared().rewards();
  all["steps"] = report.steps;
  all["belief_bytes"] = report.belief_bytes;
  all["parameters"] = report.parameters;
  all["subspace_dim"] = report.subspace_dim;
  nb::dict signals;
  for (const auto& [name, value] : report.signals) signals[name.c_str()] = value;
  all["signals"] = signals;
  nb::list notes;
  for (const string& text : to_texts(report.notes)) notes.append(text);
  all["notes"] = notes;
  return all;
}

string say(const PyAgent& agent) {
  const SharedAgent& shared = agent.shared();
  const ProblemShape& shape = shared.shape();
  return fmt::format("<bandolier.Agent {}: {} features, {}{} actions, {} decisions, {} rewards>",
                     shared.spec().name, shape.features, shape.fixed_actions ? "" : "up to ",
                     shape.actions, shared.decisions(), shared.rewards());
}

void set_state(PyAgent& agent, const nb::bytes& state) {
  const string name = "the pickled agent";
  new (&agent) PyAgent(SharedAgent::read(ArchiveReader({state.c_str(), state.size()}, name), name));
}

nb::bytes state_of(const PyAgent& agent) {
  ArchiveWriter out;
  agent.shared().write(out);
  const string bytes = out.finish();
  return nb::bytes(bytes.data(), bytes.size());
}

PyAgent copy_of(const PyAgent& agent) { return PyAgent(agent.shared().clone()); }

}  // namespace

void bind_agent(nb::module_& m) {
  const auto none = nb::none();
  nb::class_<PyAgent> agent(m, "Agent", kAgentDoc);
  agent.def(
      "__init__",
      [](PyAgent* self, const string& name, nb::object features, nb::object actions,
         nb::object seed, nb::object action_features, bool fixed_actions, nb::object image,
         std::optional<std::int64_t> slots, std::optional<std::int64_t> action_slots,
         std::optional<Index> most_actions, nb::kwargs options) {
        new (self)
            PyAgent(make_shared_agent({name, features, actions, seed, image, action_features,
                                       fixed_actions, slots, action_slots, most_actions, options}));
      },
      nb::arg("agent") = "auto", nb::arg("features") = none, nb::arg("actions") = none,
      nb::kw_only(), nb::arg("seed") = 0, nb::arg("action_features") = none,
      nb::arg("fixed_actions") = true, nb::arg("image") = none, nb::arg("slots") = none,
      nb::arg("action_slots") = none, nb::arg("most_actions") = none, nb::arg("options"));
  agent.def("warm_up", &PyAgent::warm_up, nb::arg("contexts"), nb::arg("actions"),
            nb::arg("rewards"), nb::kw_only(), nb::arg("action_features") = none, kWarmUpDoc);
  agent.def(
      "choose",
      [](PyAgent& self, nb::handle context, nb::handle actions, nb::handle available,
         nb::handle action_features, nb::handle action_ids, std::optional<bool> probabilities,
         int threads, nb::handle random) {
        return self.choose(
            {context, actions, available, action_features, action_ids, random, threads},
            probabilities);
      },
      nb::arg("context").none(), nb::arg("actions") = none, nb::kw_only(),
      nb::arg("available") = none, nb::arg("action_features") = none, nb::arg("action_ids") = none,
      nb::arg("probabilities") = none, nb::arg("threads") = 1, nb::arg("random") = none,
      nb::sig("def choose(self, context: typing.Any, " BANDOLIER_ACTIONS BANDOLIER_OF_ACTIONS
              ", probabilities: bool | None = None" BANDOLIER_OF_CALL ") -> typing.Any"),
      kChooseDoc);
  agent.def(
      "probabilities",
      [](PyAgent& self, nb::handle context, nb::handle actions, nb::handle available,
         nb::handle action_features, nb::handle action_ids, int threads, nb::handle random) {
        return self.probabilities(
            {context, actions, available, action_features, action_ids, random, threads});
      },
      nb::arg("context").none(), nb::arg("actions") = none, nb::kw_only(),
      nb::arg("available") = none, nb::arg("action_features") = none, nb::arg("action_ids") = none,
      nb::arg("threads") = 1, nb::arg("random") = none,
      nb::sig("def probabilities(self, context: typing.Any, " BANDOLIER_ACTIONS BANDOLIER_OF_ACTIONS
                  BANDOLIER_OF_CALL ") -> numpy.typing.NDArray[numpy.float64]"),
      kProbabilitiesDoc);
  agent.def(
      "scores",
      [](PyAgent& self, nb::handle context, nb::handle actions, const string& kind,
         nb::handle available, nb::handle action_features, nb::handle action_ids, int threads,
         nb::handle random) {
        return self.scores(
            {context, actions, available, action_features, action_ids, random, threads}, kind);
      },
      nb::arg("context").none(), nb::arg("actions") = none, nb::kw_only(), nb::arg("kind") = "mean",
      nb::arg("available") = none, nb::arg("action_features") = none, nb::arg("action_ids") = none,
      nb::arg("threads") = 1, nb::arg("random") = none,
      nb::sig("def scores(self, context: typing.Any, " BANDOLIER_ACTIONS
              "kind: typing.Literal['mean', 'sample', 'deviation'] = 'mean', " BANDOLIER_OF_ACTIONS
                  BANDOLIER_OF_CALL ") -> numpy.typing.NDArray[numpy.float32]"),
      kScoresDoc);
  agent.def(
      "top",
      [](PyAgent& self, nb::handle context, Index k, nb::handle actions, nb::handle available,
         nb::handle action_features, nb::handle action_ids, int threads, nb::handle random) {
        return self.top({context, actions, available, action_features, action_ids, random, threads},
                        k);
      },
      nb::arg("context").none(), nb::arg("k"), nb::arg("actions") = none, nb::kw_only(),
      nb::arg("available") = none, nb::arg("action_features") = none, nb::arg("action_ids") = none,
      nb::arg("threads") = 1, nb::arg("random") = none,
      nb::sig("def top(self, context: typing.Any, k: int, " BANDOLIER_ACTIONS BANDOLIER_OF_ACTIONS
                  BANDOLIER_OF_CALL ") -> numpy.typing.NDArray[numpy.int64] | list"),
      kTopDoc);
  agent.def(
      "observe",
      [](PyAgent& self, nb::handle context, nb::handle action, nb::handle reward,
         nb::handle actions, nb::handle ticket, nb::handle available, nb::handle action_features,
         nb::handle action_ids) {
        return self.observe(
            {context, actions, available, action_features, action_ids, nb::none(), 1}, action,
            reward, ticket);
      },
      nb::arg("context").none(), nb::arg("action").none(), nb::arg("reward").none(),
      nb::arg("actions") = none, nb::kw_only(), nb::arg("ticket") = none,
      nb::arg("available") = none, nb::arg("action_features") = none, nb::arg("action_ids") = none,
      nb::sig("def observe(self, context: typing.Any, action: typing.Any, reward: typing.Any, "
              "actions: collections.abc.Sequence | None = None, *, ticket: int | None = "
              "None, " BANDOLIER_OF_ACTIONS ") -> bool | int"),
      kObserveDoc);
  agent.def("report", &report_of,
            "What it says of itself: options, counts, bytes that learning writes, notes, signals.");
  agent.def("copy", &copy_of, "One that goes on from here by itself.");
  agent.def("__copy__", &copy_of);
  agent.def(
      "__deepcopy__", [](const PyAgent& self, nb::handle) { return copy_of(self); },
      nb::arg("memo"));
  agent.def(
      "save",
      [](const PyAgent& self, const std::filesystem::path& path) {
        const nb::gil_scoped_release release;
        ArchiveWriter out;
        self.shared().write(out);
        write_archive(path, out);
      },
      nb::arg("path"), "Writes the whole agent, for `load` and for the command line.");
  agent.def("__getstate__", &state_of);
  agent.def("__setstate__", &set_state);
  agent.def("__repr__", &say);
  agent.def_prop_ro(
      "name", [](const PyAgent& self) { return self.shared().spec().name; },
      "Its method: \"auto\".");
  agent.def_prop_ro(
      "features", [](const PyAgent& self) { return self.shared().shape().features; },
      "How many numbers a context has.");
  agent.def_prop_ro(
      "actions",
      [](const PyAgent& self) -> nb::object {
        if (!self.action_names().is_none()) return self.action_names();
        return nb::int_(self.shared().shape().actions);
      },
      nb::sig("def actions(self) -> int | tuple[str, ...]"),
      "How many actions there are (at most), or their names.");
  agent.def_prop_ro(
      "seed", [](const PyAgent& self) { return self.shared().seed(); }, "Of all that is random.");
  m.def(
      "load",
      [](const std::filesystem::path& path, nb::object seed) {
        const std::uint64_t number = seed_of(seed);
        std::unique_ptr<SharedAgent> loaded;
        {
          const nb::gil_scoped_release release;
          loaded = SharedAgent::read(read_archive(path), path.string(), number);
        }
        return PyAgent(std::move(loaded));
      },
      nb::arg("path"), nb::kw_only(), nb::arg("seed") = 0,
      "The agent that `save`, or the command line, has written. It goes on as if nothing had\n"
      "happened; seed: for files without a stream of their own.");
}

}  // namespace bandolier::python
