// An environment written in Python. Every call takes the interpreter's lock, and lets go of it.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bandolier/core/error.h"
#include "python/src/environment.h"

namespace bandolier::python {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// An object that may be let go of on any thread.
class Held {
 public:
  explicit Held(nb::object object) : object_(std::move(object)) {}
  ~Held() {
    const nb::gil_scoped_acquire lock;
    object_.reset();
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  // Needs the lock.
  const nb::object& get() const { return object_; }

 private:
  nb::object object_;
};

// Makes this thread known to the interpreter until it ends: taking the lock then costs no more than
// the lock.
class KnownThread {
 public:
  KnownThread() : state_(PyGILState_Ensure()), thread_(PyEval_SaveThread()) {}
  ~KnownThread() {
    PyEval_RestoreThread(thread_);
    PyGILState_Release(state_);
  }
  KnownThread(const KnownThread&) = delete;
  KnownThread& operator=(const KnownThread&) = delete;

 private:
  PyGILState_STATE state_;
  PyThreadState* thread_;
};

// Of a thread of the interpreter's own there is nothing to keep, and nothing to let go of when the
// interpreter is gone.
void know_this_thread() {
  if (PyGILState_GetThisThreadState() != nullptr) return;
  static thread_local const KnownThread known;
}

// Calls `work` with the lock, which this thread does not have; what Python raises becomes an Error
// that says where.
template <class Work>
auto with_lock(const std::string& where, const Work& work) {
  know_this_thread();
  const nb::gil_scoped_acquire lock;
  try {
    return work();
  } catch (nb::python_error& raised) {
    const std::string type = nb::cast<std::string>(raised.type().attr("__name__"));
    const std::string text = nb::str(raised.value()).c_str();
    fail("environment '{}': {}{}", where, type == "Error" ? "" : type + ": ", text);
  }
}

template <class T>
void copy_into(nb::handle from, std::vector<T>& to) {
  const auto array = nb::cast<Array<T>>(from);
  to.assign(array.data(), array.data() + array.size());
}

class PythonTrial final : public Trial {
 public:
  PythonTrial(std::string name, const ProblemShape& shape, nb::object object, Index steps)
      : name_(std::move(name)), shape_(shape), object_(std::move(object)), steps_(steps) {}

  Index steps() const override { return steps_; }

  Context context(Index t, ContextBuffer& buffer) const override {
    with_lock(name_, [&] {
      const auto parts = nb::cast<nb::tuple>(object_.get().attr("context")(t));
      copy_into<float>(parts[0], buffer.values);
      copy_into<float>(parts[1], buffer.action_features);
      copy_into<std::uint8_t>(parts[2], buffer.available);
    });
    return {Features::dense(buffer.values),
            shape_.actions,
            buffer.action_features,
            {},
            buffer.available};
  }

  float reward(Index t, Index action) const override {
    return with_lock(name_,
                     [&] { return nb::cast<float>(object_.get().attr("reward")(t, action)); });
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    with_lock(name_, [&] {
      const auto expected = nb::cast<Array<float>>(object_.get().attr("expected_rewards")(t));
      std::copy_n(expected.data(), out.size(), out.begin());
    });
  }

 private:
  std::string name_;
  ProblemShape shape_;
  Held object_;
  Index steps_;
};

class PythonEnvironment final : public Environment {
 public:
  PythonEnvironment(std::string name, nb::object adapter)
      : name_(std::move(name)),
        shape_({.features = nb::cast<Index>(adapter.attr("features")),
                .actions = nb::cast<Index>(adapter.attr("actions")),
                .action_features = nb::cast<Index>(adapter.attr("action_features"))}),
        steps_(nb::cast<std::optional<Index>>(adapter.attr("steps"))),
        adapter_(std::move(adapter)) {
    check(shape_);
  }

  ProblemShape shape() const override { return shape_; }
  Index default_steps() const override { return steps_.value_or(5000); }
  std::optional<Index> max_steps() const override { return steps_; }

  std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t trial,
                               Index steps) const override {
    return with_lock(name_, [&] {
      return std::make_unique<PythonTrial>(name_, shape_, adapter_.get().attr("trial")(seed, trial),
                                           steps);
    });
  }

  std::vector<std::string> action_names() const override {
    return with_lock(name_, [&] {
      std::vector<std::string> names;
      for (const auto name : nb::cast<nb::list>(adapter_.get().attr("action_names"))) {
        names.push_back(nb::cast<std::string>(name));
      }
      return names;
    });
  }

 private:
  std::string name_;
  ProblemShape shape_;
  std::optional<Index> steps_;
  Held adapter_;
};

}  // namespace

std::shared_ptr<const Environment> make_python_environment(const std::string& name,
                                                           nb::object adapter) {
  return std::make_shared<PythonEnvironment>(name, std::move(adapter));
}

}  // namespace bandolier::python
