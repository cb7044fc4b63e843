#include "python/src/agent.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/error.h"
#include "bandolier/core/words.h"
#include "bandolier/model/schema_encoder.h"

namespace bandolier::python {
namespace {

nb::module_ inputs() { return nb::module_::import_("bandolier._inputs"); }

// A stream of its own for one call, drawn from the user's under the interpreter's lock.
std::optional<Random> own_stream(nb::handle random) {
  if (random.is_none()) return std::nullopt;
  Random* given = nullptr;
  if (!nb::try_cast(random, given)) {
    fail("random is {}: expected a bandolier.Random", nb::repr(random).c_str());
  }
  return Random({.seed = given->bits64(), .purpose = Purpose::kChoose});
}

const Random* pointer(const std::optional<Random>& random) { return random ? &*random : nullptr; }

int check_threads(int threads) {
  if (threads < 1 || threads > 1024) fail("threads is {}: expected 1 to 1024", threads);
  return threads;
}

float reward_of(nb::handle reward) {
  const double number = PyUnicode_Check(reward.ptr()) ? -1 : PyFloat_AsDouble(reward.ptr());
  if (PyUnicode_Check(reward.ptr()) || PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    fail("reward is {}: expected a number", nb::repr(reward).c_str());
  }
  return static_cast<float>(number);
}

std::vector<float> rewards_of(nb::handle rewards, Index rows) {
  const Array array(rewards, "rewards");
  if (array.dimensions() != 1 || array.size(0) != rows) {
    fail("rewards have the shape {}: expected ({},), one per context", array.shape_text(), rows);
  }
  return array.floats();
}

// Columns that are features as they are: an array is as good as names.
bool is_plain(const FeatureEncoder& encoder) {
  const auto* schema = dynamic_cast<const SchemaEncoder*>(&encoder);
  return schema != nullptr &&
         std::all_of(schema->schema().columns.begin(), schema->schema().columns.end(),
                     [](const FeatureColumn& column) {
                       return !column.categorical() && !column.date && !column.origin &&
                              column.mean.empty();
                     });
}

template <class T>
nb::object as_answer(Matrix<T> values, bool one) {
  return one ? new_row(values) : new_matrix(std::move(values));
}

}  // namespace

PyAgent::PyAgent(std::unique_ptr<SharedAgent> agent)
    : agent_(std::move(agent)), names_(nb::none()), places_(nb::dict()) {
  const NamedAgent* named = agent_->named();
  by_name_ = named != nullptr;
  arrays_ = !by_name_ || (named->action_encoder() == nullptr && is_plain(named->context_encoder()));
  if (!by_name_ || named->actions().empty()) return;
  nb::list names;
  for (const std::string& name : named->actions()) {
    const nb::str text(name.c_str(), name.size());
    places_[text] = nb::len(names);
    names.append(text);
  }
  names_ = nb::tuple(names);
}

bool PyAgent::is_named(nb::handle context) const {
  if (!by_name_ && !PyDict_Check(context.ptr())) return false;
  const bool named =
      PyDict_Check(context.ptr()) ||
      (PyList_Check(context.ptr()) &&
       (!arrays_ || (nb::len(context) > 0 && PyDict_Check(nb::object(context[0]).ptr())))) ||
      (PyObject_CheckBuffer(context.ptr()) == 0 &&
       nb::cast<bool>(inputs().attr("is_table")(context)));
  if (named && !by_name_) {
    fail(
        "context is a dictionary: this agent takes arrays of {} features. For contexts by name "
        "leave `features` out, or name them",
        agent_->shape().features);
  }
  if (!named && !arrays_) {
    fail("context is {}: this agent takes contexts by name, as a dictionary",
         nb::repr(context.type()).c_str());
  }
  return named;
}

// The contexts of a call, and what was offered with them.
struct PyAgent::Rows {
  Rows(const PyAgent& agent, const CallArguments& call, bool needs_actions = true) {
    if (!agent.is_named(call.context)) {
      if (!call.actions.is_none()) {
        fail("actions is given: for contexts of numbers say what may be taken by `available`");
      }
      arrays.emplace(
          ContextArguments{call.context, call.available, call.action_features, call.action_ids},
          agent.agent_->shape());
      one = arrays->one();
      width = arrays->actions();
      return;
    }
    read_offered(agent, call, needs_actions);
    one = PyDict_Check(call.context.ptr());
    const bool table = !one && !PyList_Check(call.context.ptr());
    const nb::object context =
        table ? inputs().attr("records")(call.context) : nb::borrow(call.context);
    named.emplace(context, *agent.agent_->named(), offered);
    width = fixed ? agent.agent_->shape().actions : static_cast<Index>(offered.actions.size());
  }

