// Long work beside the interpreter: its lock is released, and Ctrl-C ends the work.
#pragma once

#include <functional>

namespace bandolier::python {

// Runs `work` on a thread of its own, under a StopScope, with the lock released. Ten times a second
// the caller's thread takes the lock, looks for signals and calls `tick`; what either raises stops
// the work and is thrown once it has ended. Called with the lock held.
void run_interruptibly(const std::function<void()>& work, const std::function<void()>& tick = {});

}  // namespace bandolier::python
