#include "bandolier/core/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "bandolier/core/stop.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace bandolier {

int available_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallel_for(Index count, int threads, const std::function<void(Index)>& job) {
  std::atomic<Index> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto work = [&, stop = current_stop()] {
    const FlushDenormals flush;
    const StopScope scope(stop);
    while (!failed && !stop_requested()) {
      const Index index = next.fetch_add(1);
      if (index >= count) return;
      try {
        job(index);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!error) error = std::current_exception();
        failed = true;
      }
    }
  };
  const Index helpers = std::min<Index>(std::max(threads, 1), count) - 1;
  std::vector<std::jthread> pool;
  try {
    for (Index i = 0; i < helpers; ++i) pool.emplace_back(work);
  } catch (const std::system_error&) {
    // The system grants no more threads: those there are do all the work.
  }
  work();
  pool.clear();  // joins
  if (error) std::rethrow_exception(error);
}

#if defined(__SSE__)
FlushDenormals::FlushDenormals() : saved_(_mm_getcsr()) {
  constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
  _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero);
}
FlushDenormals::~FlushDenormals() { _mm_setcsr(saved_); }
#else
FlushDenormals::FlushDenormals() : saved_(0) {}
FlushDenormals::~FlushDenormals() = default;
#endif

}  // namespace bandolier
