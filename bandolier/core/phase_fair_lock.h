// A lock for readers and writers that starves neither: readers and writers take turns, so that a
// writer waits for the readers that are inside and for no later one, and a reader for one writer at
// most (the phase-fair ticket lock of Brandenburg and Anderson, ECRTS 2009). std::shared_mutex lets
// readers that overlap keep a writer out for ever.
//
// For std::lock_guard and std::shared_lock. A reader that nobody is in the way of pays two atomic
// additions; who waits spins a little and then sleeps. Not recursive.
#pragma once

#include <atomic>
#include <cstdint>

namespace bandolier {

class PhaseFairLock {
 public:
  PhaseFairLock() = default;
  PhaseFairLock(const PhaseFairLock&) = delete;
  PhaseFairLock& operator=(const PhaseFairLock&) = delete;

  void lock();
  void unlock();
  void lock_shared();
  void unlock_shared();

 private:
  std::atomic<std::uint32_t> readers_in_{0}, readers_out_{0};  // counted; a writer's bits below
  std::atomic<std::uint32_t> next_writer_{0}, writer_{0};      // tickets of writers
};

}  // namespace bandolier