  const ContextRows& all() const {
    return arrays ? static_cast<const ContextRows&>(*arrays) : *named;
  }
  Index size() const { return all().size(); }

  Offered offered;
  std::optional<ArrayRows> arrays;
  std::optional<NamedRows> named;
  bool one = true, fixed = true;
  Index width = 0;  // actions of a context

 private:
  void read_offered(const PyAgent& agent, const CallArguments& call, bool needs_actions) {
    fixed = !agent.names_.is_none();
    if (!call.action_features.is_none() || !call.action_ids.is_none()) {
      fail("{} is given: of contexts by name, actions say all in `actions`",
           call.action_features.is_none() ? "action_ids" : "action_features");
    }
    if (!call.available.is_none()) {
      fail("available is given: for contexts by name list what may be taken in `actions`");
    }
    if (!call.actions.is_none()) {
      offered.read(call.actions, fixed);
      if (offered.actions.empty()) fail("actions is empty: expected at least one");
    } else if (!fixed && needs_actions) {
      fail("actions is missing: this agent's actions change, expected those on offer");
    }
  }
};

Index PyAgent::place_of(nb::handle action) const {
  if (PyUnicode_Check(action.ptr()) && !names_.is_none()) {
    const nb::object place = places_.attr("get")(action);
    if (!place.is_none()) return nb::cast<Index>(place);
    fail("action is {}: expected one of {}", nb::repr(action).c_str(), nb::repr(names_).c_str());
  }
  const Index most = agent_->shape().actions - 1;
  const bool whole = PyIndex_Check(action.ptr());
  const Index place = whole ? PyNumber_AsSsize_t(action.ptr(), nullptr) : -1;
  if (PyErr_Occurred() != nullptr) PyErr_Clear();
  if (place < 0 || place > most) {
    fail("action is {}: expected a whole number from 0 to {}", nb::repr(action).c_str(), most);
  }
  return place;
}

std::vector<Index> PyAgent::places_of(nb::handle actions, const Rows& rows) const {
  nb::object given = nb::borrow(actions);
  if (!names_.is_none()) {
    given = inputs().attr("names_to_places")(given, places_, "actions");
  }
  const Array array(given, "actions");
  if (array.dimensions() != 1 || array.size(0) != rows.size()) {
    fail("actions has the shape {}: expected ({},), one per context", array.shape_text(),
         rows.size());
  }
  if (!array.integral()) fail("actions has fractions: expected whole numbers");
  return array.integers();
}

nb::object PyAgent::name_at(Index place, const Rows& rows) const {
  if (!rows.fixed) return rows.offered.ids[static_cast<std::size_t>(place)];
  if (names_.is_none()) return nb::int_(place);
  return names_[static_cast<std::size_t>(place)];
}

void PyAgent::warm_up(nb::handle contexts, nb::handle actions, nb::handle rewards,
                      nb::handle action_features) {
  const nb::object none = nb::none();
  const Rows rows(*this, {contexts, none, none, action_features, none, none}, false);
  if (!arrays_) {
    fail(
        "warm_up is for contexts of numbers: this agent goes by names, let it observe these "
        "rewards instead");
  }
  if (rows.one) fail("context is a single one: expected (n, {})", agent_->shape().features);
  const std::vector<Index> places = places_of(actions, rows);
  const std::vector<float> earned = rewards_of(rewards, rows.size());
  const nb::gil_scoped_release release;
  agent_->warm_up(rows.all(), places, earned);
}

nb::object PyAgent::choose(const CallArguments& call, std::optional<bool> probabilities) {
  const auto own = own_stream(call.random);
  const Rows rows(*this, call);
  if (rows.one) {
    PyDecision answer;
    const Answer wanted =
        probabilities.value_or(true) ? Answer::kWithProbabilities : Answer::kAction;
    {
      const nb::gil_scoped_release release;
      thread_local RowMemory memory;
      if (rows.named) {
        agent_->choose((*rows.named)[0], rows.offered.actions, wanted, pointer(own), answer.made);
      } else {
        agent_->choose(rows.arrays->rows(0, 1, memory)[0], wanted, pointer(own), answer.made);
      }
    }
    answer.action = name_at(answer.made.action, rows);
    return nb::cast(std::move(answer));
  }
  const int threads = check_threads(call.threads);
  const bool asked = probabilities.value_or(false);
  std::vector<Index> actions(static_cast<std::size_t>(rows.size()));
  Matrix<double> q(asked ? rows.size() : 0, rows.width);
  {
    const nb::gil_scoped_release release;
    if (asked) {
      agent_->choose(rows.all(), threads, pointer(own), actions, q);
    } else {
      agent_->choose(rows.all(), threads, pointer(own), actions);
    }
  }
  if (!asked) return new_vector(std::move(actions));
  return inputs().attr("decisions")(new_vector(std::move(actions)), new_matrix(std::move(q)));
}

nb::object PyAgent::probabilities(const CallArguments& call) {
  const auto own = own_stream(call.random);
  const Rows rows(*this, call);
  const int threads = check_threads(call.threads);
  Matrix<double> q(rows.size(), rows.width);
  {
    const nb::gil_scoped_release release;
    agent_->probabilities(rows.all(), threads, pointer(own), q);
  }
  return as_answer(std::move(q), rows.one);
}

nb::object PyAgent::scores(const CallArguments& call, const std::string& kind) {
  const auto word = parse_word<ScoreKind>("kind", kind);
  const auto own = own_stream(call.random);
  const Rows rows(*this, call);
  const int threads = check_threads(call.threads);
  Matrix<float> scores(rows.size(), rows.width);
  {
    const nb::gil_scoped_release release;
    agent_->scores(word, rows.all(), threads, pointer(own), scores);
  }
  return as_answer(std::move(scores), rows.one);
}

nb::object PyAgent::top(const CallArguments& call, Index k) {
  const auto own = own_stream(call.random);
  const Rows rows(*this, call);
  const int threads = check_threads(call.threads);
  if (k < 1 || k > rows.width) fail("k is {}: expected 1 to {}", k, rows.width);
  Matrix<Index> best(rows.size(), k);
  {
    const nb::gil_scoped_release release;
    agent_->top(rows.all(), threads, pointer(own), best);
  }
  if (!rows.one || (rows.fixed && names_.is_none())) {
    return as_answer(Matrix<std::int64_t>(best), rows.one);
  }
  nb::list names;
  for (Index i = 0; i < k; ++i) names.append(name_at(best(0, i), rows));
  return names;
}

nb::object PyAgent::observe(const CallArguments& call, nb::handle action, nb::handle reward,
                            nb::handle ticket) {
  std::uint64_t shown = 0;
  if (!ticket.is_none() && (!nb::try_cast(ticket, shown) || shown == 0)) {
    fail("ticket is {}: expected that of a decision, or none", nb::repr(ticket).c_str());
  }
  const Rows rows(*this, call);
  if (rows.named) return observe_named(rows, action, reward, shown);
  if (rows.one) {
    const Index place = place_of(action);
    const float earned = reward_of(reward);
    bool learnt = false;
    {
      const nb::gil_scoped_release release;
      thread_local RowMemory memory;
      learnt = agent_->observe(rows.arrays->rows(0, 1, memory)[0], place, earned, shown);
    }
    return nb::bool_(learnt);
  }
  if (shown != 0) fail("ticket is given with many contexts: expected it with one");
  const std::vector<Index> places = places_of(action, rows);
  const std::vector<float> earned = rewards_of(reward, rows.size());
  Index learnt = 0;
  {
    const nb::gil_scoped_release release;
    learnt = agent_->observe(rows.all(), places, earned);
  }
  return nb::int_(learnt);
}

nb::object PyAgent::observe_named(const Rows& rows, nb::handle action, nb::handle reward,
                                  std::uint64_t ticket) {
  const NamedAgent& named = *agent_->named();
  if (rows.one) {
    const std::string name = rows.fixed
                                 ? named.actions()[static_cast<std::size_t>(place_of(action))]
                                 : nb::str(action).c_str();
    const float earned = reward_of(reward);
    bool learnt = false;
    {
      const nb::gil_scoped_release release;
      learnt = agent_->observe((*rows.named)[0], rows.offered.actions, name, earned, ticket);
    }
    return nb::bool_(learnt);
  }
  if (ticket != 0) fail("ticket is given with many contexts: expected it with one");
  const std::vector<float> earned = rewards_of(reward, rows.size());
  const std::vector<Index> places = places_of(action, rows);
  Index learnt = 0;
  {
    const nb::gil_scoped_release release;
    agent_->check(rows.all(), places, earned);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      learnt += agent_->observe(
          (*rows.named)[static_cast<Index>(i)], rows.offered.actions,
          rows.fixed ? named.actions()[place] : rows.offered.actions[place].name, earned[i]);
    }
  }
  return nb::int_(learnt);
}

}  // namespace bandolier::python
