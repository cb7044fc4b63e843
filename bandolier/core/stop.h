// A request to stop, for work that takes long: trainings, decompositions, readers of large files.
//
//   const StopScope scope(&flag);   whoever starts the work
//   throw_if_stopped();             the work, every now and then: throws Stopped once flag is true
//
// What Stopped leaves halfway (an agent in its warm-up or in observe) is in no defined state and
// can only be dropped. Without a scope nothing ever stops.
#pragma once

#include <atomic>

namespace bandolier {

// Not an Error: nobody got anything wrong.
struct Stopped {};

// While alive, the work of this thread looks at `stop`; null: at nothing. Scopes may be nested, the
// innermost counts. parallel_for hands it on to its threads.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* stop);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::atomic<bool>* outer_;
};

// The flag of this thread's innermost scope, or null.
const std::atomic<bool>* current_stop();

bool stop_requested();
void throw_if_stopped();  // throws Stopped; costs two loads

}  // namespace bandolier
