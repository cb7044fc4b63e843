// Loops over independent jobs on a bounded number of threads.
#pragma once

#include <functional>

#include "bandolier/core/types.h"

namespace bandolier {

// The number of cores that this process may use, at least 1.
int available_cores();

// Calls job(0) ... job(count - 1), each once, on min(threads, count) threads (on the caller's alone
// for 1). Jobs start in order of their index. The first exception stops further starts and is
// rethrown after all running jobs have ended. Every thread has the caller's stop (stop.h); once it
// is requested, no further job starts. Denormals are flushed on every thread.
void parallel_for(Index count, int threads, const std::function<void(Index)>& job);

// Flushes denormal floats to zero on this thread while alive: a filter's covariance shrinks for
// ever, and arithmetic on denormals is a hundred times slower.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_;
};

}  // namespace bandolier
