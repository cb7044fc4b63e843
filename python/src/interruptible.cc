#include "python/src/interruptible.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "bandolier/core/stop.h"
#include "python/src/module.h"

namespace bandolier::python {
namespace {

// What is to be thrown once the work has ended: of Python first.
struct Raised {
  std::optional<nb::python_error> python;
  std::exception_ptr work;
};

// Looks for signals and calls `tick`; whether the work is to go on.
bool go_on(const std::function<void()>& tick, Raised& raised) {
  if (PyErr_CheckSignals() != 0) {
    raised.python.emplace();
    return false;
  }
  if (!tick) return true;
  try {
    tick();
  } catch (nb::python_error& error) {
    raised.python.emplace(std::move(error));
    return false;
  }
  return true;
}

}  // namespace

void run_interruptibly(const std::function<void()>& work, const std::function<void()>& tick) {
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  Raised raised;
  std::thread thread([&] {
    std::exception_ptr error;
    try {
      const StopScope scope(&stop);
      work();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    raised.work = error;
    done = true;
    ended.notify_one();
  });
  const auto wait = [&](std::chrono::milliseconds time) {
    const nb::gil_scoped_release release;
    std::unique_lock lock(mutex);
    return ended.wait_for(lock, time, [&] { return done; });
  };
  while (!wait(std::chrono::milliseconds(100))) {
    if (!stop && !go_on(tick, raised)) stop = true;
  }
  {
    const nb::gil_scoped_release release;
    thread.join();
  }
  if (raised.python) throw std::move(*raised.python);
  if (raised.work) std::rethrow_exception(raised.work);
}

}  // namespace bandolier::python
