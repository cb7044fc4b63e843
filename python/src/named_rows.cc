#include <string_view>

#include "bandolier/core/error.h"
#include "python/src/rows.h"

namespace bandolier::python {
namespace {

std::string_view text_of(nb::handle text, std::string_view name) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {  // a lone surrogate
    PyErr_Clear();
    fail("a text of '{}' has no UTF-8: expected characters", name);
  }
  return {bytes, static_cast<std::size_t>(size)};
}

// An int, a float, a NumPy number.
bool read_number(nb::handle object, double& out) {
  if (PyUnicode_Check(object.ptr())) return false;
  out = PyFloat_AsDouble(object.ptr());
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}

bool is_truth(nb::handle object) {
  if (PyBool_Check(object.ptr())) return true;
  if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr())) return false;
  return nb::isinstance(object, nb::module_::import_("numpy").attr("bool_"));
}

[[noreturn]] void refuse(nb::handle object, std::string_view name) {
  fail("'{}' is {}: expected a number, a text, truth, a list of numbers or texts, or a dictionary",
       name, nb::str(nb::repr(object)).c_str());
}

void read_list(nb::handle list, std::string_view name, NamedValues& out) {
  std::vector<double> numbers;
  std::size_t words = 0, dictionaries = 0, all = 0;
  for (nb::handle item : list) {
    double number = 0;
    ++all;
    if (PyUnicode_Check(item.ptr())) {
      out.word(name, text_of(item, name));
      ++words;
    } else if (PyDict_Check(item.ptr())) {
      out.enter(name);
      read_values(item, out);
      out.leave();
      ++dictionaries;
    } else if (!is_truth(item) && read_number(item, number)) {
      numbers.push_back(number);
    } else {
      refuse(item, name);
    }
  }
  if ((words > 0) + (dictionaries > 0) + !numbers.empty() > 1) {
    fail("the list '{}' holds values of several kinds: expected numbers, texts or dictionaries",
         name);
  }
  if (!numbers.empty()) out.numbers(name, numbers);
}

bool is_list(nb::handle object) {
  return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()) ||
         (PyObject_CheckBuffer(object.ptr()) && nb::hasattr(object, "ndim") &&
          nb::cast<int>(object.attr("ndim")) == 1);
}

}  // namespace

void read_values(nb::handle dictionary, NamedValues& out) {
  if (!PyDict_Check(dictionary.ptr())) {
    fail("found {}: expected a dictionary", nb::str(nb::repr(dictionary)).c_str());
  }
  // A list of its own: what is asked of a value may be code that changes the dictionary.
  for (const nb::handle item : nb::borrow<nb::dict>(dictionary).items()) {
    const nb::object key = item[0], value = item[1];
    if (!PyUnicode_Check(key.ptr())) {
      fail("the name {} is no text: expected texts as names", nb::str(nb::repr(key)).c_str());
    }
    const std::string_view name = text_of(key, "a name");
    double number = 0;
    if (value.is_none()) continue;
    if (PyUnicode_Check(value.ptr())) {
      out.word(name, text_of(value, name));
    } else if (is_truth(value)) {
      out.boolean(name, PyObject_IsTrue(value.ptr()) == 1);
    } else if (PyDict_Check(value.ptr())) {
      out.enter(name);  // which limits the depth
      read_values(value, out);
      out.leave();
    } else if (is_list(value)) {
      read_list(value, name, out);
    } else if (read_number(value, number)) {
      out.number(name, number);
    } else {
      refuse(value, name);
    }
  }
}

void Offered::read(nb::handle list, bool fixed) {
  if (!PyList_Check(list.ptr()) && !PyTuple_Check(list.ptr())) {
    fail("actions is {}: expected a list of names{}", nb::str(nb::repr(list)).c_str(),
         fixed ? "" : ", or of dictionaries with an id");
  }
  const nb::tuple items(
      nb::borrow(list));  // of its own: what is asked of an item may change the list
  const std::size_t count = items.size();
  nb::list given;
  names.reserve(count);  // views must last
  values.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const nb::object item = items[i];
    nb::object id = item;
    bool has_values = false;
    if (PyDict_Check(item.ptr()) && !fixed) {
      nb::dict rest = nb::borrow<nb::dict>(item.attr("copy")());
      if (!rest.contains("id")) fail("actions[{}] has no id: expected {{\"id\": ...}}", i);
      id = rest["id"];
      nb::del(rest["id"]);
      has_values = rest.size() > 0;
      values[i].clear();
      if (has_values) read_values(rest, values[i]);
    }
    const bool number = PyLong_Check(id.ptr()) || PyIndex_Check(id.ptr());
    if (!PyUnicode_Check(id.ptr()) && (fixed || !number)) {
      fail("actions[{}] is {}: expected a name", i, nb::str(nb::repr(id)).c_str());
    }
    const nb::str text(id);
    names.emplace_back(text_of(text, "actions"));
    given.append(id);
    actions.push_back({names.back(), has_values ? &values[i] : nullptr});
  }
  ids = nb::tuple(given);
}

NamedRows::NamedRows(nb::handle context, const NamedAgent& agent, const Offered& offered)
    : agent_(agent), offered_(offered) {
  if (PyDict_Check(context.ptr())) {
    read_values(context, values_.emplace_back());
    return;
  }
  for (const nb::handle row : context) {
    const std::size_t i = values_.size();
    try {
      read_values(row, values_.emplace_back());
    } catch (const Error& error) {
      fail("context[{}]: {}", i, error.what());
    }
  }
}

std::span<const Context> NamedRows::rows(Index first, Index count, RowMemory& memory) const {
  NamedScratch scratch;
  memory.held.resize(static_cast<std::size_t>(count));
  memory.contexts.clear();
  for (Index i = 0; i < count; ++i) {
    ContextBuffer& buffer = memory.held[static_cast<std::size_t>(i)];
    memory.contexts.push_back(
        buffer.hold(agent_.encode((*this)[first + i], offered_.actions, scratch)));
  }
  return memory.contexts;
}

}  // namespace bandolier::python
